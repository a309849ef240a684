package sqlserver_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cdcseed/engine/lsn"
	"cdcseed/engine/schema"
	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

func yes(b bool) *bool { return &b }

// types is a table with every kind of column that a type's length or scale matters for.
func types(t *testing.T) *fakeserver.World {
	t.Helper()
	w := purgedCopy.world(t)
	d := &w.Databases[0]
	d.Tables = append(d.Tables, fakeserver.Table{Schema: "sales", Name: "Types", PrimaryKey: []string{"Id", "Code"}, Columns: []fakeserver.Column{
		{Name: "Id", Type: "bigint", ID: 1},
		{Name: "Code", Type: "char(6)", ID: 3},
		{Name: "Amount", Type: "decimal(18,4)", ID: 4, Nullable: true},
		{Name: "At", Type: "datetime2(3)", ID: 5},
		{Name: "Note", Type: "nvarchar(max)", ID: 6, Nullable: true},
		{Name: "Name", Type: "nvarchar(100)", ID: 7},
		{Name: "Raw", Type: "binary(4)", ID: 8, AnsiPadded: yes(false), Nullable: true},
		{Name: "Pickup", Type: "time(7)", ID: 9},
		{Name: "Qty", Type: "int", ID: 10},
		{Name: "Total", Type: "int", ID: 11, Computed: "[Qty] * [Qty]"},
		{Name: "Version", Type: "rowversion", ID: 12},
		{Name: "Seen", Type: "datetime", ID: 13},
	}})
	start := short(t, "0100")
	d.Instances = append(d.Instances, fakeserver.Instance{
		Name: "sales_Types", Table: "sales.Types", Start: &start, Created: "2026-02-01T10:00:00",
		Columns: []string{"Id", "Code", "Amount", "At", "Note", "Name", "Raw", "Pickup", "Qty", "Total", "Version", "Seen"},
	})
	d.Tables = append(d.Tables, fakeserver.Table{Name: "plain", Columns: []fakeserver.Column{{Name: "id", Type: "int"}}})
	w.Logins[0].Users[0].Select = append(w.Logins[0].Users[0].Select, fakeserver.Grant{On: "sales"})
	return w
}

func TestTableReadsColumnsWithTheirTypes(t *testing.T) {
	src := connect(t, serve(t, types(t)))
	table, chosen, err := src.Table(t.Context(), "SALES_types")
	if err != nil || chosen != "SALES_types" || table.String() != "sales.Types" || len(table.Instances) != 1 {
		t.Fatal(table, chosen, err)
	}
	in := table.Instances[0]
	if in.Name != "sales_Types" || in.StartLSN == nil || in.StartLSN.String() != lsnText("0100") || in.Created.String() != "2026-02-01T10:00:00" ||
		!cmp.Equal(in.Key, []string{"Id", "Code"}) || table.Rows == nil || *table.Rows != 0 {
		t.Errorf("%+v", in)
	}
	want := []string{
		"Id 1 bigint", "Code 3 char(6) cp1252 padded", "Amount 4 decimal(18,4) null", "At 5 datetime2(3)", "Note 6 nvarchar(max) cp1252 padded null",
		"Name 7 nvarchar(100) cp1252 padded", "Raw 8 binary(4) null", "Pickup 9 time(7)", "Qty 10 int", "Total 11 int null computed",
		"Version 12 timestamp", "Seen 13 datetime",
	}
	var got []string
	for _, c := range in.Columns {
		s := c.Name + " " + strconv.Itoa(c.ID) + " " + c.Type.String()
		if c.Type.CodePage != 0 {
			s += " cp" + strconv.Itoa(c.Type.CodePage)
		}
		if (c.Type.Collation == "SQL_Latin1_General_CP1_CI_AS") != (c.Type.CodePage != 0) {
			t.Errorf("%s is compared by %q", c.Name, c.Type.Collation)
		}
		if c.Type.AnsiPad && c.Type.Length != 0 {
			s += " padded"
		}
		if c.Nullable {
			s += " null"
		}
		if c.Computed {
			s += " computed"
		}
		got = append(got, s)
	}
	if !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	if cols, err := schema.TargetColumns(table.Instances); err != nil || len(cols) != len(want) || !cols[0].Key || !cols[9].Computed {
		t.Error(cols, err)
	}
}

