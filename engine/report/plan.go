package report

import (
	"fmt"
	"io"
	"strings"

	"cdcseed/engine"
	"cdcseed/engine/cast"
	"cdcseed/engine/clock"
	"cdcseed/engine/verdict"
)

// Plan prints what a plan that goes on to run will do.
func Plan(w io.Writer, p engine.Plan) {
	text{w: w}.line("Plan %s", p.Digest[:8])
	planBody(w, p)
}

// PlanNotRun prints what a plan would do, and that it was not done. It is what
// the review screen, a plan without a run and a ticket show.
func PlanNotRun(w io.Writer, p engine.Plan) {
	text{w: w}.line("Plan %s (not run). %s", p.Digest[:8], verdict.NothingWritten)
	planBody(w, p)
}

func planBody(w io.Writer, p engine.Plan) {
	t := text{w: w}
	t.line("")
	switch {
	case p.State == engine.AlreadySeeded && p.Facts != nil && !p.Facts.Present:
		t.item("write", "the facts row, and no rows: the seed is in the target already")
	case p.State == engine.AlreadySeeded:
		t.item("write", "no rows: the seed is in the target already")
	default:
		t.item("write", fmt.Sprintf("%s of %s (operation 0)", rowsOf(p), p.Table))
		if n, known := p.LeftOut(); known {
			t.item("left out", verdict.Plural(n, "row that another tool flagged as deleted", "rows that another tool flagged as deleted"))
		}
	}
	t.item("to", targetOf(p))
	if p.Reseed != nil {
		t.item("follows", followed(p))
	}
	if p.State != engine.AlreadySeeded {
		tableChanges(t, p.Target)
	}
	t.item("source", fmt.Sprintf("%s / %s, SQL Server %s, clock %s", p.Source.Server, p.Source.Database, p.Source.Version, p.Source.Clock))
	t.item("from", copyOf(p))
	asOf(t, p)
	if p.Facts != nil {
		t.item("facts", factsOf(*p.Facts))
	}
	t.line("")
	columns(t, p)
	t.line("")
	checksAccepted(w, p.Checks, p.Accepted)
	for _, s := range p.Stops {
		t.paragraphFirst("  STOP  ", "        ", sentence(s.What))
	}
}

func rowsOf(p engine.Plan) string {
	out, known := p.LeftOut()
	n := verdict.Plural(p.Copy.Rows-out, "snapshot row", "snapshot rows")
	if p.Copy.Filter != nil && !known {
		n = "at most " + n
	}
	return n
}

func targetOf(p engine.Plan) string {
	switch {
	case p.State == engine.AlreadySeeded:
		return fmt.Sprintf("%s, version %d", p.Target.URL, p.Target.Version)
	case p.Target.Create:
		return p.Target.URL + ", made first (version 0), then one commit"
	case p.Target.Migrate != nil:
		return fmt.Sprintf("%s, migrated first (version %d), then one commit: -> %d", p.Target.URL, p.Target.Version+1, p.Target.Version+2)
	default:
		return fmt.Sprintf("%s, one commit: version %d -> %d", p.Target.URL, p.Target.Version, p.Target.Version+1)
	}
}

// followed is the snapshot that a reseed follows.
func followed(p engine.Plan) string {
	h := p.Target.Held
	if p.State == engine.AlreadySeeded || h == nil {
		return fmt.Sprintf("the snapshot at %s: it was a reseed", p.Reseed.Follows)
	}
	kind := "the snapshot"
	if h.Chunked {
		kind = "the chunked snapshot"
	}
	s := fmt.Sprintf("%s at %s, %s", kind, h.LSN, verdict.Plural(h.Rows, "row", "rows"))
	if h.CommitTS != nil {
		s += ", committed " + h.CommitTS.String()
	}
	return s + ": silver rebuilds from the new one"
}

// tableChanges is what the data commit does to the table beside adding rows.
func tableChanges(t text, to engine.TargetPlan) {
	for _, change := range to.Changes() {
		t.item("", change)
	}
}

