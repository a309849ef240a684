package tui

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"cdcseed/engine/verdict"
)

// unbroken is the width at which what the screens draw is drawn to be told:
// nothing breaks there.
const unbroken = 1 << 14

// tell writes a line, broken at blanks where lines have an end. A word that is
// wider stays whole: it is a path or a command, and somebody may copy it.
func (p *plain) tell(text string) {
	p.write(strings.Join(folded(clean(text), p.wide), "\n") + "\n")
}

// write writes text as it is. Where that does not work, nobody is told any more.
func (p *plain) write(text string) {
	if p.deaf != nil {
		return
	}
	_, p.deaf = fmt.Fprint(p.out, text)
}

// folded breaks a line at blanks alone.
func folded(s string, w int) []string {
	var out []string
	line := ""
	for _, word := range strings.Split(strings.TrimRight(s, " "), " ") {
		if line != "" && width(line)+1+width(word) > w {
			out, line = append(out, line), ""
		} else if line != "" {
			line += " "
		}
		line += word
	}
	return append(out, line)
}

// tellAll tells lines that were drawn for a screen: without their indent, their
// names and levels before a colon.
func (p *plain) tellAll(drawn []string) {
	for _, l := range drawn {
		if l = sentence(l); l != "" {
			p.tell(l)
		}
	}
}

// labelled is a line that a screen draws behind a name or a level.
var labelled = regexp.MustCompile(`^ +([^ :](?:[^ :]| [^ :]){0,11}?[^ ?:]\??)  +(\S)`)

// sentence is a line of a screen as it is read out.
func sentence(drawn string) string {
	s := strings.TrimRight(ansi.Strip(drawn), " ")
	if m := labelled.FindStringSubmatchIndex(s); m != nil {
		name := s[m[2]:m[3]]
		if strings.HasSuffix(name, "?") {
			return name + " " + s[m[4]:]
		}
		return name + ": " + s[m[4]:]
	}
	return strings.TrimLeft(s, " ")
}

// unlooked stands where the screens tell how to have a look begun.
const unlooked = "It is looked at when the questions here are answered."

// keyless is a text of the screens without their keys: what a key does there,
// a word does here.
func keyless(s string) string {
	return strings.NewReplacer(
		"Checking as soon as typing rests; ctrl+r checks now.", unlooked, "enter connects and checks.", unlooked,
		"press a to ", `type all to `, "all to go back to a sample", "sample to go back to a sample", "press v", "type list",
		"ctrl+r", `"again"`, "ctrl+y", `"why"`, "ctrl+c quits", `"quit" leaves`, "Press enter", "Press [enter]",
		"Checking: ", "", "Choose below: down, then space.", `"again" asks once more.`, "esc, ", `"back", `,
		"(esc)", `("back")`, "esc ", `"back" `, "esc:", `"back":`, "or tab to In place", "or answer In place",
		"u lists them", `"uncaptured" lists them`, "u tells why", `"uncaptured" tells why`,
	).Replace(s)
}

// refuse tells an error: what, the values, why, what to do.
func (p *plain) refuse(err error) { p.tellAll(p.refusal(err, unbroken)) }

// standing tells where the step stands, in the words of its status.
func (p *plain) standing() {
	st := p.step().ready(p.desk)
	word := string(st.level)
	if st.level == verdict.Stop {
		word = "STOP"
	}
	p.tell(word + ": " + keyless(clean(st.text)))
}

// why reads out the reasons behind what is found.
func (p *plain) why() {
	if s, ok := whyOverlay(p.wizard).(*sheet); ok {
		for _, l := range s.draw(p.wizard, unbroken) {
			if l = sentence(l); l != "" {
				p.tell(keyless(l))
			}
		}
	}
}

// sameAs reads out the command that does the same.
func (p *plain) sameAs() {
	p.tell("The command that does the same:")
	p.write(clean(p.command().whole()) + "\n")
}
