package tui

import (
	"strings"
	"testing"
)

// inOrder checks that texts follow each other on the screen.
func (p *play) inOrder(texts ...string) *play {
	p.t.Helper()
	rest := p.see(120, 60)
	for _, text := range texts {
		_, after, found := strings.Cut(rest, text)
		if !found {
			p.t.Fatalf("%q is not behind the one before:\n%s", text, p.see(120, 60))
		}
		rest = after
	}
	return p
}

// The list of tables is sorted by what one looks for; the answer keeps the
// cursor, and the filter stays.
func TestTableSorts(t *testing.T) {
	p := atTable(t, sales(), "dbo.Rates")
	p.inOrder("dbo.Orders", "> dbo.Rates")
	line := p.tables().list.line()
	p.press("s").shows("largest first", "> dbo.Rates")
	for i := range len(p.tables().list.match) - 1 {
		l := p.tables().list
		if l.rowsOf(l.match[i]) < l.rowsOf(l.match[i+1]) {
			t.Errorf("%d rows stand before %d", l.rowsOf(l.match[i]), l.rowsOf(l.match[i+1]))
		}
	}
	p.press("s").shows("newest first")
	for i := range len(p.tables().list.match) - 1 {
		l := p.tables().list
		if l.since(l.match[i]).Before(l.since(l.match[i+1])) {
			t.Error("an older instance stands before a newer one")
		}
	}
	if p.press("/").write("rate").press("enter").shows("newest first", "> dbo.Rates"); p.tables().list.line() != line || p.answers.Table != "dbo.Rates" {
		t.Errorf("line %d, answer %s", p.tables().list.line(), p.answers.Table)
	}
	p.press("esc", "ctrl+r").shows("newest first") // read again, it stays so
	p.press("s").lacks("newest first", "largest first").inOrder("dbo.Orders", "> dbo.Rates")
}

// Columns are sorted by what they ask for, or by name; answering moves no line.
func TestColumnsSort(t *testing.T) {
	p, _ := columnsPlay(t, ordersRequest(), ordersColumns)
	p.inOrder("order_id", "customer_id", "amount")
	p.press("s").shows("what loses first").inOrder("amount", "placed_at", "channel_code", "order_id", "month")
	p.press("right", "right").shows("(o) round").inOrder("> amount", "placed_at", "channel_code", "order_id")
	p.press("down").shows("> placed_at")
	p.press("s").shows("by name").inOrder("amount", "channel_code", "coupon", "warehouse_id", "weight_g")
	p.press("s").lacks("by name").inOrder("order_id", "customer_id", "amount")
}
