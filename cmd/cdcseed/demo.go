package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"cdcseed/engine"
	"cdcseed/engine/report"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

// demoWorld is the built-in world of the demo, and of fake where none is named.
const demoWorld = "orders-clock-change"

// The demo's story: the copy began while the server's clock showed 02:40 for
// the first of two times.
const (
	demoAsOf     = "2026-10-25T00:40:00Z"
	demoDatabase = "Sales"
	demoSchema   = "dbo"
	demoTable    = "Orders"
	demoAppID    = "orders-v1"
	demoName     = "bronze.orders"
)

// demoOptions are the flags of demo.
type demoOptions struct {
	yes     bool
	plain   bool
	dir     string
	control string
}

func (a *app) demo() *cobra.Command {
	var o demoOptions
	c := &cobra.Command{
		Use:   "demo",
		Short: "Seed a sample copy from a fake server, with nothing to set up",
		Long: `Starts a fake SQL Server in this process, whose clock was set back on
25 October 2026, writes a sample copy that began in the hour which that clock
showed twice, and seeds a new bronze table from it, the same way as seed does.
Then it reads the table back and proves what it wrote.

At a terminal it opens the wizard with all answers filled in. With --yes, or
without a terminal, it asks nothing.

Without --dir everything is in a temporary folder that is removed at the end.
With --dir it stays: DIR/copy, DIR/bronze/orders, DIR/ops/facts and, for plans,
DIR/state. A second run in the same folder finds the seed and writes nothing.`,
		Args: noArgs,
	}
	c.Flags().BoolVar(&o.yes, "yes", false, "ask nothing; without a terminal nothing is asked anyway")
	addPlain(c, &o.plain)
	a.addASCII(c)
	c.Flags().StringVar(&o.dir, "dir", "", "keep everything in `DIR`")
	c.Flags().StringVar(&o.control, "control", "", "loopback `ADDRESS` at which the fake server takes requests: faults, cleanup, commits (docs/fakeserver.md)")
	c.RunE = func(c *cobra.Command, _ []string) error { return a.runDemo(c.Context(), o) }
	return c
}

func (a *app) runDemo(ctx context.Context, o demoOptions) (err error) {
	outliveReaders() // to the end of the program, or the temporary folder would stay
	dir := o.dir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "cdcseed-demo-"); err != nil {
			return err
		}
		defer func() {
			if gone := os.RemoveAll(dir); err == nil {
				err = gone
			}
		}()
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	d, err := a.startDemo(dir, o.control)
	if err != nil {
		return err
	}
	defer func() {
		if closed := d.server.Close(); err == nil {
			err = closed
		}
	}()
	d.kept = o.dir != ""
	d.person = a.terminal && !o.yes && !a.json
	if d.how = a.manner(o.plain); o.yes || a.json || a.screen == nil && !o.plain && !a.on("CDCSEED_PLAIN") {
		d.how = askNobody // beside the one question to whoever reads messages
	}
	return d.run(ctx)
}

// demo is one run of the demo. Its app lives in the world's time: the world
// stands in October 2026, whatever this machine's clock says.
type demo struct {
	*app
	world  *fakeserver.World
	server *fakeserver.Server
	dir    string
	kept   bool   // the folder stays
	person bool   // one confirms
	how    manner // in which one is led through the wizard; askNobody for not at all
}

func (a *app) startDemo(dir, control string) (*demo, error) {
	world, err := fakeserver.Named(demoWorld)
	if err != nil {
		return nil, err
	}
	world.Server.Clock = "ticking"
	server, err := fakeserver.Start(world, fakeserver.Options{Clock: a.now, Control: control})
	if err != nil {
		return nil, err
	}
	inside := *a
	inside.now = server.Now
	inside.env = func(name string) (string, bool) {
		if name == "CDCSEED_STATE" {
			return filepath.Join(dir, "state"), true
		}
		return a.env(name)
	}
	return &demo{app: &inside, world: world, server: server, dir: dir}, nil
}

