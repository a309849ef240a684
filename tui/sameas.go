package tui

import (
	"slices"
	"strings"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// command is the command line that does what the screen does.
type command struct {
	name string // the subcommand; empty where the answers so far only fit the wizard
	args []string
}

// command is true at every moment: as far as the answers go, it asks for the
// same. It holds no secret.
func (w *wizard) command() command {
	r := w.answers.told()
	if abs, err := r.Absolute(); err == nil {
		r = abs
	}
	plan := w.found.plan
	current := plan.good(w.answers.print(reviewStep)) || w.at > reviewStep && plan.set && plan.err == nil
	switch {
	case w.at <= tableStep && r.Server == "":
		return command{}
	case w.at <= tableStep:
		return command{"tables", argsOf(r, engine.SourceFlags())}
	case w.at == copyStep:
		return command{"", r.Args()}
	case w.at == asOfStep:
		return command{"lsn", argsOf(r, lsnFlags())}
	case w.at >= reviewStep && current && w.found.kept != "" && plan.value.Refusal() == nil:
		return command{"seed", []string{"--plan", plan.value.Digest[:8], "--confirm", plan.value.Table.String()}}
	case w.at >= reviewStep && current:
		r.Accept = slices.Clone(plan.value.Accepted)
	default:
		r.Accept = w.acceptedSoFar()
	}
	return command{"seed", append(r.Args(), "--dry-run")}
}

// acceptedSoFar are the warnings that were accepted among those that were found.
func (w *wizard) acceptedSoFar() []string {
	var all []verdict.Check
	for _, s := range w.steps[:reviewStep-1] {
		all = append(all, s.checks(w.desk)...)
	}
	return w.answers.codes(all)
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

// short is the command in w cells: its verb and the table, and of the rest what
// was answered last. Flags are left out whole.
func (c command) short(w int) string {
	whole := clean(c.whole())
	if width(whole) <= w {
		return whole
	}
	head := strings.TrimSpace("cdcseed "+c.name) + " ..."
	words := c.words()
	if at := slices.IndexFunc(words, func(s string) bool { return strings.HasPrefix(s, "--table ") }); at >= 0 && width(head)+1+width(words[at]) <= w {
		head = strings.TrimSuffix(head, "...") + words[at] + " ..."
		words = slices.Delete(slices.Clone(words), at, at+1)
	}
	tail := ""
	for _, word := range slices.Backward(words) {
		if next := " " + word + tail; width(head)+width(next) <= w {
			tail = next
			continue
		}
		break
	}
	return cut(head+tail, w)
}

// words are the flags as a shell takes them, each with its value.
func (c command) words() []string {
	var out []string
	for i := 0; i < len(c.args); i++ {
		one := c.args[i : i+1]
		if i+1 < len(c.args) && !strings.HasPrefix(c.args[i+1], "--") {
			one = c.args[i : i+2]
			i++
		}
		out = append(out, clean(strings.TrimPrefix(engine.Command("", one), "cdcseed  ")))
	}
	return out
}

// lines are the command over as many lines as it takes at a width; a POSIX
// shell takes them as one.
func (c command) lines(w int) []string {
	lines := []string{"   " + strings.TrimSpace("cdcseed "+c.name)}
	for _, word := range c.words() {
		last := len(lines) - 1
		if width(lines[last])+1+width(word)+2 <= w {
			lines[last] += " " + word
			continue
		}
		lines[last] += " \\"
		lines = append(lines, "     "+word)
	}
	return lines
}
