package engine

import (
	"cmp"
	"context"
	"slices"
	"time"

	"cdcseed/engine/clock"
	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
)

// Diagnosis is what a seed would meet at a server, a table, a copy and a target,
// as far as it was asked for. It holds no secret and no value of a row.
type Diagnosis struct {
	Tool     string        `json:"tool"`    // program and version that made it
	MadeAt   clock.Instant `json:"made_at"` // on this machine's clock
	Args     []string      `json:"args"`    // the command line that asked, without secrets
	Sections []Section     `json:"sections"`
	Stream   string        `json:"stream,omitempty"` // what the target's stream can no longer do, though it stops no seed: a clause; empty where nothing is known against it
}

// Section is what was found of one thing, in the order in which it was asked.
type Section struct {
	Name     string    `json:"name"` // connection, clock, cdc, permissions, retention, tables, copy, target, as_of or reseed
	Findings []Finding `json:"findings"`
}

// Finding is one line of a diagnosis. At the level verdict.Stop it is why a seed
// would be refused.
type Finding struct {
	verdict.Check
	About string       `json:"about,omitempty"` // the capture instance that it is about, where there are several
	Cause verdict.Code `json:"cause,omitempty"` // set exactly at the level stop: as the refusal of a seed names it
	Do    []string     `json:"do,omitempty"`    // what to do about it: sentences or commands, best first
}

// DiagnoseOptions are what a diagnosis takes beside the request.
type DiagnoseOptions struct {
	Tool     string           // program and version that the diagnosis records
	Password string           // of the login; it travels beside the request
	Now      func() time.Time // this machine's clock
	Prompt   func(string)     // see Open; may be nil
	Limit    time.Duration    // for one question to the server; half a minute when 0. Copies and targets have twenty times as long
}

// defaultLimit is how long one question may take.
const defaultLimit = 30 * time.Second

// placeLimits is how many times as long as a question a copy or a target may
// take: a copy of many files has as many footers.
const placeLimits = 20

// mapLimits is the same of as_of, for which the times of many commits may be read.
const mapLimits = 4

// Diagnose runs the checks of a seed as far as r names what they are about, and
// writes nothing anywhere. A check that is refused, breaks or takes too long is a
// finding and never the end. Errors are verdict.Usage where r contradicts itself,
// and verdict.Stopped, beside what was found before it.
func Diagnose(ctx context.Context, r Request, o DiagnoseOptions) (Diagnosis, error) {
	o.Limit = cmp.Or(o.Limit, defaultLimit)
	d := &doctor{request: r, options: o}
	d.out = Diagnosis{Tool: o.Tool, MadeAt: clock.Of(o.Now()), Args: r.WithoutSecrets().Args(), Sections: []Section{}}
	if err := d.connect(ctx); err != nil {
		return d.out, err
	}
	if d.session != nil {
		defer d.session.Close()
	}
	for _, part := range []struct {
		name string
		look func(context.Context) []Finding
	}{
		{"clock", d.lookAtClock},
		{"cdc", d.lookAtCDC},
		{"permissions", d.lookAtRights},
		{"tables", d.lookAtTables},
		{"retention", d.lookAtRetention},
		{"copy", d.lookAtCopy},
		{"target", d.lookAtTarget},
		{"as_of", d.lookAtAsOf},
		{"reseed", d.lookAtReseed},
	} {
		d.section(part.name, part.look(ctx))
		if ctx.Err() != nil {
			return d.out, stoppedInspecting(ctx, ctx.Err())
		}
	}
	return d.out, nil
}

// doctor is a diagnosis in the making.
type doctor struct {
	request Request
	options DiagnoseOptions
	out     Diagnosis
	session *Session // nil where there is no connection
	stuck   string   // the question that never came back: it keeps the connection
	grace   time.Duration

	here   clock.Instant          // this machine's clock when the server's was read
	clock  *sqlserver.ServerClock // nil where it could not be read
	on     bool                   // CDC is on in the database
	rights sqlserver.Rights
	reads  []optionalRead // what a seed does not need, and whether it was answered
	set    *time.Duration // what the cleanup job keeps; nil where unknown
	noJob  bool           // there is no cleanup job

	tables  []Table // those that the login may use
	table   *TableView
	noTable error // why the table that was named could not be read
	windows []window
	copy    CopyView
	target  TargetView
	asOf    AsOfView
	refused error // why as_of has no L that could be used
}

// section adds what was found under a name; nothing where nothing was asked.
func (d *doctor) section(name string, found []Finding) {
	if len(found) > 0 {
		d.out.Sections = append(d.out.Sections, Section{Name: name, Findings: found})
	}
}

// Count is how many findings have a level.
func (d Diagnosis) Count(level verdict.Level) int {
	n := 0
	for _, s := range d.Sections {
		for _, f := range s.Findings {
			if f.Level == level {
				n++
			}
		}
	}
	return n
}

// worst orders exit statuses by how little else matters beside them: what
// cannot be reached was not looked at, and a copy that is too old is of no use
// whatever else is put right.
var worst = [...]int{
	verdict.ExitUnreachable, verdict.ExitNotKept, verdict.ExitForeign, verdict.ExitRefused, verdict.ExitStale, verdict.ExitUsage, verdict.ExitUnexpected,
}

// Exit is the program's exit status: 0 where nothing would stop a seed, else that
// of the worst cause.
func (d Diagnosis) Exit() int {
	found := map[int]bool{}
	for _, s := range d.Sections {
		for _, f := range s.Findings {
			if f.Level == verdict.Stop {
				found[f.Cause.Exit()] = true
			}
		}
	}
	if i := slices.IndexFunc(worst[:], func(exit int) bool { return found[exit] }); i >= 0 {
		return worst[i]
	}
	if len(found) > 0 {
		return verdict.ExitRefused
	}
	return verdict.ExitDone
}

// Holds tells whether a local path lies inside one of the places that r names, and which.
func (r Request) Holds(path string) (what string, inside bool) {
	p := Plan{Copy: CopyPlan{URL: r.Copy}, Target: TargetPlan{URL: r.Target}}
	if r.Facts != "" {
		p.Facts = &FactsPlan{URL: r.Facts}
	}
	return p.Holds(path)
}
