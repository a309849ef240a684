package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine/verdict"
)

// Case 13: columns that the copy lacks, has more, or calls otherwise.
func TestCase13MissingExtraAndRenamedColumns(t *testing.T) {
	s := scene{columns: `{"name": "id", "type": "int"}, {"name": "Name", "type": "nvarchar(20)", "nullable": true}, {"name": "amount", "type": "decimal(10,2)", "nullable": true}`}
	made := func(t *testing.T, rows string, fields ...arrow.Field) *kit {
		k := kitIn(t, s)
		k.newCopy(fields, rows)
		return k
	}
	t.Run("a", func(t *testing.T) {
		k := made(t, `[{"ID": 1, "name": "x", "amount": "1.00", "note": "n"}]`, field("ID", int32s), field("name", texts), field("amount", cents), field("note", texts))
		p := k.writes([]string{"id", "Name", "amount"}, "1 x 1.00")
		if !slices.Equal(p.Columns.LeftOut, []string{"note"}) {
			t.Errorf("left out: %q", p.Columns.LeftOut)
		}
	})
	t.Run("b", func(t *testing.T) {
		k := made(t, `[{"id": 1, "name": "x"}]`, field("id", int32s), field("name", texts))
		k.refusedAs(verdict.ColumnMissing, "amount is captured, but the copy has no such column", "--missing amount=stop|null")
		k.request.Missing = map[string]string{"amount": "null"}
		p := k.writes([]string{"id", "Name", "amount"}, "1 x NULL")
		if args := strings.Join(p.Args, " "); !strings.Contains(args, "--missing amount=null") {
			t.Errorf("the plan does not record the answer: %s", args)
		}
	})
	t.Run("c", func(t *testing.T) {
		k := made(t, `[{"id": 1, "customer_name": "x", "amount": "1.00"}]`, field("id", int32s), field("customer_name", texts), field("amount", cents))
		k.refusedAs(verdict.ColumnMissing, `it has "customer_name"`, "--map customer_name=Name")
		k.request.Map = []string{"customer_name=NAME"}
		p := k.writes([]string{"id", "Name", "amount"}, "1 x 1.00")
		if args := strings.Join(p.Args, " "); !strings.Contains(args, "--map customer_name=NAME") {
			t.Errorf("the plan does not record the answer: %s", args)
		}
		if got := k.lastCommit("bronze").Info.Tags["cdcseed.answers"]; got != "--map customer_name=NAME" {
			t.Errorf("the commit records %q", got)
		}
	})
	t.Run("d", func(t *testing.T) {
		k := made(t, `[{"id": 1, "name": "x", "Amount": "1.00", "AMOUNT": "2.00"}]`, field("id", int32s), field("name", texts), field("Amount", cents), field("AMOUNT", cents))
		k.refusedAs(verdict.ColumnAmbiguous, "Amount, AMOUNT")
	})
}

// Case 13: a column that was added to the table after the capture instance is in
// the copy, and neither in the instance nor in what the stream writes.
func TestCase13ColumnsAddedAfterTheInstance(t *testing.T) {
	k := withoutCopy(t, scene{
		columns: `{"name": "id", "type": "int"}, {"name": "secret", "type": "int", "nullable": true}, {"name": "name", "type": "nvarchar(20)", "nullable": true},
			{"name": "amount", "type": "decimal(10,2)", "nullable": true}`,
		instances: instance("dbo_orders", "0x10", "2026-10-24T11:00:00", `"columns": ["id", "name"]`),
	})
	k.moreCopy("a.parquet", []arrow.Field{field("id", int32s), field("secret", int32s), field("name", texts), field("AMOUNT", cents), field("etl", texts)},
		`[{"id": 1, "secret": 7, "name": "x", "AMOUNT": "1.00", "etl": "e"}]`)
	why := map[string]string{}
	for _, l := range k.columns(true).Lines {
		if l.Target == "" {
			why[l.Copy] = l.Why
		}
	}
	for name, says := range map[string]string{
		"AMOUNT": "added after the capture instance", "secret": "left off the capture instance's list", "etl": "nothing captures it",
	} {
		if !strings.Contains(why[name], says) {
			t.Errorf("%s: %q, want %q", name, why[name], says)
		}
	}
	p := k.writes([]string{"id", "name"}, "1 x")
	if said := checkTexts(p); !strings.Contains(said, "columns of the table that no capture instance has are left out: secret, AMOUNT") {
		t.Errorf("not said:\n%s", said)
	}
}

