package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// sales is a database with five tables that have to do with orders among others,
// one of them captured twice.
func sales() *script {
	s := orders()
	s.tables = nil
	add := func(schema, name string, id, rows int64, instances ...string) *engine.Table {
		t := engine.Table{Schema: schema, Name: name, ObjectID: id, Rows: ptr(rows)}
		for i, in := range instances {
			t.Instances = append(t.Instances, instanceOf(in, []string{"2026-03-02T08:14:00Z", "2026-10-20T06:00:00Z"}[i], 14+i))
		}
		s.tables = append(s.tables, t)
		return &s.tables[len(s.tables)-1]
	}
	add("dbo", "OrderEvents", 5, 884_000_000, "dbo_OrderEvents")
	add("dbo", "OrderLines", 6, 9_800_000_000, "dbo_OrderLines")
	add("dbo", "Orders", 7, 2_130_000_000, "dbo_Orders", "dbo_Orders_v2")
	add("dbo", "Rates", 8, 412, "dbo_Rates")
	for i := range 25 {
		add("sales", fmt.Sprintf("Fact%02d", i), int64(100+i), int64(1000*i), fmt.Sprintf("sales_Fact%02d", i))
	}
	add("sales", "OrderTax", 9, 212_400_000, "sales_OrderTax").Rows = nil
	for i := range 214 {
		s.uncaptured = append(s.uncaptured, fmt.Sprintf("staging.Load_%03d", i))
	}
	s.tableOf = s.lookAt
	return s
}

// lookAt finds a table as the engine does, near enough.
func (s *script) lookAt(name string) (engine.TableView, error) {
	for _, t := range s.tables {
		for _, in := range t.Instances {
			if strings.EqualFold(in.Name, name) || strings.EqualFold(t.String(), name) && len(t.Instances) == 1 {
				v := engine.TableView{Table: t, Instance: in.Name, Key: []string{"order_id bigint"}}
				if len(t.Instances) > 1 {
					v.Checks = []verdict.Check{
						verdict.Noted("dbo_Orders_v2 also captures this table and adds column channel",
							"The stream reads every capture instance of the table; rows are stamped with the configured one."),
						verdict.Noted("notes nvarchar(max): before-images hold NULL unless the column changed", "The rule is the change rows'."),
					}
				}
				return v, nil
			}
		}
	}
	return engine.TableView{}, &verdict.Error{
		Code: verdict.NoInstance, What: fmt.Sprintf("no capture instance or captured table %q is there for this login", name),
		Facts: verdict.Facts("similar", "dbo_Orders, dbo_OrderLines"),
		Why:   "CDC hides an instance from a login that lacks SELECT on its captured columns or membership in its gating role.",
		Hint:  []string{"cdcseed tables lists what this login can use."},
	}
}

// atTable opens the wizard on the table step.
func atTable(t testing.TB, s *script, table string) *play {
	t.Helper()
	r := engine.Request{Server: "sqlprod07", Database: "Sales", User: "svc_cdc_ro", Table: table}
	p := perform(t, s, r)
	p.press("enter")
	if p.at != tableStep {
		t.Fatalf("the wizard is at %s:\n%s", p.step().title(), p.View())
	}
	return p
}

func (p *play) tables() *tableScreen { return p.steps[tableStep-1].(*tableScreen) }

func TestTableGoldens(t *testing.T) {
	atTable(t, sales(), "dbo_Orders").golden("table").shows("> dbo.Orders", "dbo_Orders selected. 2 notes.")

	p := atTable(t, sales(), "dbo_Orders")
	p.press("/").write("order").golden("table-filtering").press("enter").golden("table-filtered").shows("5 of 31 shown")

	atTable(t, sales(), "dbo.Nothing").golden("table-unknown").shows("STOP  No such table here: choose a line. (no_instance)", "similar: dbo_Orders")
	atTable(t, sales(), "dbo.Rates").press("u").golden("table-uncaptured").shows("staging.Load_000", "sp_cdc_enable_table")

	atTable(t, sales(), "dbo_Orders").press("v").golden("table-details").shows("enter next", "esc the captured tables").press("esc").shows("31 of 31")

	s := sales()
	s.tables = nil
	atTable(t, s, "").golden("table-none").shows("No table is captured")

	s = sales()
	s.tablesErr = &verdict.Error{
		Code: verdict.SourceDenied, What: "reading the capture instances: the SELECT permission was denied",
		Why: "CDC shows an instance to whoever may read it.", Hint: []string{"Ask for SELECT on the cdc schema."},
	}
	atTable(t, s, "").golden("table-denied").shows("STOP  This login may not read the tables: esc changes it. (source_denied)")

	s = sales()
	for i := range s.tables[2].Instances {
		s.tables[2].Instances[i].Name = strings.Repeat("dbo_Orders_of_every_branch_", 4) + []string{"v1", "v2"}[i]
	}
	s.tables[2].Name = strings.Repeat("Orders", 12)
	atTable(t, s, s.tables[2].Instances[1].Name).golden("table-long-names").shows("   ery_branch_v2")
}

