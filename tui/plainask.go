package tui

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// asked is a question.
type asked struct {
	prompt string // ends in a colon; the default stands in brackets
	help   string // what it takes, told for ?
	words  string // that mean something here, beside those of every question

	tells func(text string) bool // takes a text that only wants something told; the question is asked again
}

// anyWords are those that every question takes.
const anyWords = "At every question: back, quit, why, command, ?. [enter] takes what stands in brackets. " +
	"An answer that is one of these words, or none, stands in double quotes."

// ask asks until there is an answer, with the words of every question heard.
func (p *plain) ask(q asked) (string, error) {
	for {
		p.last = strings.TrimRight(q.prompt, ": ")
		p.write(clean(q.prompt) + " ")
		text, err := p.line()
		switch {
		case errors.Is(err, errStay):
			p.tell("Nothing stops here: type quit, or press ctrl+c again, to leave.")
			continue
		case errors.Is(err, errTooLong):
			p.tell("That line is too long. Type the answer again.")
			continue
		case err != nil:
			return "", err
		case !printable(text):
			p.tell("That line holds characters that no key of text makes, such as an arrow's. Type the answer again.")
			continue
		}
		switch text = strings.TrimSpace(text); strings.ToLower(text) {
		case "?", "help":
			p.help(q)
		case "why":
			p.why()
		case "command":
			p.sameAs()
		case "back":
			return "", errBack
		case "quit", "exit":
			return "", errLeave
		default:
			if q.tells == nil || !q.tells(text) {
				return text, nil
			}
		}
	}
}

func (p *plain) help(q asked) {
	if q.help != "" {
		p.tell(q.help)
	}
	if q.words != "" {
		p.tell("Here: " + q.words + ".")
	}
	p.tell(anyWords)
}

// printable reports whether a text is one that people type.
func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// bare is an answer without quotes around it, and whether it clears what stands.
func bare(text string) (answer string, clears bool) {
	if strings.EqualFold(text, "none") {
		return "", true
	}
	if n := len(text); n >= 2 && text[0] == '"' && text[n-1] == '"' {
		return text[1 : n-1], false
	}
	return text, false
}

// orNone is what stands as a default.
func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// pick has one of some numbered texts chosen, and answers its index. now is the
// default, -1 for none. What is neither a number nor one of the names is given
// to other, which may take it; nil takes nothing.
func (p *plain) pick(name string, texts, names []string, now int, q asked, other func(string) bool) (int, error) {
	for i, t := range texts {
		p.tell(fmt.Sprintf("%d. %s", i+1, t))
	}
	now1 := "none"
	if now >= 0 {
		now1 = strconv.Itoa(now + 1)
	}
	q.prompt = fmt.Sprintf("%s, 1-%d [%s]:", name, len(texts), now1)
	if q.help == "" {
		q.help = "Type the number of a line above."
	}
	for {
		text, err := p.ask(q)
		if err != nil {
			return 0, err
		}
		if text == "" && now >= 0 {
			return now, nil
		}
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(texts) {
			return n - 1, nil
		}
		for i := range texts {
			if text != "" && (strings.EqualFold(text, names[i]) || strings.EqualFold(text, texts[i])) {
				return i, nil
			}
		}
		if other != nil && text != "" && other(text) {
			return -1, nil
		}
		p.tell(fmt.Sprintf("Type a number from 1 to %d.", len(texts)))
	}
}

// hidden asks for a secret. At a terminal nothing of it is seen; ctrl+c leaves,
// as what is read there cannot be asked for again.
func (p *plain) hidden(name, hint string) (text string, err error) {
	p.last = name
	p.write(fmt.Sprintf("%s [%s]: ", name, hint))
	if p.secret == nil {
		text, err = p.line()
		if errors.Is(err, errStay) || errors.Is(err, errTooLong) {
			err = errLeave
		}
		return text, err
	}
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	got := make(chan typed, 1)
	go func() {
		text, err := p.secret(ctx)
		got <- typed{text, err}
	}()
	select {
	case l := <-got:
		p.write("\n") // the return key was not echoed
		if l.err != nil {
			p.eof = true
			return "", errLeave
		}
		p.warned = false
		return l.text, nil
	case <-p.stops:
	case <-p.ctx.Done():
	}
	cancel()
	<-got // the terminal has its echo back
	p.write("\n")
	return "", errLeave
}
