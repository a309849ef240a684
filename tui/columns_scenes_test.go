package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

func TestColumnsStory(t *testing.T) {
	p, _ := columnsPlay(t, ordersRequest(), ordersColumns)
	p.golden("columns")
	p.press("n").golden("columns-zone")
	p.press("n").golden("columns-missing")
	p, _ = columnsPlay(t, answeredOrders(), ordersColumns)
	p.golden("columns-answered").shows("2 lossy (!), 12 fine, 2 left out", "Ready.")
	p.press("enter")
	if p.at != reviewStep {
		t.Error("enter did not go on")
	}
}

func TestColumnsNothingToDecide(t *testing.T) {
	p, _ := columnsPlay(t, ordersRequest(), plainColumns(6))
	p.golden("columns-plain").shows("6 -> 6", "6 fine", "Ready.")
}

// plainColumns are n columns that are taken as they are.
func plainColumns(n int) func(engine.Request) engine.ColumnsView {
	return func(engine.Request) engine.ColumnsView {
		v := engine.ColumnsView{Rows: 200_000, Depth: "sample"}
		for i := range n {
			v.Lines = append(v.Lines, same(fmt.Sprintf("measurement_value_%03d", i), "double", "DOUBLE"))
		}
		return v
	}
}

func manyColumns(r engine.Request) engine.ColumnsView {
	v := plainColumns(500)(r)
	v.Lines[300] = amountLine(r)
	v.Lines[499] = channelLine(r)
	return v
}

func TestColumnsMany(t *testing.T) {
	p, _ := columnsPlay(t, ordersRequest(), manyColumns)
	p.golden("columns-500").shows("> amount", "more above", "2 to decide (?), 498 fine")
	p.press("end").shows("> (none)", "channel_code")
}

func BenchmarkColumnsMany(b *testing.B) {
	p, _ := columnsPlay(&testing.T{}, ordersRequest(), manyColumns)
	for b.Loop() {
		p.hear(tea.KeyMsg{Type: tea.KeyDown})
		p.View()
	}
}

// Marks of other tools are questions on columns that are left out.
func TestColumnsMarks(t *testing.T) {
	p, _ := columnsPlay(t, ordersRequest(), marked)
	p.golden("columns-marks").shows("2 columns need an answer (_fivetran_deleted, Op).", "One answer holds for the whole copy")
	p.press(" ").shows("(o) exclude-deleted")
	p.press("n", " ").shows("(o) Op", "Ready.")
	if !p.answers.ExcludeDeleted || strings.Join(p.answers.IgnoreMark, ",") != "Op" {
		t.Errorf("exclude %v, ignore %v", p.answers.ExcludeDeleted, p.answers.IgnoreMark)
	}
	p.press("backspace").shows("1 column needs an answer (Op).")
}

func marked(r engine.Request) engine.ColumnsView {
	v := plainColumns(3)(r)
	deleted := engine.Ask{
		Flag: "--exclude-deleted", Text: `Fivetran flags deleted rows in "_fivetran_deleted"`, Open: !r.ExcludeDeleted && !r.KeepDeleted,
		Choices: []engine.Choice{
			{Value: "exclude-deleted", Text: "leave flagged rows out: they are deleted in the source"},
			{Value: "keep-deleted", Text: "keep flagged rows: no change will ever delete them"},
		},
	}
	if r.ExcludeDeleted {
		deleted.Given = "exclude-deleted"
	}
	op := engine.Ask{
		Flag: "--ignore-mark", Column: "Op", Text: `"Op" is a column by which DMS tells changes, not rows`, Open: len(r.IgnoreMark) == 0,
		Choices: []engine.Choice{{Value: "Op", Text: "leave it out like any other column: the copy holds each row of the table once"}},
	}
	if len(r.IgnoreMark) > 0 {
		op.Given = "Op"
	}
	why := "nothing captures it, so the stream does not write it"
	v.Lines = append(v.Lines,
		engine.ColumnLine{Copy: "_fivetran_deleted", CopyType: "boolean", Mark: engine.MarkLeftOut, Cast: "left out", Why: why, Asks: []engine.Ask{deleted}},
		engine.ColumnLine{Copy: "Op", CopyType: "string", Mark: engine.MarkLeftOut, Cast: "left out", Why: why, Asks: []engine.Ask{op}})
	if deleted.Open || op.Open {
		v.Stop = &verdict.Error{Code: verdict.CopyMarks, What: "the copy carries marks of other tools"}
	}
	return v
}

