package tui

import (
	"strings"
	"testing"

	"cdcseed/engine"
)

// What the columns' step offers is there while a column is asked about too: the
// list, its pages, and all about one column.
func TestPlainTellsColumnsWhileOneIsAsked(t *testing.T) {
	_, on := story(t)
	k := converseWith(t, nil, ordersRequest(), "", "", "", "fell_back", "", "list ship", "column amount", "column 99", "column", "11", "99", "change", "back", "quit")
	on(k)
	k.talked()
	heard := k.heard.String()
	asked := heard[strings.LastIndex(heard, "all about one."):]
	for _, want := range []string{"column 99\nNo column has that number or name.", "column\nNo column has that number or name.", "Type a number from 1 to", "2 columns."} {
		if !strings.Contains(asked, want) {
			t.Errorf("%q is not told in\n%s", want, asked)
		}
	}
	if strings.Count(asked, "Column 4 of 16: amount:") != 2 || strings.Count(asked, "Column 11 of 16") != 2 {
		t.Errorf("the columns are not told in\n%s", asked)
	}
	if len(k.answers.Cast) != 0 || k.answers.CopyTimeZone != "" {
		t.Errorf("telling answered: %v, %q", k.answers.Cast, k.answers.CopyTimeZone)
	}
}

// Of text that is not UTF-8 the question takes any encoding, and the answers of
// the column's cast that settle it otherwise.
func TestPlainEncodingTakesWhatFlagsTake(t *testing.T) {
	for typed, want := range map[string][2]string{"ISO-8859-15": {"ISO-8859-15", ""}, "null": {"", "null"}, "Stop": {"", "stop"}, "2": {"windows-1250", ""}} {
		stage, on := story(t)
		stage.scene = func(r engine.Request) engine.ColumnsView {
			v := ordersColumns(r)
			v.Lines = v.Lines[:1]
			v.Lines[0].Asks = []engine.Ask{
				{
					Flag: "--encoding", Column: "name", Text: "name has text that is not UTF-8", Open: r.Encoding["name"] == "" && r.Cast["name"] == "", Given: r.Encoding["name"],
					Choices: []engine.Choice{{Value: "windows-1252", Text: "Western European"}, {Value: "windows-1250", Text: "Central European"}},
				},
				{Flag: "--cast", Column: "name", Given: r.Cast["name"], Choices: []engine.Choice{{Value: "stop", Text: "refuses"}, {Value: "null", Text: "NULL"}}},
			}
			return v
		}
		k := converseWith(t, nil, ordersRequest(), "", "", "", "fell_back", "", typed, "quit")
		on(k)
		k.talked()
		if got := [2]string{k.answers.Encoding["name"], k.answers.Cast["name"]}; got != want {
			t.Errorf("%s: %q, want %q", typed, got, want)
		}
	}
}
