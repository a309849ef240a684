package tui

import (
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// Advice names the field that a person sees; commands, which are typed
// elsewhere, keep their flags.
func TestAdviceNamesFields(t *testing.T) {
	for flags, fields := range map[string]string{
		"Check --server, --user and --sign-in.":                                        "Check Server, User and Sign in.",
		"If its last refresh is meant, add --allow-as-of-after-copy.":                  "If its last refresh is meant, choose yes as In place.",
		"Or pin the server's certificate: --encrypt pin:server.pem with its PEM file.": "Or pin the server's certificate: choose pin as Encrypt and give its PEM file.",
		"Give the stream a new app id, and pass it as --app-id.":                       "Give the stream a new app id, and pass it as App id.",
		"Keep all rows with --keep-deleted.":                                           "Keep all rows with --keep-deleted.",
		"cdcseed lsn --table dbo.Orders --as-of 2026-10-25T00:40:00Z":                  "cdcseed lsn --table dbo.Orders --as-of 2026-10-25T00:40:00Z",
	} {
		if got := inFields(flags); got != fields {
			t.Errorf("%q, want %q", got, fields)
		}
	}
}

// Every flag that has a field on a form is told by that field's name.
func TestFieldsOfFlags(t *testing.T) {
	names := map[string]bool{"Table": true} // a step of its own
	for _, f := range [][]*field{newConnect().(*connectScreen).form.fields, newCopy().(*copyScreen).form.fields, newAsOf().(*asOfScreen).form.fields} {
		for _, x := range f {
			names[x.name] = true
		}
	}
	for _, f := range engine.SeedFlags() {
		if name := fieldOf("--" + f.Name); name != "" && !names[name] {
			t.Errorf("--%s is told as %q, which no form has", f.Name, name)
		}
	}
}

// A certificate that is not trusted can be pinned where that is said: its file
// has a field, which is asked for before anything is tried.
func TestCertificateIsPinned(t *testing.T) {
	s := orders()
	s.source, s.sourceErr = engine.SourceView{}, &verdict.Error{
		Code: verdict.SourceUnreachable, What: "connect: the server's certificate is not trusted",
		Hint: []string{"Or pin the server's certificate: --encrypt pin:server.pem with its PEM file."},
	}
	r := ordersRequest()
	p := perform(t, s, r).shows("choose pin as Encrypt").lacks("--encrypt pin", "PEM file   ")
	tries := len(s.asked)
	p.press("tab", "tab", "tab", "tab", "tab", "right").shows("strict")
	p.press("right").lacks("PEM file   strict", "--encrypt pin").shows("Give the PEM file of the server's certificate.", "PEM file")
	p.press("enter").shows("> PEM file").press("enter", "tab", "shift+tab")
	if len(s.asked) != tries {
		t.Fatalf("%d tries without the file", len(s.asked)-tries)
	}
	p.write("/etc/sql.pem").press("tab")
	if got := s.asked[len(s.asked)-1].Encrypt; got != "pin:/etc/sql.pem" {
		t.Errorf("encrypt %q", got)
	}
	if args := strings.Join(p.answers.Args(), " "); !strings.Contains(args, "--encrypt pin:/etc/sql.pem") {
		t.Error(args)
	}
}
