package cast

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// Match finds the rule for every target column and file class under the
// answers given. Questions without an answer are no failure: the Mapping lists
// them as Open. Refusals: ColumnAmbiguous, CastImpossible, AnswerUnknown, ZoneUnknown.
func Match(cols []schema.TargetColumn, classes []schema.FileClass, a Answers) (*Mapping, error) {
	if err := checkZone(a); err != nil {
		return nil, err
	}
	renamed, err := renamesOf(a.Map, cols, classes)
	if err != nil {
		return nil, err
	}
	m := &Mapping{Columns: make([]ColumnPlan, len(cols)), LeftOut: []string{}, Classes: classes}
	for i, c := range cols {
		m.Columns[i] = ColumnPlan{Target: c, Rules: []Rule{}}
	}
	var no unmatched
	for _, class := range classes {
		m.matchClass(class, renamed, &no)
	}
	if err := no.err(); err != nil {
		return nil, err
	}
	return m, m.answer(a)
}

// unmatched is why columns match in no way.
type unmatched struct{ clashes, impossible []verdict.Fact }

func (u unmatched) err() error {
	switch {
	case len(u.clashes) > 0:
		return ambiguous(u.clashes)
	case len(u.impossible) > 0:
		return noCast(u.impossible)
	}
	return nil
}

// matchClass finds the rules of one file class, and its columns that none takes.
func (m *Mapping) matchClass(class schema.FileClass, renamed renames, no *unmatched) {
	byName, used := index(class), map[string]bool{}
	for i := range m.Columns {
		p := &m.Columns[i]
		c, where := p.Target, kinds(m.Classes).in(class.ID)
		same := renamed.of(c.Name, byName)
		for _, s := range same {
			used[schema.Fold(s.Name)] = true
		}
		if len(same) > 1 && !c.Computed {
			no.clashes = append(no.clashes, verdict.Fact{Name: "the copy has", Value: strings.Join(names(same), ", ") + where})
			continue
		}
		r, ok := ruleFor(c, class, same)
		if !ok {
			no.impossible = append(no.impossible, verdict.Fact{Name: c.Name, Value: fmt.Sprintf("%s to %s (%s)%s", r.FromType, c.SQL, c.Type, where)})
			continue
		}
		p.Rules = append(p.Rules, r)
	}
	for _, c := range class.Columns {
		if !used[schema.Fold(c.Name)] && !slices.Contains(m.LeftOut, c.Name) {
			m.LeftOut = append(m.LeftOut, c.Name)
		}
	}
}

func ruleFor(c schema.TargetColumn, class schema.FileClass, found []schema.CopyColumn) (Rule, bool) {
	r := Rule{Class: class.ID}
	if len(found) > 0 {
		r.From, r.FromType = found[0].Name, found[0].String()
	}
	if c.Computed {
		r.Code, r.Note = ComputedNull, "CDC writes NULL for a computed column in every change row, so the seed does too"
		return r, true
	}
	if len(found) == 0 {
		r.Code = MissingNull
		return r, true
	}
	if found[0].Physical == schema.Absent {
		r.From, r.Code = "", AbsentNull
		return r, true
	}
	src := found[0]
	r.Source = &src
	code, ok := pair(src, c)
	r.Code = code
	r.Legacy = class.Legacy && calendar(src)
	r.Note = note(r, c)
	return r, ok
}

// calendar reports whether old values of the column may be in the hybrid calendar:
// Spark never wrote a timestamp without a zone in it.
func calendar(c schema.CopyColumn) bool {
	f := formOf(c)
	return f == date || f == stamp && c.UTC || f == int96
}

func note(r Rule, c schema.TargetColumn) string {
	switch {
	case r.Legacy:
		return "the writer used the Julian calendar before 1582-10-15: those dates keep their digits"
	case r.Code == RowversionText:
		return "text is read as 0x and hex digits or as base64, by its form"
	case r.Source != nil && r.Source.Physical == "PARTITION" && c.Type.Kind == schema.String:
		return "one partition may stand for NULL and for empty text alike: its rows become NULL"
	case r.Code == Int96ToInstant:
		return "an INT96 timestamp is taken as a moment"
	case r.Code == AnsiChar, r.Code == AnsiBinary:
		return "made with ANSI_PADDING off: the source itself may hold short values"
	case c.SQL.Name == "text" || c.SQL.Name == "ntext" || c.SQL.Name == "image":
		return "change rows of deletes and before-images carry NULL here"
	}
	return ""
}

func index(class schema.FileClass) map[string][]schema.CopyColumn {
	out := make(map[string][]schema.CopyColumn, len(class.Columns))
	for _, c := range class.Columns {
		out[schema.Fold(c.Name)] = append(out[schema.Fold(c.Name)], c)
	}
	return out
}

func names(cols []schema.CopyColumn) []string {
	out := make([]string, len(cols))
	for i, c := range cols {
		out[i] = c.Name
	}
	return out
}

func ambiguous(clashes []verdict.Fact) error {
	return &verdict.Error{
		Code:  verdict.ColumnAmbiguous,
		What:  "the copy has columns that differ only by case: " + clashes[0].Value,
		Facts: clashes,
		Why:   "Names match without case, so nothing says which of them is the captured column.",
		Hint:  []string{"Write the copy again with one of them, or under another name."},
	}
}

func noCast(pairs []verdict.Fact) error {
	return &verdict.Error{
		Code:  verdict.CastImpossible,
		What:  fmt.Sprintf("no cast leads from the copy's type to the stream's for column %q", pairs[0].Name),
		Facts: pairs,
		Why:   "A guess would write values that the stream never writes.",
		Hint:  []string{"Write the copy again with the source's type for these columns.", "Check that it is a copy of this table."},
	}
}

func checkZone(a Answers) error {
	if a.Zone == "" || a.Zone == WallClock || isUTC(a.Zone) {
		return nil
	}
	if a.Location == nil {
		return unknownZone(a.Zone, nil)
	}
	if _, err := a.Location(a.Zone); err != nil {
		var v *verdict.Error
		if errors.As(err, &v) {
			return err
		}
		return unknownZone(a.Zone, err)
	}
	return nil
}

func unknownZone(name string, err error) error {
	return &verdict.Error{
		Code: verdict.ZoneUnknown, What: fmt.Sprintf("time zone %q is not known", name), Err: err,
		Hint: []string{"--copy-time-zone takes UTC, an IANA name (America/Sao_Paulo), a Windows name, or wall-clock."},
	}
}
