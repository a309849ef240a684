package tui

import (
	"context"
	"fmt"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// columnsStage is an engine that answers about columns as the real one does: an
// answer closes its question, and only a look has samples and counts.
type columnsStage struct {
	midway func() // while every value is looked at; may be nil
	*script
	scene func(r engine.Request) engine.ColumnsView // looked at
	calls []columnsCall
	lasts time.Duration // how long a look takes
	clock *time.Time
}

// columnsCall is what was asked.
type columnsCall struct {
	request engine.Request
	look    bool
}

func (c *columnsStage) Columns(ctx context.Context, r engine.Request, _ engine.CopyView, _ engine.TargetView, look bool, progress func(done, total int64)) (engine.ColumnsView, error) {
	c.calls = append(c.calls, columnsCall{r, look})
	if err := ctx.Err(); err != nil {
		return engine.ColumnsView{}, &verdict.Error{Code: verdict.Stopped, What: "stopped on request", Err: err}
	}
	if c.columnsErr != nil {
		return engine.ColumnsView{}, c.columnsErr
	}
	v := c.scene(r)
	for i := range v.Lines {
		l := &v.Lines[i]
		if l.Values == 0 {
			continue
		}
		l.Counts = verdict.Count(l.Values) + " values"
		sep := ": "
		for _, n := range []struct {
			count int64
			what  string
		}{{l.Values - l.Changed - l.Refused, "unchanged"}, {l.Changed, "changed"}, {l.Refused, "refused"}} {
			if n.count > 0 {
				l.Counts += sep + verdict.Count(n.count) + " " + n.what
				sep = ", "
			}
		}
	}
	if look {
		*c.clock = c.clock.Add(c.lasts)
		if r.Check == "all" {
			progress(1_200_000_000, 2_128_904_113)
			if c.midway != nil {
				c.midway()
			}
			v.Depth, v.Rows = "all", 2_128_904_113
		}
		return v, nil
	}
	v.Rows, v.Depth = 0, "footers"
	if v.Stop != nil && v.Stop.Code == verdict.ValueRefused {
		v.Stop = nil
	}
	for i := range v.Lines {
		l := &v.Lines[i]
		l.Samples, l.Effects, l.Counts, l.Values, l.Changed, l.Refused = nil, nil, "", 0, 0, 0
		for j := range l.Asks {
			for k := range l.Asks[j].Choices {
				l.Asks[j].Choices[k].Sample = ""
			}
		}
	}
	return v, nil
}

// looks counts the calls that cast values.
func (c *columnsStage) looks() int {
	n := 0
	for _, call := range c.calls {
		if call.look {
			n++
		}
	}
	return n
}

// columnsPlay opens the wizard on the columns of a scene.
func columnsPlay(t testing.TB, r engine.Request, scene func(engine.Request) engine.ColumnsView) (*play, *columnsStage) {
	t.Helper()
	p := perform(t, orders(), r)
	stage := &columnsStage{script: p.script, scene: scene, clock: &p.clock}
	p.engine = stage
	p.script.copy = engine.CopyView{Kind: "delta", URL: "file:///lake/sales/orders", Version: ptr(int64(412)), Files: 1984, Rows: 2_128_904_113, Columns: 15}
	p.found.copy = learn(p.script.copy, nil, p.answers.print(copyStep))
	p.do(p.show(columnsStep))
	return p, stage
}

// columnsOf is the screen itself.
func columnsOf(p *play) *columnsScreen { return p.steps[columnsStep-1].(*columnsScreen) }

// hold gives the screen a message and keeps what it asks for from running.
func hold(p *play, m tea.Msg) tea.Cmd {
	_, cmd := p.Update(m)
	return cmd
}

func same(name, from, to string) engine.ColumnLine {
	return engine.ColumnLine{Copy: name, CopyType: from, Target: name, TargetType: to, Mark: engine.MarkSame, Cast: "same", Why: "written as it is", Values: 200_000}
}

// ordersColumns are the casts of the story's copy under r's answers.
func ordersColumns(r engine.Request) engine.ColumnsView {
	key := same("order_id", "int64", "BIGINT")
	key.Key = true
	customer := engine.ColumnLine{
		Copy: "customer_id", CopyType: "int64", Target: "customer_id", TargetType: "INT", Mark: engine.MarkChecked, Cast: "checked, fits",
		Why: "every value is checked to fit", Values: 200_000, Samples: []engine.SampleView{{Before: "81203", After: "81203"}, {Before: "7", After: "7"}},
	}
	status := same("status", "string", "STRING")
	status.Copy, status.Cast, status.Why = "STATUS", "case differs", "spelled STATUS in the copy"
	leftOut := func(name string) engine.ColumnLine {
		return engine.ColumnLine{Copy: name, CopyType: "int32", Mark: engine.MarkLeftOut, Cast: "left out", Why: "nothing captures it, so the stream does not write it"}
	}
	v := engine.ColumnsView{Rows: 200_000, Depth: "sample", Lines: []engine.ColumnLine{
		key, customer, status, amountLine(r), placedLine(r), channelLine(r),
		same("currency", "string", "STRING"), same("warehouse_id", "int32", "INT"), same("is_gift", "boolean", "BOOLEAN"), same("coupon", "string", "STRING"),
		same("ship_country", "string", "STRING"), same("ship_region", "string", "STRING"), same("weight_g", "int32", "INT"), same("notes", "string", "STRING"),
		leftOut("month"), leftOut("year"),
	}}
	var open []string
	for _, l := range v.Lines {
		for _, a := range l.Asks {
			if a.Open {
				open = append(open, l.Target)
			}
		}
	}
	if v.Open = len(open); v.Open > 0 {
		v.Stop = &verdict.Error{Code: verdict.CastNeedsAnswer, What: "columns may lose something in the cast: " + open[0]}
	}
	return v
}

// amountLine is a double that has to be rounded to two digits.
func amountLine(r engine.Request) engine.ColumnLine {
	given := r.Cast["amount"]
	l := engine.ColumnLine{
		Copy: "amount", CopyType: "double", Target: "amount", TargetType: "DECIMAL(18,2)", Mark: engine.MarkLoses, Cast: "must round",
		Why: "the shortest decimal text of the number, then digits are dropped", Values: 200_000,
		Samples: []engine.SampleView{
			{Before: "19.99", After: "19.99", File: "part-00000.parquet", Row: 1},
			{Before: "1203.1", After: "1203.10", File: "part-00000.parquet", Row: 2},
		},
		Asks: []engine.Ask{{
			Flag: "--cast", Column: "amount", Given: given, Open: given == "",
			Text: "amount is double in the copy, DECIMAL(18,2) in the target: the shortest decimal text of the number, then digits are dropped",
			Choices: []engine.Choice{
				{Value: "stop", Text: "stop if any value would change or does not fit", Sample: "7.128 -> refused"},
				{Value: "round", Text: "round to the nearest, halves away from zero", Sample: "7.128 -> 7.13"},
				{Value: "cut", Text: "drop what does not fit", Sample: "7.128 -> 7.12"},
				{Value: "null", Text: "write NULL for each value that does not fit", Sample: "7.128 -> NULL"},
			},
		}},
	}
	sample := engine.SampleView{Before: "7.128", File: "part-00017.parquet", Row: 88_211, Key: "order_id 7340021"}
	switch given {
	case "round", "cut":
		l.Changed, l.Cast = 1, map[string]string{"round": "rounded", "cut": "cut"}[given]
		sample.After, sample.Effect = map[string]string{"round": "7.13", "cut": "7.12"}[given], l.Cast
		l.Effects = []string{fmt.Sprintf("1 %s, such as 7.128 -> %s (part-00017.parquet row 88211, order_id 7340021)", l.Cast, sample.After)}
	default:
		l.Refused = 1
		sample.After, sample.Effect = "7.13 (round), 7.12 (cut), NULL (null)", "would change"
		l.Effects = []string{"1 would change, such as 7.128 -> 7.13 (round), 7.12 (cut), NULL (null) (part-00017.parquet row 88211, order_id 7340021)"}
	}
	l.Samples = append(l.Samples, sample)
	return l
}

// placedLine is an instant that becomes what a clock showed.
func placedLine(r engine.Request) engine.ColumnLine {
	zone := r.CopyTimeZone
	l := engine.ColumnLine{
		Copy: "placed_at", CopyType: "timestamp UTC, us", Target: "placed_at", TargetType: "TIMESTAMP_NTZ", Mark: engine.MarkLoses, Cast: "which zone?",
		Why: "a moment as what a clock in the zone shows", Values: 200_000,
		Asks: []engine.Ask{{
			Flag: "--copy-time-zone", Zone: true, Given: zone, Open: zone == "",
			Text: "placed_at is timestamp UTC, us in the copy, TIMESTAMP_NTZ in the target: only the zone of the copy's writer joins them",
			Choices: []engine.Choice{
				{Value: "UTC", Text: "the copy's times without a zone are UTC", Sample: "2026-10-24 22:40:12Z -> 2026-10-24 22:40:12"},
				{Value: "W. Europe Standard Time", Text: "the zone of the server's clock", Sample: "2026-10-24 22:40:12Z -> 2026-10-25 00:40:12"},
				{Value: "wall-clock", Text: "the digits are those of the source's clock, whatever the type says", Sample: "2026-10-24 22:40:12Z -> 2026-10-24 22:40:12"},
			},
		}},
	}
	if zone == "" {
		l.Refused = 200_000
		return l
	}
	l.Mark, l.Cast, l.Why = engine.MarkChecked, "zone named", l.Why+", zone "+zone
	return l
}

// channelLine is a captured column that the copy lacks.
func channelLine(r engine.Request) engine.ColumnLine {
	given := r.Missing["channel_code"]
	return engine.ColumnLine{
		Target: "channel_code", TargetType: "SMALLINT", Mark: engine.MarkLoses, Cast: "becomes NULL", Why: "the copy has no such column",
		Asks: []engine.Ask{{
			Flag: "--missing", Column: "channel_code", Given: given, Open: given != "null", Text: "channel_code is captured, but the copy has no such column",
			Choices: []engine.Choice{{Value: "stop", Text: "stop: this copy is not seeded"}, {Value: "null", Text: "write NULL in every row"}},
		}},
	}
}

// answeredOrders are answers to all that the story's columns ask.
func answeredOrders() engine.Request {
	r := ordersRequest()
	r.Cast, r.Missing, r.CopyTimeZone = map[string]string{"amount": "round"}, map[string]string{"channel_code": "null"}, "UTC"
	return r
}