func copyOf(p engine.Plan) string {
	s := p.Copy.URL
	if p.Copy.Version != nil {
		s += fmt.Sprintf(" version %d", *p.Copy.Version)
	}
	return fmt.Sprintf("%s, %s, %s", s, verdict.Plural(p.Copy.Files, "file", "files"), Size(p.Copy.Bytes))
}

func factsOf(f engine.FactsPlan) string {
	if f.Present {
		return fmt.Sprintf("%s has the row of app id %s already", f.URL, f.AppID)
	}
	return fmt.Sprintf("event bootstrap, app id %s, target %s, in %s", f.AppID, f.Target, f.URL)
}

func asOf(t text, p engine.Plan) {
	a := p.AsOf
	asked := a.Asked
	if a.Time != nil {
		asked = a.Time.String()
	}
	if a.CopyLag > 0 {
		asked += ", less a lag of " + clock.Words(a.CopyLag)
	}
	t.item("as of", asked)
	if a.LookedUp != nil {
		t.item("looked up", a.LookedUp.String()+" on the server's clock")
	}
	committed := "its commit time is not known, so _commit_ts is NULL"
	if a.CommitTS != nil {
		committed = "committed " + a.CommitTS.String()
	}
	t.item("L", a.L.String()+", "+committed)
	if a.Record != nil && *a.Record != a.L {
		t.item("", "earlier than the plain rule's "+a.Record.String()+": pass this LSN to every later call")
	}
}

// columns lists the columns that are not taken as they are, then counts the rest.
func columns(t text, p engine.Plan) {
	t.line("  columns    %d", len(p.Columns.Columns))
	same := 0
	for _, c := range p.Columns.Columns {
		from, how, plain := engine.HowMade(c)
		if plain && len(p.Preview.Report.Columns[c.Target.Name].Effects) == 0 {
			same++
			continue
		}
		t.paragraphFirst("    ", "        ", fmt.Sprintf("%-16s %s -> %s  %s", c.Target.Name, from, c.Target.Type, how))
		effects(t, p.Preview.Report.Columns[c.Target.Name])
	}
	if same > 0 {
		t.line("    %s", verdict.Plural(same, "more column, taken as it is", "more columns, taken as they are"))
	}
	if len(p.Columns.LeftOut) > 0 {
		t.paragraphFirst("    ", "        ", "left out: "+strings.Join(p.Columns.LeftOut, ", "))
	}
	if p.State != engine.AlreadySeeded {
		questions(t, p)
	}
	looked := "file footers"
	if p.Preview.Rows > 0 {
		looked = verdict.Plural(p.Preview.Rows, "row", "rows")
		if p.Preview.Depth != engine.CheckAll {
			looked = Sampled(p.Preview.Rows, p.Copy.Rows, p.Preview.Files, p.Copy.Files) + "; --check all looks at every one"
		}
	}
	t.line("    looked at %s", looked)
	ways(t, p)
	keys(t, p)
}

// questions are the casts that still need an answer. A seed that is in the
// target asks nothing: its columns were answered when it was made.
func questions(t text, p engine.Plan) {
	for _, q := range p.Columns.OpenWith(p.Preview.Report) {
		t.paragraphFirst("    open  ", "          ", q.Text+"; answer with "+q.Option())
		for _, s := range q.Samples {
			t.paragraphFirst("          ", "          ", fmt.Sprintf("%s -> %s (%s)", s.Before, s.After, s.Where()))
		}
	}
}

// Sampled says how much of a copy a sample is: "50,000 of 2,000,000 rows in 4 of 40 files".
func Sampled(rows, ofRows int64, files, ofFiles int) string {
	return fmt.Sprintf("%s of %s in %s of %s", verdict.Count(rows), verdict.Plural(ofRows, "row", "rows"), verdict.Count(int64(files)), verdict.Plural(ofFiles, "file", "files"))
}

func effects(t text, r cast.ColumnReport) {
	if line := engine.CountLine(r); line != "" {
		t.paragraphFirst("        ", "          ", line)
	}
	for _, line := range engine.EffectLines(r) {
		t.paragraphFirst("        ", "          ", line)
	}
	if line := engine.ShownLine(r); line != "" {
		t.paragraphFirst("        ", "          ", line)
	}
}