// Case 15: files of one folder disagree on the schema. All footers are read
// before anything is written, and the refusal names the files.
func TestCase15FilesThatDisagree(t *testing.T) {
	made := func(t *testing.T, id string) *kit {
		k := withoutCopy(t, scene{columns: `{"name": "id", "type": "` + id + `"}, {"name": "amount", "type": "decimal(10,2)", "nullable": true}`})
		k.moreCopy("p1.parquet", []arrow.Field{field("id", int32s), field("amount", cents)}, `[{"id": 1, "amount": "1.00"}]`)
		k.moreCopy("p2.parquet", []arrow.Field{field("id", int64s), field("amount", cents)}, `[{"id": 3000000000, "amount": "2.00"}]`)
		return k
	}
	lacking := func(k *kit) { k.moreCopy("p3.parquet", []arrow.Field{field("id", int32s)}, `[{"id": 31}, {"id": 32}]`) }
	texted := func(k *kit) {
		k.moreCopy("p4.parquet", []arrow.Field{field("id", int32s), field("amount", texts)}, `[{"id": 41, "amount": "n/a"}]`)
	}
	t.Run("widened", func(t *testing.T) {
		made(t, "bigint").writes([]string{"id", "amount"}, "1 1.00", "3000000000 2.00")
	})
	t.Run("as given", func(t *testing.T) {
		k := made(t, "bigint")
		lacking(k)
		texted(k)
		k.refusedAs(verdict.ColumnMissing, "but the copy has no such column (1 of 4 files, 2 rows, written by", ": p3.parquet)", "1 cannot be read: n/a (p4.parquet row 1, id 41)", "--cast amount=null")
		k.request.Missing = map[string]string{"amount": "null"}
		k.refusedAs(verdict.ValueRefused, "amount", "1 cannot be read: n/a (p4.parquet row 1, id 41)", "--cast amount=null")
		k.request.Cast = map[string]string{"amount": "null"}
		k.writes([]string{"id", "amount"}, "1 1.00", "3000000000 2.00", "31 NULL", "32 NULL", "41 NULL")
	})
	t.Run("too small an id", func(t *testing.T) {
		made(t, "int").refusedAs(verdict.ValueRefused, `"id"`, "1 out of range", "3000000000 (p2.parquet row 1, id 3000000000)")
	})
	t.Run("no cast from one of them", func(t *testing.T) {
		k := made(t, "bigint")
		k.moreCopy("p5.parquet", []arrow.Field{field("id", int32s), field("amount", dates)}, `[{"id": 51, "amount": "2026-01-01"}]`)
		k.refusedAs(verdict.CastImpossible, "date to decimal(10,2)", "(1 of 3 files, 1 row, written by", ": p5.parquet)")
	})
}

// Case 40: a computed column is NULL, as the stream writes it: left out of a
// table that is made, NULL in one that has it.
func TestCase40ComputedColumns(t *testing.T) {
	s := scene{columns: `{"name": "id", "type": "int"}, {"name": "qty", "type": "int", "nullable": true},
		{"name": "price", "type": "decimal(10,2)", "nullable": true}, {"name": "total", "type": "decimal(10,2)", "nullable": true, "computed": "qty*price"}`}
	made := func(t *testing.T, rows string, fields ...arrow.Field) *kit {
		k := withoutCopy(t, s)
		k.moreCopy("a.parquet", append([]arrow.Field{field("id", int32s), field("qty", int32s), field("price", cents)}, fields...), rows)
		return k
	}
	const row = `[{"id": 1, "qty": 3, "price": "10.00", "total": "30.00"}]`
	t.Run("a new table", func(t *testing.T) {
		k := made(t, row, field("total", cents))
		p := k.writes([]string{"id", "qty", "price"}, "1 3 10.00")
		if said := checkTexts(p); !strings.Contains(said, "computed columns are left out: total") || !slices.Equal(p.Columns.LeftOut, []string{"total"}) {
			t.Errorf("not said, and %q left out:\n%s", p.Columns.LeftOut, said)
		}
		_, snap := k.snapshot("bronze")
		if _, there := snap.Schema.Field("total"); there {
			t.Error("the stream's schema has no computed column, the table has")
		}
	})
	has := inSchema(`{"name":"amount","type":"decimal(10,2)","nullable":true,"metadata":{}},`,
		`{"name":"total","type":"decimal(10,2)","nullable":true,"metadata":{}},{"name":"qty","type":"integer","nullable":true,"metadata":{}},{"name":"price","type":"decimal(10,2)","nullable":true,"metadata":{}},`)
	for name, k := range map[string]*kit{
		"a table that has it":              made(t, row, field("total", cents)),
		"and a copy that has it not":       made(t, `[{"id": 1, "qty": 3, "price": "10.00"}]`),
		"and a copy of another type of it": made(t, `[{"id": 1, "qty": 3, "price": "10.00", "total": "2026-01-01"}]`, field("total", dates)),
	} {
		t.Run(name, func(t *testing.T) {
			k.t = t
			k.bronzeTable(has)
			p := k.writes([]string{"id", "qty", "price", "total"}, "1 3 10.00 NULL")
			if said := checkTexts(p); !strings.Contains(said, "computed columns are left out: total") {
				t.Errorf("not said:\n%s", said)
			}
		})
	}
}