// What is shown in the list's place goes away again, and enter takes no table that is not captured.
func TestTableAside(t *testing.T) {
	p := atTable(t, sales(), "dbo.Rates").press("u")
	p.press("enter").shows("enter (off)", "None of these")
	p.press("u").shows("> dbo.Rates")
	p.press("v", "enter")
	if p.at != copyStep {
		t.Error("enter under the details did not go on")
	}
	p.press("esc").shows("> dbo.Rates")
	p.script.uncapErr = &verdict.Error{Code: verdict.SourceUnreachable, What: "the connection broke"}
	p.press("ctrl+r").shows("could not be read: u tells why").press("u").shows("the connection broke", "esc the captured tables")
}

// While a line waits for its closer look, what the list knows of it is shown.
func TestTableWaits(t *testing.T) {
	p := atTable(t, sales(), "dbo.OrderLines")
	release := p.hold()
	p.press("down")
	p.golden("table-looking").shows("looking at dbo_Orders ...", "enter next", "dbo.Orders through dbo_Orders", "2.13 B rows need")
	release()
	p.shows("order_id bigint", "enter next").lacks("looking at")
}

func TestTableKeys(t *testing.T) {
	p := atTable(t, sales(), "")
	answers := func(keys string, want string) {
		t.Helper()
		p.press(strings.Fields(keys)...)
		if p.answers.Table != want {
			t.Fatalf("%s: %q is answered, want %q", keys, p.answers.Table, want)
		}
	}
	answers("", "")
	answers("enter", "")
	p.lacks("> ").shows("enter (off)", "note  Choose a line")
	answers("up", "dbo.OrderEvents")
	answers("down down", "dbo_Orders") // two instances: the one that is meant
	answers("down", "dbo_Orders_v2")
	answers("down", "dbo.Rates")
	answers("end", "sales.OrderTax")
	answers("down", "sales.OrderTax")
	answers("pgup", "sales.Fact15")
	answers("home", "dbo.OrderEvents")
	answers("pgdown", "sales.Fact05")
	if want := []string{"dbo.OrderEvents", "dbo.OrderLines", "dbo_Orders"}; !slices.Equal(p.script.named[:3], want) {
		t.Errorf("looked at %q, want %q", p.script.named, want)
	}
	p.press("home", "enter")
	if p.at != copyStep || p.answers.Table != "dbo.OrderEvents" {
		t.Errorf("enter led to %s with %q", p.step().title(), p.answers.Table)
	}
	p.press("esc").shows("> dbo.OrderEvents")
}

func TestTableFilter(t *testing.T) {
	p := atTable(t, sales(), "dbo.Rates")
	p.press("/").write("ORDERt") // u and other letters belong to the filter
	if p.answers.Table != "sales.OrderTax" {
		t.Errorf("the only match is not the answer: %q", p.answers.Table)
	}
	p.shows("1 of 31 shown", "enter keep the filter", "esc clear it").lacks("enter next", "enter (off)")
	p.write("xx").shows("Nothing matches.", "0 of 31 shown", "Filter: ORDERtxx_")
	if p.answers.Table != "dbo.Rates" {
		t.Errorf("no match, and %q is answered", p.answers.Table)
	}
	p.press("esc").shows("31 of 31 shown", "> dbo.Rates").lacks("Filter")
	if p.at != tableStep {
		t.Error("esc left the step")
	}
	p.press("/").write("uzz").press("enter").shows("STOP  Nothing matches the filter", "enter (off)")
	p.press("enter")
	if p.at != tableStep {
		t.Error("went on with a table that does not show")
	}
	p.press("/", "esc", "/").paste("_v2").press("enter").shows("> dbo.Orders")
	if p.answers.Table != "dbo_Orders_v2" {
		t.Errorf("pasted filter: %q", p.answers.Table)
	}
	p.press("/").write("x").press("backspace", "enter", "enter")
	if p.at != copyStep {
		t.Error("enter after the filter did not go on")
	}
}

// What a flag names is chosen, in the spelling that the job has.
func TestTableByFlag(t *testing.T) {
	for flag, line := range map[string]string{
		"dbo.rates": "dbo.Rates", "DBO_RATES": "dbo.Rates", "DBO_orders_V2": "dbo.Orders", "sales.OrderTax": "sales.OrderTax",
	} {
		p := atTable(t, sales(), flag).shows("> " + line)
		if p.answers.Table != flag {
			t.Errorf("%s became %q", flag, p.answers.Table)
		}
		p.press("up", "down")
		if p.answers.Table != flag {
			t.Errorf("%s became %q on the way back to it", flag, p.answers.Table)
		}
	}
	p := atTable(t, sales(), "dbo.Orders") // which of its two instances is not said
	p.lacks("> ").shows("STOP", "enter (off)")
	p.press("down")
	if p.answers.Table != "dbo.OrderEvents" {
		t.Errorf("the first key chose %q", p.answers.Table)
	}
}

