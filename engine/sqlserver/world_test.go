package sqlserver_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"cdcseed/engine/asof"
	"cdcseed/engine/schema"
	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

// situation is a server with one captured table, dbo.orders, as the cases
// describe one. LSNs are short: "0100" stands for 0x and 20 digits.
type situation struct {
	zone      string // a Windows name; UTC when empty
	offset    *int   // instead of a zone, in minutes
	version   string // 16.0.4125.3 when empty
	now       string // UTC
	instances []instance
	mapping   []row
	readOnly  bool
	azure     bool
	byLSN     bool // the other reading of fn_cdc_map_time_to_lsn
	retention int64
	user      *fakeserver.User // nil: may read dbo
	faults    []fakeserver.Fault
	noCDC     bool
	steps     func(*testing.T, *fakeserver.Server)
}

type instance struct{ name, start, created string }

type row struct{ lsn, local string }

func short(t *testing.T, s string) fakeserver.LSN {
	t.Helper()
	l, err := fakeserver.ParseLSN("0x" + s)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func (s situation) world(t *testing.T) *fakeserver.World {
	t.Helper()
	now, err := time.Parse(time.RFC3339, s.now)
	if err != nil {
		t.Fatal(err)
	}
	set := fakeserver.ServerSettings{ProductVersion: s.version, TimeZone: s.zone, OffsetMinutes: s.offset, Now: now, ReadOnly: s.readOnly}
	if s.version == "" {
		set.ProductVersion = "16.0.4125.3"
	}
	if s.zone == "" && s.offset == nil {
		set.TimeZone = "UTC"
	}
	if s.azure {
		set.EngineEdition, set.ProductVersion = 5, "12.0.2000.8"
	}
	if s.byLSN {
		set.MapTime = "by_lsn"
	}
	d := fakeserver.Database{Name: "Sales", CDC: !s.noCDC, Tables: []fakeserver.Table{{
		Name: "orders", PrimaryKey: []string{"id"},
		Columns: []fakeserver.Column{{Name: "id", Type: "int"}, {Name: "status", Type: "varchar(10)", Nullable: true}},
	}}}
	if s.retention > 0 {
		d.Cleanup = &fakeserver.CleanupJob{RetentionMinutes: s.retention}
	}
	for _, in := range s.instances {
		x := fakeserver.Instance{Name: in.name, Table: "dbo.orders", Created: in.created}
		if in.start != "" {
			l := short(t, in.start)
			x.Start = &l
		}
		d.Instances = append(d.Instances, x)
	}
	for _, r := range s.mapping {
		d.Mapping = append(d.Mapping, fakeserver.MappingRow{LSN: short(t, r.lsn), LocalTime: r.local})
	}
	user := fakeserver.User{Database: "Sales", Select: []fakeserver.Grant{{On: "dbo"}}}
	if s.user != nil {
		user = *s.user
	}
	return &fakeserver.World{
		Format: 1, Server: set, Databases: []fakeserver.Database{d}, Faults: s.faults,
		Logins: []fakeserver.Login{
			{Name: "reader", Password: "Secret-42!", DefaultDatabase: "Sales", Users: []fakeserver.User{user}},
			{Name: "owner", Password: "Secret-42!", SysAdmin: true},
		},
	}
}

// start serves the situation and connects the package to it.
func (s situation) start(t *testing.T) (*fakeserver.Server, *sqlserver.Source) {
	t.Helper()
	srv := serve(t, s.world(t))
	if s.steps != nil {
		s.steps(t, srv)
	}
	return srv, connect(t, srv)
}

func serve(t *testing.T, w *fakeserver.World) *fakeserver.Server {
	t.Helper()
	srv, err := fakeserver.Start(w, fakeserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { srv.Close() })
	return srv
}

func options(t *testing.T, srv *fakeserver.Server) sqlserver.Options {
	t.Helper()
	o, err := sqlserver.ParseURL(srv.URL())
	if err != nil {
		t.Fatal(err)
	}
	o.RetryDelay = time.Millisecond
	return o
}

func connect(t *testing.T, srv *fakeserver.Server) *sqlserver.Source {
	t.Helper()
	src, err := sqlserver.Open(t.Context(), options(t, srv))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return src
}

// mapped is what a person gets who types as_of for dbo_orders.
func mapped(ctx context.Context, src *sqlserver.Source, asOf, zone string, o sqlserver.MapOptions) (sqlserver.Mapping, error) {
	in, err := asof.Parse(asOf)
	if err != nil {
		return sqlserver.Mapping{}, err
	}
	c, err := src.Clock(ctx, zone)
	if err != nil {
		return sqlserver.Mapping{}, err
	}
	table, _, err := src.Table(ctx, "dbo.orders")
	if errors.Is(err, verdict.InstanceAmbiguous) {
		var all []schema.Table
		if all, err = src.Tables(ctx); err == nil {
			table = all[0]
		}
	}
	if err != nil {
		return sqlserver.Mapping{}, err
	}
	return src.MapAsOf(ctx, c.Clock, table, in, o)
}

// refused fails unless err is a refusal for want that says something to do and
// mentions every one of says.
func refused(t *testing.T, err error, want verdict.Code, says ...string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got %v, want %s", err, want)
	}
	e := verdict.As(err)
	if len(e.Hint) == 0 {
		t.Errorf("%s has no hint", want)
	}
	all := err.Error() + " " + e.Why
	for _, h := range e.Hint {
		all += " " + h
	}
	for _, s := range says {
		if !strings.Contains(all, s) {
			t.Errorf("%q does not mention %q", all, s)
		}
	}
	if strings.Contains(all, "Secret-42!") {
		t.Errorf("the password is in %q", all)
	}
}

// lsnText is the normal form of a short LSN.
func lsnText(short string) string { return "0x" + strings.Repeat("0", 20-len(short)) + short }

// codes joins the warnings of a mapping, in order.
func codes(m sqlserver.Mapping) string {
	var out []verdict.Warning
	for _, c := range m.Checks {
		if c.Level == verdict.Warn {
			out = append(out, c.Code)
		}
	}
	return join(out)
}

func join(list []verdict.Warning) string {
	var out []string
	for _, w := range list {
		out = append(out, string(w))
	}
	return strings.Join(out, " ")
}

func localText(m sqlserver.Mapping) string {
	if m.UsedLocal == nil {
		return ""
	}
	return m.UsedLocal.String()
}

func commitText(m sqlserver.Mapping) string {
	if m.CommitTS == nil {
		return ""
	}
	return m.CommitTS.String()
}
