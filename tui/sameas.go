package tui

import (
	"slices"
	"strings"

	"cdcseed/engine"
)

// command is the command line that does what the screen does.
type command struct {
	name string // the subcommand; empty where the answers so far only fit the wizard
	args []string
}

// command is true at every moment: as far as the answers go, it asks for the
// same. It holds no secret.
func (w *wizard) command() command {
	r := w.answers.Request
	if abs, err := r.Absolute(); err == nil {
		r = abs
	}
	plan := w.found.plan
	switch {
	case w.at <= tableStep && w.at < runStep && r.Server == "":
		return command{}
	case w.at <= tableStep:
		return command{"tables", argsOf(r, engine.SourceFlags())}
	case w.at == copyStep:
		return command{"", r.Args()}
	case w.at == asOfStep:
		return command{"lsn", argsOf(r, lsnFlags())}
	case w.at >= reviewStep && plan.set && plan.err == nil && w.found.kept != "" && plan.value.Refusal() == nil:
		return command{"seed", []string{"--plan", plan.value.Digest[:8], "--confirm", plan.value.Table.String()}}
	case w.at >= reviewStep && plan.set && plan.err == nil:
		r.Accept = slices.Clone(plan.value.Accepted)
	}
	return command{"seed", append(r.Args(), "--dry-run")}
}

// lsnFlags are those that decide L.
func lsnFlags() []engine.Flag {
	return slices.DeleteFunc(engine.SeedFlags(), func(f engine.Flag) bool {
		return stepOf(f.Name) != connectStep && !slices.Contains([]string{"table", "as-of", "copy-lag"}, f.Name)
	})
}

func argsOf(r engine.Request, flags []engine.Flag) []string {
	var out []string
	for _, f := range flags {
		for _, v := range f.Get(&r) {
			if f.Value == "" {
				out = append(out, "--"+f.Name)
				continue
			}
			out = append(out, "--"+f.Name, v)
		}
	}
	return out
}

// whole is the command as a shell takes it.
func (c command) whole() string {
	if c.name == "" {
		return strings.Replace(engine.Command("", c.args), "cdcseed  ", "cdcseed ", 1)
	}
	return engine.Command(c.name, c.args)
}

// short is the command in w cells: what was answered last is its end, and
// stays.
func (c command) short(w int) string {
	whole := clean(c.whole())
	if width(whole) <= w {
		return whole
	}
	head := strings.TrimSpace("cdcseed "+c.name) + " ..."
	words := strings.Split(clean(engine.Command("", c.args)), " ")[1:]
	tail := ""
	for i := len(words) - 1; i >= 0; i-- {
		next := " " + words[i] + tail
		if width(head)+width(next) > w {
			break
		}
		tail = next
	}
	if tail == "" {
		return cut(whole, w)
	}
	return head + tail
}
