package tui

import (
	"strings"
	"testing"

	"cdcseed/engine"
)

// Every way to sign in has words of its own, and says of a password what the
// engine does with one.
func TestSignInsHaveWords(t *testing.T) {
	for _, how := range append(engine.SignIns(), "") {
		words := wordsFor(how)
		if !strings.HasPrefix(words.text, how) || words.text == how || width(words.text) > 44 {
			t.Errorf("%q is told as %q", how, words.text)
		}
		user, _ := engine.Request{SignIn: how, User: "u"}.PasswordUser()
		if takes := user != ""; takes == (words.password == noneTaken) {
			t.Errorf("%q takes a password: %v, and is told as %q", how, takes, words.password)
		}
	}
}

// The ways stand below one another when they are asked for, and the hints of
// what they take go with them.
func TestSignInIsChosenFromAList(t *testing.T) {
	p := perform(t, orders(), engine.Request{})
	p.answers.password = ""
	p.steps[connectStep-1].(*connectScreen).form.load(p.answers)
	p.shows("empty for the operating system's sign-on").press("tab", "tab")
	p.golden("connect-sign-in").shows("(o) SQL login", "( ) entra:az-cli, who is signed in to az", "( ) kerberos,")
	p.press("left").shows("(o) kerberos,", "NAME@REALM", "empty with a ticket").lacks("operating system")
	p.press("left", "left").shows("(o) entra:az-cli", noneTaken).press("tab").lacks("( ) kerberos")
}

// A connection to this machine may go without encryption; what is unsafe says so.
func TestEncryptOffersNone(t *testing.T) {
	p := perform(t, orders(), engine.Request{}).press("up", "up").shows("trust any (unsafe)", "none (this machine only)")
	p.press("left").shows("(o) none (this machine only)")
	if p.answers.Encrypt != "none" {
		t.Errorf("encrypt is %q", p.answers.Encrypt)
	}
}
