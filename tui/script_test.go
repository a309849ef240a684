package tui

import (
	"context"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// script is an engine whose answers are written down. A test changes what its
// scene needs; every answer comes at once.
type script struct {
	source     engine.SourceView
	sourceErr  error
	tables     []engine.Table
	tablesErr  error
	uncaptured []string
	uncapErr   error
	tableOf    func(name string) (engine.TableView, error) // instead of table, where it is set
	footers    func(progress func(done, total int))        // while the copy is looked at
	table      engine.TableView
	tableErr   error
	copy       engine.CopyView
	copyErr    error
	target     engine.TargetView
	targetErr  error
	readings   []engine.ReadingView
	readErr    error
	asOf       engine.AsOfView
	asOfErr    error
	columns    engine.ColumnsView
	columnsErr error
	plan       engine.Plan
	planErr    error
	keepErr    error

	builds int
	asked  []engine.Request // of every call that takes one, in order
	named  []string         // tables that were looked at, in order
}

func (s *script) Connect(_ context.Context, r engine.Request, _ string) (engine.SourceView, error) {
	s.asked = append(s.asked, r)
	return s.source, s.sourceErr
}

func (s *script) Tables(context.Context) ([]engine.Table, error) { return s.tables, s.tablesErr }
func (s *script) Uncaptured(context.Context) ([]string, error)   { return s.uncaptured, s.uncapErr }
func (s *script) Table(_ context.Context, name string) (engine.TableView, error) {
	s.named = append(s.named, name)
	if s.tableOf != nil {
		return s.tableOf(name)
	}
	return s.table, s.tableErr
}

func (s *script) Copy(_ context.Context, r engine.Request, progress func(done, total int)) (engine.CopyView, error) {
	s.asked = append(s.asked, r)
	if s.footers != nil {
		s.footers(progress)
	}
	return s.copy, s.copyErr
}

func (s *script) Target(_ context.Context, r engine.Request) (engine.TargetView, error) {
	s.asked = append(s.asked, r)
	return s.target, s.targetErr
}

func (s *script) Readings(context.Context, string, *time.Location) ([]engine.ReadingView, error) {
	return s.readings, s.readErr
}

func (s *script) AsOf(_ context.Context, r engine.Request, _ engine.CopyView, _ engine.TargetView) (engine.AsOfView, error) {
	s.asked = append(s.asked, r)
	return s.asOf, s.asOfErr
}

func (s *script) Columns(_ context.Context, r engine.Request, _ engine.CopyView, _ engine.TargetView, _ bool, _ func(done, total int64)) (engine.ColumnsView, error) {
	s.asked = append(s.asked, r)
	return s.columns, s.columnsErr
}

func (s *script) Build(_ context.Context, r engine.Request, _ func(engine.Event)) (engine.Plan, error) {
	s.builds++
	s.asked = append(s.asked, r)
	return s.plan, s.planErr
}

func (s *script) Execute(context.Context, engine.Plan, engine.Request, func(engine.Event)) (engine.Result, error) {
	panic("the play starts no seed")
}

// at is an instant by its text.
func at(text string) clock.Instant {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return clock.Of(t)
}

func atp(text string) *clock.Instant { i := at(text); return &i }

func position(text string) lsn.LSN {
	l, err := lsn.Parse(text)
	if err != nil {
		panic(err)
	}
	return l
}

func ptr[T any](v T) *T { return &v }

// orders is the story of a table too big for a snapshot, whose copy began in
// the hour that the server's clock showed twice.
func orders() *script {
	const kept = 72 * time.Hour
	columns := make([]string, 14)
	table := engine.Table{Schema: "dbo", Name: "Orders", ObjectID: 7, Rows: ptr(int64(2_130_000_000))}
	table.Instances = append(table.Instances, instanceOf("dbo_Orders", "2026-03-02T08:14:00Z", len(columns)))
	return &script{
		source: engine.SourceView{
			Identity: engine.Identity{Server: "sqlprod07", Database: "Sales", Login: "svc_cdc_ro", ProductVersion: "16.0.4135.4", ProductMajor: 16, Edition: "Enterprise Edition"},
			Clock:    "W. Europe Standard Time", Now: at("2026-10-26T21:14:30Z"), Oldest: atp("2026-10-23T21:10:07Z"), Newest: atp("2026-10-26T21:14:26Z"),
			Retention: ptr(kept),
			Checks: []verdict.Check{
				verdict.Okay("connected: SQL Server 2022 (16.0.4135.4) on sqlprod07"),
				verdict.Okay("CDC is on for Sales; newest captured commit is 4 s old"),
				verdict.Okay("clock: W. Europe Standard Time, now UTC+01:00, 0.3 s off this machine"),
				verdict.Noted("cleanup setting not readable by this login; oldest kept commit is 3 d 4 m old", ""),
			},
		},
		tables: []engine.Table{table},
		table:  engine.TableView{Table: table, Instance: "dbo_Orders", Key: []string{"order_id bigint"}},
	}
}

// ordersRequest are answers that fit the story.
func ordersRequest() engine.Request {
	return engine.Request{
		Server: "sqlprod07.corp.local,1433", Database: "Sales", User: "svc_cdc_ro", Table: "dbo.Orders",
		Copy: "/lake/sales/orders", Target: "/lake/bronze/orders", TargetName: "bronze.orders",
		Facts: "/lake/ops/ingestion_facts", AppID: "orders-v1", AsOf: "2026-10-25T00:40:00Z",
	}
}

func instanceOf(name, created string, columns int) schema.Instance {
	c := at(created).Time()
	in := schema.Instance{Name: name, StartLSN: ptr(position("0x00000020000001F40001")), Created: clock.WallOf(c), Key: []string{"order_id"}}
	for range columns {
		in.Columns = append(in.Columns, schema.Column{Name: "c" + verdict.Count(len(in.Columns))})
	}
	return in
}
