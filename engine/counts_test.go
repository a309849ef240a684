package engine_test

import (
	"bytes"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine"
	"cdcseed/engine/cast"
	"cdcseed/engine/verdict"
)

// rounding makes the bench's copy two files of which one amount each is rounded.
func (b *faultBench) rounding() {
	b.dropCopy()
	columns := []arrow.Field{field("id", int32s), field("name", texts), field("amount", texts)}
	b.moreCopy("a.parquet", columns, `[{"id": 1, "amount": "1.005"}, {"id": 2, "amount": "2.000"}, {"id": 3, "amount": "3.00"}]`)
	b.moreCopy("b.parquet", columns, `[{"id": 4, "amount": "4.999"}, {"id": 5, "amount": "5"}]`)
	b.request.Cast = map[string]string{"amount": "round"}
}

// A seed ends with the counts of its casts: those that a preview of every value
// found, and of a run that takes files over the same.
func TestASeedEndsWithTheCountsOfItsCasts(t *testing.T) {
	onAdopting(t, func(t *testing.T, b *faultBench) {
		b.rounding()
		s, target, _ := b.places(t)
		b.leave(t, s, target)
		b.request.Check = engine.CheckAll
		p, err := engine.Build(t.Context(), b.session, s.Readers(), b.request, engine.BuildOptions{Tool: "cdcseed/test"})
		if err != nil {
			t.Fatal(err)
		}
		r, err := engine.Execute(t.Context(), p, b.session, s, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Adopted != 2 || r.Report == nil {
			t.Fatalf("%d files taken over, counts %v", r.Adopted, r.Report)
		}
		if d := cast.Differences(p.Preview.Report, *r.Report); d != nil || p.Preview.Depth != engine.CheckAll {
			t.Errorf("%s: %+v", p.Preview.Depth, d)
		}
		if c := r.Report.Columns["amount"]; c.Of(cast.Rounded) != 2 || c.Unchanged != 3 {
			t.Errorf("amount: %+v", c)
		}
		for name, c := range r.Report.Columns {
			if c.Values != r.Rows || c.Unchanged+c.Changed+c.Nulls+c.ToNull+c.Refused != c.Values {
				t.Errorf("%s: %d rows, %+v", name, r.Rows, c)
			}
		}
	})
}

// Files of an earlier try whose casts counted otherwise are not committed, and not
// left for a rerun to stumble over again.
func TestFilesOfOtherCountsAreNotTakenOver(t *testing.T) {
	onAdopting(t, func(t *testing.T, b *faultBench) {
		b.rounding()
		s, target, _ := b.places(t)
		left := b.leave(t, s, target)
		spoil(t, target, left[0], func(d []byte) []byte {
			told := []byte(`"changed":1,"effects":{"rounded":1}`)
			if !bytes.Contains(d, told) {
				t.Fatal("the footer does not tell what its casts counted")
			}
			return bytes.Replace(d, told, []byte(`"changed":2,"effects":{"rounded":2}`), 1)
		})
		b.dated(t, target, left, worldNow)
		before := standsIn(t, target).version
		b.request.Check = engine.CheckAll
		seed := func() (engine.Result, error) {
			p, err := engine.Build(t.Context(), b.session, s.Readers(), b.request, engine.BuildOptions{Tool: "cdcseed/test"})
			if err != nil {
				t.Fatal(err)
			}
			return engine.Execute(t.Context(), p, b.session, s, nil)
		}
		if _, err := seed(); !isCode(err, verdict.CountsDiffer) {
			t.Fatalf("want %s, got %v", verdict.CountsDiffer, err)
		}
		if after := standsIn(t, target).version; after != before {
			t.Errorf("version %d became %d", before, after)
		}
		if names, _ := standsIn(t, target).staged(); len(names) != 0 {
			t.Errorf("staged files stay: %v", names)
		}
		if r, err := seed(); err != nil || r.Adopted != 0 {
			t.Errorf("the rerun: %v, %d files taken over", err, r.Adopted)
		}
	})
}