func (d *demo) run(ctx context.Context) error {
	began, err := d.beganAt()
	if err != nil {
		return err
	}
	if err := d.copy(ctx, began); err != nil {
		return err
	}
	r := d.request()
	d.introduce(r)
	if err := r.Validate(); err != nil {
		return err
	}
	if d.how != askNobody {
		r.Accept = nil // a person reads each warning
		return d.asking(ctx, r, began)
	}
	stores, err := engine.OpenStores(r)
	if err != nil {
		return err
	}
	session, err := engine.Open(ctx, r, d.world.Logins[0].Password, d.now, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	plan, err := engine.Build(ctx, session, stores.Readers(), r, d.buildOptions())
	if err != nil {
		return err
	}
	kept, err := d.keepPlan(plan, "")
	if err != nil {
		return err
	}
	if plan.Refusal() != nil {
		return d.showPlan(plan, kept)
	}
	if err := d.agree(ctx, plan); err != nil {
		return err
	}
	result, err := engine.Execute(ctx, plan, session, stores, d.event())
	if err != nil {
		return err
	}
	p, err := d.prove(ctx, plan, stores, began)
	if err != nil {
		return err
	}
	j, err := d.describe(ctx, session, r, plan, p.Rows)
	if err != nil {
		return err
	}
	if err := d.conclude(r, demoResult{Result: result, Plan: plan, Proof: p, Dir: d.dir, Judged: j}); err != nil {
		return &verdict.Error{Code: verdict.Unexpected, What: "the result could not be printed", Wrote: "The seed is in the target.", Err: err}
	}
	return nil
}

// agree shows the plan and has a person confirm it, where one is there.
func (d *demo) agree(ctx context.Context, plan engine.Plan) error {
	if d.json {
		return nil
	}
	report.Plan(d.err, plan)
	if !d.person || plan.State != engine.Ready {
		d.say("")
		return nil
	}
	err := d.confirm(ctx, plan, "")
	if errors.Is(err, verdict.Usage) { // its hint is a flag of seed
		verdict.As(err).Hint = []string{"Run the demo again and type " + plan.Table.String() + ", or add --yes."}
	}
	return err
}

// beganAt is the newest commit when the copy began.
func (d *demo) beganAt() (fakeserver.LSN, error) {
	at, err := time.Parse(time.RFC3339, demoAsOf)
	if err != nil {
		return fakeserver.LSN{}, err
	}
	commits, err := d.commits()
	if err != nil {
		return fakeserver.LSN{}, err
	}
	var newest fakeserver.LSN
	for _, c := range commits {
		if !c.at.After(at) {
			newest = c.LSN
		}
	}
	return newest, nil
}

// copy writes the sample copy: the table's rows as they were when it began.
func (d *demo) copy(ctx context.Context, began fakeserver.LSN) error {
	columns, rows := d.server.Rows(demoDatabase, demoSchema, demoTable, (*[10]byte)(&began))
	at, err := time.Parse(time.RFC3339, demoAsOf)
	if err != nil {
		return err
	}
	return unwritable(sampleCopy{dir: d.path("copy"), source: columns, rows: rows, written: at.Add(time.Minute)}.write(ctx))
}

// unwritable gives a store's answer its code. An error that has one already stays.
func unwritable(err error) error {
	var known *verdict.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	e := &verdict.Error{
		Code: verdict.StoreUnreachable, What: "writing the sample copy did not work", Err: err,
		Hint: []string{"Give --dir a folder on a local disk that this user may write."},
	}
	switch {
	case errors.Is(err, store.ErrDenied):
		e.Code = verdict.StoreDenied
	case errors.Is(err, store.ErrFull):
		e.Code = verdict.StoreFull
	}
	return e
}

// path is a place in the demo's folder.
func (d *demo) path(parts ...string) string { return filepath.Join(slices.Insert(parts, 0, d.dir)...) }

// request is what a person would have asked for.
func (d *demo) request() engine.Request {
	return engine.Request{
		Server: "sqlserver://" + d.server.Addr() + "?encrypt=disable", Database: demoDatabase, User: d.world.Logins[0].Name,
		Table: demoSchema + "." + demoTable,
		Copy:  d.path("copy"), Target: d.path("bronze", "orders"), TargetName: demoName,
		Facts: d.path("ops", "facts"), AppID: demoAppID,
		AsOf:         demoAsOf,
		Cast:         map[string]string{"Shipping": "round", "Amount": "stop"},
		CopyTimeZone: "UTC",
		OnStop:       "remove",
		Accept:       []string{string(verdict.FellBack)},
	}
}