// An instance that is gone still names its table: the engine knows it, the list does not.
func TestTableOfAnInstanceThatIsGone(t *testing.T) {
	s := sales()
	s.tables[2].Instances = s.tables[2].Instances[1:]
	find := s.tableOf
	s.tableOf = func(name string) (engine.TableView, error) {
		if name == "dbo_Orders" {
			return engine.TableView{Table: s.tables[2], Instance: name, Key: []string{"order_id bigint"}}, nil
		}
		return find(name)
	}
	p := atTable(t, s, "dbo_Orders").shows("dbo.Orders through dbo_Orders", "dbo_Orders is gone", "the stream reads dbo_Orders_v2", "ok    dbo_Orders selected")
	p.press("enter")
	if p.at != copyStep || p.answers.Table != "dbo_Orders" {
		t.Errorf("at %s with %q", p.step().title(), p.answers.Table)
	}
}

// A late look at another line changes nothing.
func TestTableLateReply(t *testing.T) {
	p := atTable(t, sales(), "dbo.Rates")
	old := p.tables().look.gen - 1
	p.press("up")
	v, _ := p.script.lookAt("dbo.Rates")
	p.hear(reply[engine.TableView]{step: tableStep, gen: old, value: v})
	p.shows("dbo.Orders through dbo_Orders_v2")
	p.hear(reply[tablesFound]{step: tableStep, gen: p.tables().read.gen - 1})
	p.shows("31 of 31 shown")
	p.hear(pause{step: tableStep, gen: old})
	if n := len(p.script.named); p.script.named[n-1] != "dbo_Orders_v2" {
		t.Errorf("a late pause looked at %q", p.script.named[n-1])
	}
}

// Coming back asks nothing again; another server does; ctrl+r does.
func TestTableReadsAgain(t *testing.T) {
	p := atTable(t, sales(), "dbo.Rates")
	looked := len(p.script.named)
	p.press("enter", "esc")
	if len(p.script.named) != looked {
		t.Error("coming back looked again")
	}
	p.script.tables = p.script.tables[:4]
	p.press("ctrl+r").shows("5 of 5 shown", "> dbo.Rates")
	if len(p.script.named) != looked+1 {
		t.Error("ctrl+r did not look at the table again")
	}
	p.script.tables = p.script.tables[:2]
	p.press("esc")
	p.paste("2").press("enter", "enter")
	if p.at != tableStep {
		t.Fatalf("at %s", p.step().title())
	}
	p.shows("2 of 2 shown", "no_instance")
	if p.answers.Table != "dbo.Rates" {
		t.Errorf("the answer became %q", p.answers.Table)
	}
}

// Leaving ends what runs.
func TestTableLeaving(t *testing.T) {
	p := atTable(t, sales(), "dbo.Rates")
	ctx := p.tables().look.renew(p.desk, "looking")
	p.press("esc")
	if ctx.Err() == nil {
		t.Error("the look goes on after its step was left")
	}
}

// A thousand tables are listed and filtered.
func TestThousandTables(t *testing.T) {
	atTable(t, thousandTables(), "big.T0999").shows("> big.T0999", "of 1,031").press("/").write("t0512").shows("> big.T0512", "1 of 1,031 shown")
}

func thousandTables() *script {
	s := sales()
	for i := range 1000 {
		s.tables = append(s.tables, engine.Table{Schema: "big", Name: fmt.Sprintf("T%04d", i), ObjectID: int64(1000 + i)})
		in := &s.tables[len(s.tables)-1]
		in.Instances = append(in.Instances, instanceOf(fmt.Sprintf("big_T%04d", i), "2026-03-02T08:14:00Z", 14))
	}
	return s
}

// BenchmarkThousandTables is a letter typed into the filter, and the screen after it.
func BenchmarkThousandTables(b *testing.B) {
	p := atTable(b, thousandTables(), "big.T0999").press("/")
	for b.Loop() {
		p.write("t").press("backspace").see(120, 40)
	}
}

func TestTooBig(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		rows *int64
		kept time.Duration
		want string
	}{
		{nil, day, "not shown"},
		{ptr(int64(0)), day, "less than a minute"},
		{ptr(int64(100_000_000)), 3 * day, "2 h 32 m to 6 h 57 m at 11,000 to 4,000 rows/s; CDC keeps 3 d: a snapshot by the stream itself fits, too"},
		{ptr(int64(2_130_000_000)), 3 * day, "2.13 B rows need 2 d 6 h to 6 d 4 h at 11,000 to 4,000 rows/s; CDC keeps 3 d: a snapshot may not fit"},
		{ptr(int64(9_800_000_000)), 3 * day, "a snapshot does not fit"},
		{ptr(int64(9_800_000_000)), 0, "how long CDC keeps changes is not known"},
	} {
		if got := tooBig(c.rows, c.kept); !strings.Contains(got, c.want) {
			t.Errorf("%v, %v: %q lacks %q", c.rows, c.kept, got, c.want)
		}
	}
}
