package main

import (
	"context"
	"fmt"
	"strings"

	"cdcseed/engine"
	"cdcseed/engine/bronze"
	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

// demoResult is the last line of demo --json.
type demoResult struct {
	engine.Result
	Plan   engine.Plan `json:"plan"` // whole, where a seed's result has the digest
	Proof  proof       `json:"proof"`
	Dir    string      `json:"dir"`
	Judged judged      `json:"judged"`
}

// judged is what other readers of the target need to know to check it: the
// description that the judges in engine/interop take.
type judged struct {
	LSN        lsn.LSN      `json:"lsn"`
	CommitText string       `json:"commit_ts"` // UTC, three fraction digits
	Rows       int64        `json:"rows"`
	AppID      string       `json:"app_id"`
	Instance   string       `json:"capture_instance"`
	Columns    string       `json:"columns"`     // the captured ones as Spark's DDL
	TargetText string       `json:"target_text"` // as the facts row has it
	AsOfTimes  []string     `json:"as_of_times"` // times that map to L where the source's clock is UTC, as the judges' is
	CommandID  bool         `json:"include_command_id"`
	Source     judgedSource `json:"source"`
}

type judgedSource struct {
	Keys     []string       `json:"keys"`
	MinLSN   lsn.LSN        `json:"min_lsn"`
	Timeline []judgedCommit `json:"timeline"` // in the order of the log
}

type judgedCommit struct {
	LSN     lsn.LSN `json:"lsn"`
	At      string  `json:"at"`                // UTC, three fraction digits
	Changes []image `json:"changes,omitempty"` // of the demo's table
}

// describe is the seed for the judges.
func (d *demo) describe(ctx context.Context, s *engine.Session, r engine.Request, plan engine.Plan, rows int64) (judged, error) {
	m, err := s.MapAsOf(ctx, r)
	if err != nil {
		return judged{}, err
	}
	j := judged{
		LSN: plan.AsOf.L, Rows: rows, AppID: r.AppID, Instance: plan.Table.Instance, TargetText: r.TargetName,
		AsOfTimes: []string{}, CommandID: true,
	}
	if m.Used != nil {
		j.AsOfTimes = append(j.AsOfTimes, m.Used.String())
	}
	if m.CommitTS != nil {
		j.CommitText = m.CommitTS.CommitText()
	}
	var ddl []string
	for _, c := range plan.Columns.Columns {
		ddl = append(ddl, c.Target.Name+" "+c.Target.Type.String())
		if c.Target.Key {
			j.Source.Keys = append(j.Source.Keys, c.Target.Name)
		}
	}
	j.Columns = strings.Join(ddl, ", ")
	j.Source.MinLSN = m.Kept.Low
	j.Source.Timeline, err = d.timeline(m)
	return j, err
}

// timeline is the source's log since the oldest position that is kept.
func (d *demo) timeline(m engine.Mapping) ([]judgedCommit, error) {
	var out []judgedCommit
	if m.Kept.LowTime != nil {
		out = append(out, judgedCommit{LSN: m.Kept.Low, At: m.Kept.LowTime.CommitText()})
	}
	commits, err := d.commits()
	if err != nil {
		return nil, err
	}
	low := fakeserver.LSN(m.Kept.Low)
	rows := d.statusesAt(&low)
	for _, c := range commits {
		next := judgedCommit{LSN: lsn.LSN(c.LSN), At: clock.Of(c.at).CommitText()}
		for _, change := range c.Changes {
			images, err := rows.apply(change)
			if err != nil {
				return nil, err
			}
			next.Changes = append(next.Changes, images...)
		}
		out = append(out, next)
	}
	return out, nil
}

// introduce tells the story, and the command that asks for the same.
func (d *demo) introduce(r engine.Request) {
	d.say(`The demo's world: a SQL Server in W. Europe, in this process. On 25 October
2026 its clock went from 03:00 back to 02:00. A copy of %s began at
%s, when that clock showed 02:40 for the first of two times.

Same as:
%s
`, r.Table, r.AsOf, indented(commandLines("seed", r.Args())))
}

// conclude tells what came of it.
func (d *demo) conclude(r engine.Request, res demoResult) error {
	if d.json {
		d.lines().put("result", res)
		return d.lines().err
	}
	d.say("")
	var b strings.Builder
	report.Result(&b, res.Result)
	p := res.Proof
	fmt.Fprintf(&b, `
Proof, read back from %s:
  rows       %s with operation %d at L; the copy has %s
  version    %d
  facts      %s of app id %s, event %s
  up to L    %s in the source, all of them in the copy
  after L    %s with %s, for the stream to read;
             %s in the copy too and only read again
  replayed   over the seeded rows, those changes give exactly the
             %s rows that the source has now (OrderId, StatusCode)
`, r.TargetName,
		verdict.Count(p.Rows), bronze.OperationSnapshot, verdict.Count(p.CopyRows), p.Version,
		verdict.Plural(p.FactsRows, "row", "rows"), r.AppID, bronze.EventBootstrap,
		verdict.Plural(p.ToL, "commit", "commits"),
		verdict.Plural(p.AfterL, "commit", "commits"), verdict.Plural(p.Changes, "change", "changes"),
		verdict.Plural(p.Again, "commit is", "commits are"), verdict.Count(p.SourceRows))
	if d.kept {
		fmt.Fprintf(&b, `
Everything is in %s
To go on with it, serve the same world:
  cdcseed fake --world %s --listen %s
and in another terminal, with CDCSEED_PASSWORD='%s':
%s
`, d.dir, demoWorld, d.server.Addr(), d.world.Logins[0].Password, indented(commandLines("seed", r.Args())))
	} else {
		b.WriteString(`
All of it was in a temporary folder that is removed now.
To keep it and look inside:  cdcseed demo --dir demo
`)
	}
	return d.write(b.String())
}

// commandLines is engine.Command over several lines, none of them wider than
// a terminal where an argument allows it; a POSIX shell takes them as one.
func commandLines(name string, args []string) []string {
	lines := []string{strings.TrimSpace("cdcseed " + name)}
	for i := 0; i < len(args); i++ {
		words := args[i : i+1]
		if i+1 < len(args) && !strings.HasPrefix(args[i+1], "--") {
			words = args[i : i+2]
			i++
		}
		next := strings.TrimPrefix(engine.Command(name, words), "cdcseed "+name+" ")
		if last := len(lines) - 1; len(lines[last])+1+len(next) <= commandWidth {
			lines[last] += " " + next
		} else {
			lines = append(lines, next)
		}
	}
	return lines
}

// commandWidth leaves room for indents and a backslash in 80 columns.
const commandWidth = 70

func indented(lines []string) string { return "  " + strings.Join(lines, " \\\n    ") }
