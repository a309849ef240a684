package engine

import (
	"fmt"
	"strings"

	"cdcseed/engine/cast"
)

// encodingAsk is the question in which encoding a column's text is: asked where
// values are no UTF-8, and of a column for which it was answered.
func (in *columnsInspection) encodingAsk(c cast.ColumnPlan, r cast.ColumnReport) (Ask, bool) {
	a := Ask{
		Flag: cast.FlagEncoding, Column: c.Target.Name, Given: given(in.request.Encoding, c.Target.Name),
		Text: fmt.Sprintf("%s has text that is not UTF-8; it may be in the code page of the source", c.Target.Name),
	}
	if a.Given == "" && r.Of(cast.NotUTF8) == 0 {
		return a, false
	}
	add := func(name, text string) {
		for _, have := range a.Choices {
			if strings.EqualFold(have.Value, name) {
				return
			}
		}
		if name != "" {
			a.Choices = append(a.Choices, Choice{Value: name, Text: text})
		}
	}
	add(cast.EncodingOfPage(c.Target.SQL.CodePage), "the code page that the column has in SQL Server")
	add("windows-1252", "Western European, the usual code page of Windows")
	add("windows-1250", "Central European")
	add("UTF-16LE", "two bytes a letter, as SQL Server stores Unicode text")
	add(a.Given, "as named")
	a.Open = a.Given == "" && r.Refused > 0 // another answer may have settled them
	return a, true
}