// foreign are names as wide and as odd as names can be.
func foreign(engine.Request) engine.ColumnsView {
	v := engine.ColumnsView{Rows: 10, Depth: "all"}
	for _, name := range []string{
		"订单编号", "客户名称以及联系地址的完整说明字段", "Größe_e\u0301te\u0301", "name with blank ", "a\tb\nc", "evil\u202ename",
		"customer_billing_address_line_one", "customer_billing_address_line_two", strings.Repeat("名", 128),
	} {
		v.Lines = append(v.Lines, same(name, "string", "STRING"))
	}
	v.Lines[1].TargetType, v.Lines[1].CopyType = "DECIMAL(38,18)", "timestamp without zone, us"
	return v
}

func TestColumnsForeignNames(t *testing.T) {
	p, _ := columnsPlay(t, ordersRequest(), foreign)
	p.press("down").golden("columns-names").shows("line_one", "line_two", `"name with blank "`, "<202E>")
}

func leftOutOnly(engine.Request) engine.ColumnsView {
	v := engine.ColumnsView{Rows: 10, Depth: "all"}
	for _, name := range []string{"year", "month"} {
		v.Lines = append(v.Lines, engine.ColumnLine{Copy: name, CopyType: "int32", Mark: engine.MarkLeftOut, Cast: "left out", Why: "nothing captures it, so the stream does not write it"})
	}
	return v
}

func TestColumnsLeftOut(t *testing.T) {
	p, _ := columnsPlay(t, ordersRequest(), leftOutOnly)
	p.golden("columns-left-out").shows("2 -> 0", "2 left out")
}

func TestColumnsWithoutACopy(t *testing.T) {
	p, stage := columnsPlay(t, ordersRequest(), ordersColumns)
	p.do(p.show(copyStep))
	p.steps[columnsStep-1] = newColumns()
	p.found.copy = known[engine.CopyView]{}
	calls := len(stage.calls)
	p.do(p.show(columnsStep))
	p.press(" ", "n", "ctrl+r", "enter").shows("The copy was not looked at", "enter (off)")
	if len(stage.calls) != calls {
		t.Error("columns of no copy were asked for")
	}
}

// No scene at any size draws outside its cells.
func TestColumnsAtEverySize(t *testing.T) {
	none := func(engine.Request) engine.ColumnsView { return engine.ColumnsView{} }
	for name, scene := range map[string]func(engine.Request) engine.ColumnsView{
		"orders": ordersColumns, "marked": marked, "foreign": foreign, "left out": leftOutOnly, "none": none,
	} {
		p, _ := columnsPlay(t, ordersRequest(), scene)
		screen := columnsOf(p)
		for _, keys := range [][]string{nil, {"down"}, {"v"}, {"v", "/", "e"}, {"enter", "n", "t", "x"}} {
			for _, k := range keys {
				_, _ = screen.update(p.desk, keyNamed(t, k))
			}
			for w := 0; w <= 200; w += 3 {
				for _, h := range []int{0, 1, 5, 11, 12, 17, 53} {
					for _, l := range screen.view(p.desk, w, h).lines {
						if width(l) > w {
							t.Fatalf("%s %v at %dx%d: %q is %d wide", name, keys, w, h, l, width(l))
						}
					}
				}
			}
		}
	}
}
