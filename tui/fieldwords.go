package tui

import (
	"regexp"
	"strings"
)

// flagWord is a flag as a hint names it.
var flagWord = regexp.MustCompile(`--[a-z][a-z-]*[a-z]`)

// fieldOf is the field that takes the answer of a flag, empty where none does.
func fieldOf(flag string) string {
	switch flag {
	case "--server", "--database", "--user", "--encrypt", "--copy", "--target", "--facts", "--table", "--reseed":
		return strings.ToUpper(flag[2:3]) + flag[3:]
	case "--sign-in", "--time-zone", "--app-id", "--as-of", "--copy-lag":
		return strings.ToUpper(flag[2:3]) + strings.ReplaceAll(flag[3:], "-", " ")
	case "--target-name":
		return "In the job"
	case "--allow-as-of-after-copy":
		return "In place"
	case "--upgrade-protocol":
		return "Protocol"
	}
	return ""
}

// inFields is advice with the fields that the person sees instead of the flags
// that take the same answers. A command stays as it is: it is typed elsewhere.
func inFields(text string) string {
	if strings.Contains(text, "cdcseed ") {
		return text
	}
	text = strings.NewReplacer(
		"--encrypt pin:server.pem with its PEM file", "choose pin as Encrypt and give its PEM file",
		"--encrypt trust", "trust as Encrypt",
		"add --allow-as-of-after-copy", "choose yes as In place",
		"Add --upgrade-protocol", "Choose enable as Protocol",
		"add --reseed", "choose append as Reseed",
		"leave --reseed out", "choose no as Reseed",
		"Run again with --upgrade-protocol, which changes", "Choose enable as Protocol, which changes",
		"leave --sign-in out and give --user", "choose SQL login as Sign in and give User",
		"eave --time-zone out", "eave Time zone empty",
		"eave --facts out", "eave Facts empty",
		"--as-of 0x", "0x",
	).Replace(text)
	return flagWord.ReplaceAllStringFunc(text, func(flag string) string {
		if field := fieldOf(flag); field != "" {
			return field
		}
		return flag
	})
}
