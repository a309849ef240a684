package tui

import (
	"testing"

	"cdcseed/engine"
)

// A look at another table takes no answer away for good.
func TestAnswersComeBackWithTheirTable(t *testing.T) {
	p, _ := columnsPlay(t, answeredOrders(), ordersColumns)
	columnsOf(p).drop = func(r engine.Request, _ engine.CopyView, _ engine.TargetView) (engine.Request, []string) {
		if r.Table == "dbo.Orders" {
			return r, nil
		}
		r.Cast, r.Missing = nil, nil
		return r, []string{"--cast amount=round", "--missing channel_code=null"}
	}
	to := func(table string) {
		p.do(p.show(tableStep))
		p.answers.Table = table
		p.found.copy.print = p.answers.print(copyStep)
		p.do(p.show(columnsStep))
	}
	to("dbo.Customers")
	if len(p.answers.Cast) != 0 {
		t.Fatal("the other table has answers of columns that it has not")
	}
	p.shows("of columns that dbo.Customers has not are kept aside")
	to("dbo.Orders")
	if p.answers.Cast["amount"] != "round" || p.answers.Missing["channel_code"] != "null" || p.answers.CopyTimeZone != "UTC" {
		t.Errorf("cast %v, missing %v, zone %q", p.answers.Cast, p.answers.Missing, p.answers.CopyTimeZone)
	}
	p.shows("Ready.", "(o) round")
}

// A column of the same name in another table is another column: nothing is
// answered for it beforehand.
func TestAnswersStayWithTheirTable(t *testing.T) {
	a := asides{table: "dbo.Orders"}
	r := engine.Request{Table: "dbo.OrderLines", Cast: map[string]string{"amount": "round"}, CopyTimeZone: "UTC", ExcludeDeleted: true}
	a.exchange(&r)
	if len(r.Cast) != 0 || r.CopyTimeZone != "" || r.ExcludeDeleted {
		t.Errorf("answers of the table before are taken over: %+v", r)
	}
	r.Table, r.Cast = "dbo.Orders", map[string]string{"amount": "cut"}
	a.exchange(&r)
	if r.Cast["amount"] != "round" || r.CopyTimeZone != "UTC" || !r.ExcludeDeleted {
		t.Errorf("answers did not come back: %+v", r)
	}
}
