package report

import (
	"fmt"
	"io"
	"strings"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// Diagnosis prints what a doctor found, for whoever ran it: of what does not
// simply hold, the values and what to do as well.
func Diagnosis(w io.Writer, d engine.Diagnosis) { diagnosis(w, d, false) }

// Dump prints a diagnosis for whoever gets the ticket: every value that it rests
// on, and who made it when with which command. What stands for rows in the names
// of folders is left out.
func Dump(w io.Writer, d engine.Diagnosis) {
	t := text{w: w}
	t.line("%s, %s", d.Tool, d.MadeAt)
	args := make([]string, 0, len(d.Args))
	for _, a := range d.Args {
		args = append(args, Unvalued(a))
	}
	t.paragraphFirst("", "  ", engine.Command("doctor", args))
	diagnosis(w, d, true)
}

// titles are what people call the sections.
var titles = map[string]string{
	"connection": "Connection", "clock": "Clock", "cdc": "CDC", "permissions": "Permissions", "tables": "Tables", "retention": "Retention",
	"copy": "Copy", "target": "Target", "as_of": "as_of", "reseed": "Reseed",
}

func diagnosis(w io.Writer, d engine.Diagnosis, all bool) {
	t := text{w: w}
	for i, s := range d.Sections {
		if i > 0 || all {
			t.line("")
		}
		t.line("%s", titles[s.Name])
		for _, f := range s.Findings {
			finding(t, f, all)
		}
	}
	t.line("")
	t.paragraph("", Verdict(d))
}

// finding is a line with what belongs to it.
func finding(t text, f engine.Finding, all bool) {
	level := string(f.Level)
	if f.Level == verdict.Stop {
		level = "STOP"
	}
	show := func(s string) string {
		if all {
			return Unvalued(s)
		}
		return s
	}
	name := ""
	if f.Code != "" {
		name = string(f.Code) + ": "
	}
	const indent = "        "
	t.paragraphFirst(fmt.Sprintf("  %-6s", level), indent, show(name+f.Text))
	if f.Level == verdict.OK && !all {
		return
	}
	if f.Why != "" {
		t.paragraph(indent, show(f.Why))
	}
	if all || f.Level != verdict.Note {
		for _, v := range f.Facts {
			t.paragraphFirst(indent+v.Name+": ", indent+"  ", show(v.Value))
		}
	}
	for _, do := range f.Do {
		t.paragraphFirst(indent+"> ", indent+"  ", show(do))
	}
	if f.Cause != "" && all {
		t.line("%s(%s)", indent, f.Cause)
	}
}

// Verdict is what a diagnosis comes to, in a few sentences, worst first.
func Verdict(d engine.Diagnosis) string {
	stops := d.Count(verdict.Stop)
	counts := fmt.Sprintf("%d ok, %s, %s", d.Count(verdict.OK), verdict.Plural(d.Count(verdict.Note), "note", "notes"), verdict.Plural(d.Count(verdict.Warn), "warning", "warnings"))
	lost := ""
	if d.Stream != "" {
		lost = sentence(d.Stream) + ". See Target. "
	}
	if stops == 0 {
		return fmt.Sprintf("%sNothing found would stop a seed: %s.", lost, counts)
	}
	return lost + fmt.Sprintf("%s would stop a seed: %s. Exit status %d.", verdict.Plural(stops, "finding", "findings"), counts, d.Exit())
}

// Unvalued leaves out the values of rows that stand in the names of folders, as
// in /lake/day=1/part.parquet.
func Unvalued(s string) string {
	var b strings.Builder
	for first := true; ; first = false {
		at := strings.IndexAny(s, `/\\`)
		if at < 0 {
			if !first {
				s = unvaluedPart(s, 0, wordEnd(s))
			}
			b.WriteString(s)
			return b.String()
		}
		from := 0
		if first {
			from = strings.LastIndexAny(s[:at], apart) + 1
		}
		b.WriteString(unvaluedPart(s[:at], from, at))
		b.WriteByte(s[at])
		s = s[at+1:]
	}
}

// apart stands between a path and what is said around it.
const apart = ` "'`

func wordEnd(s string) int {
	if end := strings.IndexAny(s, apart); end >= 0 {
		return end
	}
	return len(s)
}

// unvaluedPart leaves out the value where s[from:end] is named by a column and one.
func unvaluedPart(s string, from, end int) string {
	is := strings.IndexByte(s[from:end], '=')
	if is <= 0 || strings.ContainsAny(s[from:from+is], "?&") {
		return s
	}
	return s[:from+is+1] + "..." + s[end:]
}
