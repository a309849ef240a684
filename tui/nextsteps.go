package tui

import (
	"fmt"
	"strings"
)

// nextLines are what to do, numbered in the engine's order. A command stands on
// lines of its own, to be copied.
func nextLines(d *desk, hints []string, w int) []string {
	if len(hints) == 0 {
		return nil
	}
	heading := " Do next"
	if len(hints) > 1 {
		heading += ", in this order"
	}
	lines := []string{"", d.look.bold.Render(heading)}
	for i, h := range hints {
		words, command := parted(clean(h))
		head := fmt.Sprintf("   %d  ", i+1)
		indent := strings.Repeat(" ", width(head))
		prose := min(w, proseWidth)
		if words != "" {
			lines = append(lines, wrapQuoted(head, indent, words, prose)...)
		}
		if command == "" {
			continue
		}
		if words == "" {
			lines = append(lines, commandLines(head, command, w)...)
			continue
		}
		lines = append(lines, commandLines(indent, command, w)...)
	}
	return lines
}

// parted splits a step into words and the command that it ends with; either
// may be empty.
func parted(step string) (words, command string) {
	for _, verb := range []string{"CREATE ", "ALTER ", "EXEC ", "sys.sp_", "cdcseed "} {
		if strings.HasPrefix(step, verb) {
			return "", step
		}
		if at := strings.Index(step, ": "+verb); at >= 0 {
			return step[:at+1], step[at+2:]
		}
	}
	return step, ""
}

// commandLines are a command whole on one line. One that is wider than the
// screen starts at its edge, and is broken at blanks outside quotes alone, where
// it may be broken when it is pasted: a shell is told that it goes on.
func commandLines(first, command string, w int) []string {
	if width(first)+width(command) <= w {
		return []string{first + command}
	}
	mark := ""
	if strings.HasPrefix(command, "cdcseed ") {
		mark = " \\"
	}
	indent := " "
	if strings.TrimSpace(first) != "" { // it has the step's number
		indent = first
	}
	var out []string
	line := indent
	for i, word := range unquotedWords(command) {
		if i > 0 && width(line)+1+width(word)+width(mark) > w {
			out = append(out, cut(line+mark, w))
			line = " "
		}
		if i > 0 && line != " " {
			line += " "
		}
		line += word
	}
	return append(out, cut(line, w))
}

// unquotedWords are the parts of a command between blanks that no quotes hold.
func unquotedWords(s string) []string {
	var out []string
	var quote rune
	start := 0
	for i, r := range s {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
		case quote == 0 && r == ' ':
			out = append(out, s[start:i])
			start = i + 1
		}
	}
	return append(out, s[start:])
}