func TestTablesListsWhatTheLoginMayUse(t *testing.T) {
	w := types(t)
	src := connect(t, serve(t, w))
	all, err := src.Tables(t.Context())
	if err != nil || len(all) != 2 || all[0].String() != "dbo.orders" || all[1].String() != "sales.Types" || len(all[0].Instances[0].Columns) != 2 {
		t.Fatal(all, err)
	}
	w.Logins[0].Users[0].Select = w.Logins[0].Users[0].Select[:1]
	some, err := connect(t, serve(t, w)).Tables(t.Context())
	if err != nil || len(some) != 1 {
		t.Error(some, err)
	}
}

func TestTableRefuses(t *testing.T) {
	hidden := types(t)
	hidden.Logins[0].Users[0].Select = append(hidden.Logins[0].Users[0].Select, fakeserver.Grant{On: "sales.Types", Columns: []string{"Id"}})
	hidden.Logins[0].Users[0].Select = append(hidden.Logins[0].Users[0].Select[:1], hidden.Logins[0].Users[0].Select[2:]...)
	src := connect(t, serve(t, hidden))
	for name, want := range map[string]verdict.Code{
		"sales.Types": verdict.SourceDenied, "sales_types": verdict.SourceDenied,
		"dbo.plain": verdict.NoInstance, "dbo_nothing": verdict.NoInstance, "": verdict.NoInstance, "a\x00b": verdict.NoInstance,
	} {
		_, _, err := src.Table(t.Context(), name)
		if !errors.Is(err, want) {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
		refused(t, err, want)
	}
	_, _, err := src.Table(t.Context(), "dbo_order")
	refused(t, err, verdict.NoInstance, "similar dbo_orders")
}

// A table that is there and not captured is told from one that is not there,
// and that from one that may be hidden, as far as the server tells.
func TestWhyATableIsNotToBeHad(t *testing.T) {
	w := types(t)
	d := &w.Databases[0]
	d.Tables = append(d.Tables,
		fakeserver.Table{Name: "O'Neil", Columns: []fakeserver.Column{{Name: "id", Type: "int"}}},
		fakeserver.Table{Schema: "hidden", Name: "t", Columns: []fakeserver.Column{{Name: "id", Type: "int"}}})
	const enable = "EXEC sys.sp_cdc_enable_table @source_schema=N'dbo', @source_name=N'"
	for name, want := range map[string][]string{
		"dbo.plain": {"dbo.plain is there and is not captured", enable + "plain', @role_name=NULL"}, "DBO_PLAIN": {"dbo.plain is there and is not captured", "asked for DBO_PLAIN"},
		"[dbo].[plain]": {"dbo.plain is there"}, "dbo.O'Neil": {enable + "O''Neil'"},
		"hidden.t": {"this login sees no", "cannot be told"}, "dbo.nothing": {"this login sees no", "cannot be told"},
	} {
		_, _, err := connect(t, serve(t, w)).Table(t.Context(), name)
		refused(t, err, verdict.NoInstance, want...)
	}
	w.Logins[0].Users[0] = fakeserver.User{Database: "Sales", Roles: []string{"db_owner"}}
	src := connect(t, serve(t, w))
	_, _, err := src.Table(t.Context(), "dbo.nothing")
	refused(t, err, verdict.NoInstance, `the database has no table and no capture instance called "dbo.nothing"`)
	_, _, err = src.Table(t.Context(), "hidden.t")
	refused(t, err, verdict.NoInstance, "hidden.t is there and is not captured")
}

func TestResolve(t *testing.T) {
	tables := []schema.Table{
		{Schema: "dbo", Name: "a", Instances: []schema.Instance{{Name: "dbo_a"}}},
		{Schema: "dbo", Name: "b", Instances: []schema.Instance{{Name: "dbo_b"}, {Name: "dbo_b_v2"}}},
		{Schema: "dbo", Name: "Code", Instances: []schema.Instance{{Name: "CaseX"}}},
		{Schema: "dbo", Name: "code", Instances: []schema.Instance{{Name: "casex"}}},
		{Schema: "dbo", Name: "gone", Instances: []schema.Instance{{Name: "v2"}}},
		{Schema: "dbo", Name: "Situação", Instances: []schema.Instance{{Name: "dbo_Situação"}}},
		{Schema: "my.schema", Name: "t.t", Instances: []schema.Instance{{Name: "odd.name"}}},
	}
	for name, want := range map[string]string{
		"dbo_a": "dbo.a dbo_a", "DBO_A": "dbo.a DBO_A", "dbo.a": "dbo.a dbo_a", "DBO.A": "dbo.a dbo_a", "[dbo].[a]": "dbo.a dbo_a",
		"dbo_b": "dbo.b dbo_b", "dbo_b_v2": "dbo.b dbo_b_v2", "dbo.b": "! instance_ambiguous",
		"CaseX": "dbo.Code CaseX", "casex": "dbo.code casex", "CASEX": "! instance_ambiguous", "dbo.code": "dbo.code casex", "dbo.CODE": "! instance_ambiguous",
		"dbo_gone": "dbo.gone dbo_gone", "dbo.gone": "dbo.gone v2", "DBO_SITUAÇÃO": "dbo.Situação DBO_SITUAÇÃO",
		"odd.name": "my.schema.t.t odd.name", "[my.schema].[t.t]": "my.schema.t.t odd.name", "nobody": "! no_instance", "a": "! no_instance",
	} {
		table, chosen, err := sqlserver.Resolve(tables, name)
		got := table.String() + " " + chosen
		if err != nil {
			got = "! " + string(verdict.As(err).Code)
		}
		if got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

// The stream reads the newest instance that starts at or before the next position.
func TestNextInstance(t *testing.T) {
	at := func(n byte) *lsn.LSN { return &lsn.LSN{9: n} }
	table := schema.Table{Instances: []schema.Instance{{Name: "old", StartLSN: at(10)}, {Name: "mid", StartLSN: at(20)}, {Name: "unseen"}}}
	for l, want := range map[byte]string{5: "old", 18: "old", 19: "mid", 30: "mid"} {
		if got, err := sqlserver.NextInstance(table, *at(l)); err != nil || got.Name != want {
			t.Errorf("after %d: %s, %v; want %s", l, got.Name, err, want)
		}
	}
	if _, err := sqlserver.NextInstance(schema.Table{}, *at(1)); !errors.Is(err, verdict.NoInstance) {
		t.Error(err)
	}
}

var twoInstances = situation{
	now:       "2026-10-05T10:00:00Z",
	instances: []instance{{"dbo_orders", "0300", "2026-01-01T00:00:00"}, {"dbo_orders_v2", "0200", "2026-10-02T05:00:00"}},
	mapping:   []row{{"0100", "2026-10-02T00:00:00"}, {"0200", "2026-10-02T06:00:00"}, {"0300", "2026-10-03T06:00:00"}, {"0400", "2026-10-05T09:00:00"}},
}

// The older instance was cleaned further than the newer one, whose watermark counts.
func TestTwoInstances(t *testing.T) {
	_, src := twoInstances.start(t)
	table, chosen, err := src.Table(t.Context(), "dbo_orders_v2")
	if err != nil || chosen != "dbo_orders_v2" || len(table.Instances) != 2 || table.Instances[0].Name != "dbo_orders" {
		t.Fatal(table, chosen, err)
	}
	_, _, err = src.Table(t.Context(), "dbo.orders")
	refused(t, err, verdict.InstanceAmbiguous, "dbo_orders, dbo_orders_v2")
	m, err := mapped(t.Context(), src, "2026-10-02T06:00:00Z", "", sqlserver.MapOptions{})
	if err != nil || m.L.String() != lsnText("0200") || m.Kept.Instance != "dbo_orders_v2" || m.Kept.Low.String() != lsnText("0200") {
		t.Errorf("%+v, %v", m.Kept, err)
	}
	_, err = mapped(t.Context(), src, "2026-10-02T01:00:00Z", "", sqlserver.MapOptions{})
	refused(t, err, verdict.RetentionPassed, "oldest kept "+lsnText("0300"))
}

// Case 16: cleanup passes L between the preview and the commit.
func TestCheckKeptSeesCleanup(t *testing.T) {
	srv, src := purgedCopy.start(t)
	m, err := mapped(t.Context(), src, "2026-10-02T00:00:05Z", "", sqlserver.MapOptions{})
	if err != nil {
		t.Fatal(err)
	}
	table, _, err := src.Table(t.Context(), "dbo_orders")
	if err != nil {
		t.Fatal(err)
	}
	if k, err := src.CheckKept(t.Context(), m.Clock, table, m.L); err != nil || k.Low != m.L {
		t.Fatal(k, err)
	}
	if _, err := srv.Cleanup("Sales", short(t, "0200")); err != nil {
		t.Fatal(err)
	}
	_, err = src.CheckKept(t.Context(), m.Clock, table, m.L)
	refused(t, err, verdict.RetentionPassed, "L "+lsnText("0100"), "oldest kept "+lsnText("0200"), "2026-10-02T06:00:00Z")
	if err := srv.DropInstance("Sales", "dbo_orders"); err != nil {
		t.Fatal(err)
	}
	_, err = src.CheckKept(t.Context(), m.Clock, table, m.L)
	refused(t, err, verdict.NoInstance)
}

func TestOldestKept(t *testing.T) {
	_, src := purgedCopy.start(t)
	c, err := src.Clock(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if low, at, err := src.OldestKept(t.Context(), c.Clock, "dbo_orders"); err != nil || low.String() != lsnText("0100") || at.String() != "2026-10-02T00:00:05Z" {
		t.Error(low, at, err)
	}
	if low, at, err := src.OldestKept(t.Context(), c.Clock, "nobody"); err != nil || low != nil || at != nil {
		t.Error("the zero LSN was taken for one:", low, at, err)
	}
}

func TestRetention(t *testing.T) {
	owner := &fakeserver.User{Database: "Sales", Roles: []string{"db_owner"}}
	for name, c := range map[string]struct {
		user *fakeserver.User
		want string
	}{"an owner": {owner, "72h0m0s"}, "a reader": {nil, ""}} {
		_, src := with(purgedCopy, func(s *situation) { s.user, s.retention = c.user, 4320 }).start(t)
		got, err := src.Retention(t.Context())
		if err != nil || (got == nil) != (c.want == "") || got != nil && got.String() != c.want {
			t.Error(name, got, err)
		}
	}
	_, src := purgedCopy.start(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := src.Retention(ctx); !errors.Is(err, verdict.Stopped) {
		t.Error("a stop is not an unknown retention:", err)
	}
}

func TestClock(t *testing.T) {
	for name, c := range map[string]struct {
		at             situation
		override, want string
		code           verdict.Code
	}{
		"the server's own":       {china, "", "China Standard Time", ""},
		"UTC":                    {purgedCopy, "", "UTC", ""},
		"an override":            {purgedCopy, "GMT Standard Time", "GMT Standard Time", ""},
		"an IANA override":       {china, "Asia/Shanghai", "China Standard Time", ""},
		"an offset":              {with(offsetOnly(-210), func(s *situation) { s.now = "2026-10-06T12:00:00Z" }), "", "UTC-03:30 (today's offset)", ""},
		"a zone for an offset":   {offsetOnly(60), "W. Europe Standard Time", "W. Europe Standard Time", ""},
		"a zone nobody has":      {china, "Neverland Standard Time", "", verdict.ZoneUnknown},
		"no AT TIME ZONE there":  {with(offsetOnly(60), func(s *situation) { s.version = "12.0.6024.0" }), "W. Europe Standard Time", "", verdict.ZoneUnknown},
		"UTC before 2016":        {with(offsetOnly(0), func(s *situation) { s.version = "12.0.6024.0" }), "utc", "UTC", ""},
		"2017 without a zone":    {with(offsetOnly(60), func(s *situation) { s.version = "14.0.3456.2" }), "", "UTC+01:00 (today's offset)", ""},
		"a name that is no name": {purgedCopy, "'; DROP", "", verdict.ZoneUnknown},
	} {
		_, src := c.at.start(t)
		got, err := src.Clock(t.Context(), c.override)
		if c.code != "" {
			refused(t, err, c.code)
			continue
		}
		if err != nil || got.Clock.String() != c.want || got.Named != (c.override == "" && !strings.Contains(c.want, "offset")) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if c.override == "" && (got.Disagrees != nil || got.Newest == nil) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestTimeZones(t *testing.T) {
	_, src := purgedCopy.start(t)
	if names, err := src.TimeZones(t.Context()); err != nil || !slices.Contains(names, "W. Europe Standard Time") {
		t.Error(names, err)
	}
	_, old := with(offsetOnly(60), func(s *situation) { s.version = "12.0.6024.0" }).start(t)
	if names, err := old.TimeZones(t.Context()); err != nil || names != nil {
		t.Error("before 2016 there is no list:", names, err)
	}
}
