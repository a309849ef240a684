package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"cdcseed/engine"
)

// Help is read in terminals of 80 columns, and says of every command what each
// of its exit statuses means.
func TestHelpOfEveryCommand(t *testing.T) {
	c := newConsole(t)
	for _, sub := range commandNames() {
		out, messages := c.want(0, sub, "--help")
		if messages != "" {
			t.Errorf("%s: messages: %s", sub, messages)
		}
		narrow(t, out)
		same, _ := c.want(0, "help", sub)
		if same != out || done(sub) == "" || !strings.Contains(out, "\nExit status:\n    0  "+done(sub)+"\n    1  ") {
			t.Errorf("help %s:\n%s\nbut --help:\n%s", sub, same, out)
		}
		for _, s := range exits(sub) {
			if s != 0 && exitMeaning(s) == "" {
				t.Errorf("%s: status %d has no meaning", sub, s)
			}
		}
	}
	out, _ := c.want(0, "--help")
	wants(t, out, "Commands: demo", "cdcseed COMMAND --help", "Without a command it opens the wizard")
	narrow(t, out)
	same, _ := c.want(0, "help")
	if same != out {
		t.Error(same)
	}
}

// commandNames are the commands that help lists.
func commandNames() []string {
	var out []string
	for _, sub := range (&app{}).root().Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" {
			out = append(out, sub.Name())
		}
	}
	return out
}

func narrow(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > helpWidth {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// Every flag is in help with its environment name, and what repeats says so.
func TestHelpOfFlags(t *testing.T) {
	out, _ := newConsole(t).want(0, "seed", "--help")
	flat := strings.Join(strings.Fields(out), " ")
	for _, f := range engine.SeedFlags() {
		doc := f.Doc
		if f.Repeats {
			doc += "; repeat the flag for more"
		}
		want := "--" + f.Name + " " + strings.TrimSpace(f.Value+" "+doc) + " [" + f.Env() + "]"
		if !strings.Contains(flat, want) {
			t.Errorf("help lacks %q", want)
		}
	}
	wants(t, out, "none (loopback only)")
}

func TestCommandLinesThatAreWrong(t *testing.T) {
	c := newConsole(t)
	for says, args := range map[string][]string{
		`cdcseed has no command "sed".`:        {"sed"},
		`cdcseed has no command "sed more".`:   {"help", "sed", "more"},
		"cdcseed seed has no flag --nope.":     {"seed", "--nope"},
		"cdcseed tables has no flag -x.":       {"tables", "-x"},
		"--cast has no value.":                 {"seed", "--cast"},
		`--copy-lag: "x" is no length of time`: {"seed", "--copy-lag", "x"},
		`cdcseed lsn takes no "a b".`:          {"lsn", "a", "b"},
		`--cast: "A=stop,B=round" answers for 2 columns; repeat the flag: --cast A=stop --cast B=round.`: {"seed", "--cast", "A=stop,B=round"},
		`--cast: "A" is not COLUMN=ANSWER.`: {"seed", "--cast", "A"},
	} {
		_, messages := c.want(2, args...)
		wants(t, messages, "STOP "+strings.TrimPrefix(says, "STOP "), "Nothing was written.", "Next:", "--help")
		if strings.ContainsAny(messages, "[]`") {
			t.Errorf("%v reads like a program's text:\n%s", args, messages)
		}
	}
	out, messages := c.want(2, "seed", "--nope", "--json")
	if last := lastLine(t, out); last["what"] != "cdcseed seed has no flag --nope" || messages != "" {
		t.Errorf("got %s and %s", out, messages)
	}
	_, messages = c.want(2, "sed")
	wants(t, messages, "Give one of: demo, doctor, fake, lsn, seed, staged, tables, version.")
}

func TestVersion(t *testing.T) {
	c := newConsole(t)
	short, _ := c.want(0, "--version")
	long, _ := c.want(0, "version")
	if short != long || !strings.HasPrefix(long, "cdcseed ") {
		t.Errorf("%q and %q", short, long)
	}
	out, _ := c.want(0, "--version", "--json")
	if last := lastLine(t, out); last["type"] != "result" || last["version"] == "" {
		t.Error(out)
	}
}

// The environment's lists, and that a flag replaces all of one.
func TestListsOfTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		args []string
		want []string // of the request's command line
	}{
		{map[string]string{"CAST": "A=stop,B=round", "ACCEPT": "fell_back,no_zone"}, nil, []string{"--cast", "A=stop", "--cast", "B=round", "--accept", "fell_back", "--accept", "no_zone"}},
		{map[string]string{"CAST": "A=stop,B=round"}, []string{"--cast", "C=cut"}, []string{"--cast", "C=cut"}},
		{map[string]string{"CAST": "", "COPY_LAG": "", "CHECK": "", "KEEP_DELETED": ""}, nil, nil},
		{map[string]string{"KEEP_DELETED": "true", "COPY_LAG": "5m"}, []string{"--accept", "fell_back,no_zone"}, []string{"--copy-lag", "5m0s", "--keep-deleted", "--accept", "fell_back", "--accept", "no_zone"}},
	} {
		a := &app{env: func(name string) (string, bool) { v, ok := c.env[strings.TrimPrefix(name, "CDCSEED_")]; return v, ok }}
		var r engine.Request
		command := &cobra.Command{}
		complete := a.bind(command, engine.SeedFlags(), &r)
		if err := command.ParseFlags(c.args); err != nil {
			t.Fatal(err)
		}
		if err := complete(); err != nil {
			t.Fatal(err)
		}
		if got := r.Args(); !slices.Equal(got, c.want) {
			t.Errorf("%v with %q: %q, want %q", c.env, c.args, got, c.want)
		}
	}
}
