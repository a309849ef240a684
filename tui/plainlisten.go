package tui

import (
	"slices"
	"strconv"
	"strings"

	"cdcseed/engine"
)

// encodingFlag is the flag of a question that takes any encoding's name.
const encodingFlag = "--encoding"

// columnsTold hears what only wants columns told while one of them is asked about:
// list, more, column, or a number above those of the answers.
func (p *plain) columnsTold(s *columnsScreen, answers int) func(string) bool {
	part, from := "", 0
	return func(text string) bool {
		verb, rest, _ := strings.Cut(text, " ")
		rest = strings.TrimSpace(rest)
		n, err := strconv.Atoi(text)
		switch verb = strings.ToLower(verb); {
		case verb == "list":
			part = strings.ToLower(rest)
			from = p.listColumns(s, part, 0)
		case text == "more":
			from = p.listColumns(s, part, from)
		case verb == "column" && columnNamed(s, rest) >= 0:
			p.tellColumn(s, columnNamed(s, rest))
		case verb == "column":
			p.tell("No column has that number or name. list tells them all.")
		case err == nil && n > answers && n <= len(s.shown.Lines):
			p.tellColumn(s, n-1)
		default:
			return false
		}
		return true
	}
}

// castAnswers is a column's question about its cast, while another one is asked.
type castAnswers struct{ engine.Ask }

// otherCast is the question about a column's cast that stands beside a.
func otherCast(l engine.ColumnLine, a engine.Ask) (castAnswers, bool) {
	i := slices.IndexFunc(l.Asks, func(x engine.Ask) bool { return x.Flag == "--cast" && x.Column == a.Column })
	if i < 0 || a.Flag != encodingFlag {
		return castAnswers{}, false
	}
	return castAnswers{l.Asks[i]}, true
}

func (c castAnswers) takes(text string) bool {
	return slices.ContainsFunc(c.Choices, func(x engine.Choice) bool { return strings.EqualFold(x.Value, text) })
}

// words are the answers, to be typed.
func (c castAnswers) words() string {
	var out []string
	for _, x := range c.Choices {
		out = append(out, x.Value)
	}
	return strings.Join(out, " or ")
}
