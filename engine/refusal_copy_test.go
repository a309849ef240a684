package engine_test

import (
	"fmt"
	"os"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine/delta"
	"cdcseed/engine/verdict"
)

var (
	int32s  = arrow.PrimitiveTypes.Int32
	int64s  = arrow.PrimitiveTypes.Int64
	doubles = arrow.PrimitiveTypes.Float64
	texts   = arrow.BinaryTypes.String
	cents   = &arrow.Decimal128Type{Precision: 10, Scale: 2}
	moments = &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
)

// deltaCopy makes the copy a Delta table with the columns of dbo.orders.
func (k *kit) deltaCopy(change func(*delta.Create)) {
	k.t.Helper()
	k.dropCopy()
	k.create("copy", delta.Create{
		Append: delta.Append{Operation: "CREATE TABLE"}, Protocol: delta.Protocol{MinReaderVersion: 1, MinWriterVersion: 2},
		Metadata: delta.Metadata{ID: "6f2b7d6e-0000-4000-8000-000000000003", SchemaString: `{"type":"struct","fields":[` +
			`{"name":"id","type":"integer","nullable":true,"metadata":{}},{"name":"name","type":"string","nullable":true,"metadata":{}},` +
			`{"name":"amount","type":"decimal(10,2)","nullable":true,"metadata":{}}]}`},
	}, nil, change)
}

// copyRefusals are those of a copy that is none, or not whole.
func copyRefusals() []refusal {
	return []refusal{
		{
			name: "no copy there", arrange: func(k *kit) { k.request.Copy = k.path("nowhere") },
			code: verdict.CopyNotFound, exit: 3, says: []string{"nowhere", "Check the path"},
		},
		{
			name: "a copy elsewhere", arrange: func(k *kit) { k.request.Copy = "s3://bucket/copy" },
			code: verdict.TargetPath, exit: 3, says: []string{"s3://bucket/copy", "local"},
		},
		{name: "case 20: marker files alone", arrange: func(k *kit) {
			k.dropCopy()
			k.place("", "copy", "_SUCCESS")
		}, code: verdict.CopyNotACopy, exit: 3, says: []string{"no data files", "_SUCCESS"}},
		{
			name: "case 20: a file of no bytes", arrange: func(k *kit) { k.place("", "copy", "part-2.parquet") },
			code: verdict.CopyUnreadable, exit: 3, says: []string{"part-2.parquet"},
		},
		{name: "a file that was cut off", arrange: func(k *kit) {
			whole := k.tree("copy")["a.parquet"]
			k.place(whole[:len(whole)/2], "copy", "b.parquet")
		}, code: verdict.CopyUnreadable, exit: 3, says: []string{"b.parquet"}},
		{name: "case 20: no rows", arrange: func(k *kit) {
			k.dropCopy()
			k.writeCopy("a.parquet", nil)
		}, code: verdict.CopyEmpty, exit: 3, says: []string{"no rows", "files 1"}},
		{name: "case 14: a folder inside a Delta table", arrange: func(k *kit) {
			k.deltaCopy(nil)
			k.writeCopy("day=1/a.parquet", orders(3))
			k.request.Copy = k.path("copy", "day=1")
		}, code: verdict.CopyNotACopy, exit: 3, says: []string{"inside a Delta table", "--copy"}},
		{name: "case 5: a reader feature that nobody knows", arrange: func(k *kit) {
			k.deltaCopy(func(c *delta.Create) {
				c.Protocol = delta.Protocol{MinReaderVersion: 3, MinWriterVersion: 7, ReaderFeatures: []string{"fooBar"}, WriterFeatures: []string{"fooBar"}}
			})
		}, code: verdict.CopyFeature, exit: 3, says: []string{"fooBar"}},
		{
			name: "a Delta copy without rows", arrange: func(k *kit) { k.deltaCopy(nil) },
			code: verdict.CopyEmpty, exit: 3, says: []string{"files 0"},
		},
		{name: "case 6: flagged rows", arrange: func(k *kit) {
			k.newCopy([]arrow.Field{field("id", int32s), field("name", texts), field("amount", cents), field("_fivetran_deleted", arrow.FixedWidthTypes.Boolean)},
				`[{"id": 1, "_fivetran_deleted": false}, {"id": 2, "_fivetran_deleted": true}]`)
		}, code: verdict.CopyMarks, exit: 3, says: []string{"Fivetran", "_fivetran_deleted", "--exclude-deleted", "--keep-deleted"}},
		{name: "case 6: another tool's flag", arrange: func(k *kit) {
			k.newCopy([]arrow.Field{field("id", int32s), field("name", texts), field("amount", cents), field("_ab_cdc_deleted_at", texts)},
				`[{"id": 1}, {"id": 2, "_ab_cdc_deleted_at": "2026-09-01"}]`)
		}, code: verdict.CopyMarks, exit: 3, says: []string{"Airbyte", "_ab_cdc_deleted_at"}},
		{name: "a stream's own output", arrange: func(k *kit) {
			k.newCopy([]arrow.Field{field("id", int32s), field("name", texts), field("amount", cents), field("_operation", int32s)}, `[{"id": 1, "_operation": 4}]`)
		}, code: verdict.CopyMarks, exit: 3, says: []string{"_operation", "--ignore-mark"}},
	}
}

// columnRefusals are those of columns that do not match and values that do not fit.
func columnRefusals() []refusal {
	id, name, amount := field("id", int32s), field("name", texts), field("amount", cents)
	created := scene{columns: `{"name": "id", "type": "int"}, {"name": "created", "type": "datetime", "nullable": true}`}
	return []refusal{
		{
			name: "case 13b: a column is missing", arrange: func(k *kit) { k.newCopy([]arrow.Field{id, name}, `[{"id": 1}]`) },
			code: verdict.ColumnMissing, exit: 3, says: []string{"amount", "--missing amount="},
		},
		{name: "case 13c: a renamed column is not taken", arrange: func(k *kit) {
			k.newCopy([]arrow.Field{id, field("customer_name", texts), amount}, `[{"id": 1}]`)
		}, code: verdict.ColumnMissing, exit: 3, says: []string{"name is captured", "customer_name"}},
		{name: "a missing column that shall stop", arrange: func(k *kit) {
			k.newCopy([]arrow.Field{id, name}, `[{"id": 1}]`)
			k.request.Missing = map[string]string{"amount": "stop"}
		}, code: verdict.ColumnMissing, exit: 3, says: []string{"amount"}},
		{name: "case 13d: two columns differ only by case", arrange: func(k *kit) {
			k.newCopy([]arrow.Field{id, name, field("Amount", cents), field("AMOUNT", cents)}, `[{"id": 1}]`)
		}, code: verdict.ColumnAmbiguous, exit: 3, says: []string{"Amount, AMOUNT"}},
		{name: "case 33: the key twice", arrange: func(k *kit) {
			k.newCopy([]arrow.Field{id, field("ID", int32s), name, amount}, `[{"id": 1, "ID": 1}]`)
		}, code: verdict.ColumnAmbiguous, exit: 3, says: []string{"id, ID"}},
		{name: "case 33: a dotless i is another letter", arrange: func(k *kit) {
			k.newCopy([]arrow.Field{field("\u0131d", int32s), name, amount}, `[{"name": "x"}]`)
		}, code: verdict.ColumnMissing, exit: 3, says: []string{"id is captured"}},
		{name: "no cast leads there", arrange: func(k *kit) {
			k.newCopy([]arrow.Field{field("id", arrow.FixedWidthTypes.Date32), name, amount}, `[{"id": "2026-01-01"}]`)
		}, code: verdict.CastImpossible, exit: 3, says: []string{`"id"`, "date to int"}},
		{name: "case 7: a wider scale", arrange: func(k *kit) {
			k.newCopy([]arrow.Field{id, name, field("amount", &arrow.Decimal128Type{Precision: 18, Scale: 4})}, `[{"id": 1, "amount": "1.2345"}]`)
		}, code: verdict.CastNeedsAnswer, exit: 3, says: []string{"amount", "--cast amount=", "round"}},
		{name: "case 2: an instant for a time without zone", scene: created, arrange: func(k *kit) {
			k.newCopy([]arrow.Field{id, field("created", moments)}, `[{"id": 1, "created": "2026-07-01 15:00:00"}]`)
		}, code: verdict.CastNeedsZone, exit: 3, says: []string{"created", "--copy-time-zone"}},
		{name: "case 7: out of range", arrange: func(k *kit) {
			k.newCopy([]arrow.Field{id, name, field("amount", &arrow.Decimal128Type{Precision: 38, Scale: 2})},
				`[{"id": 1, "amount": "12345678.90"}, {"id": 2, "amount": "123456789.01"}]`)
		}, code: verdict.ValueRefused, exit: 3, says: []string{`"amount"`, "123456789.01", "a.parquet row 2"}},
		{name: "a key beyond int", arrange: func(k *kit) {
			k.newCopy([]arrow.Field{field("id", int64s), name, amount}, `[{"id": 3000000000}]`)
		}, code: verdict.ValueRefused, exit: 3, says: []string{`"id"`, "3000000000"}},
		{name: "a value beyond the sample", arrange: func(k *kit) {
			k.request.Check = "all"
			k.newCopy([]arrow.Field{field("id", doubles), name, amount}, `[{"id": 1}]`)
			for i := range 6 {
				rec := recordOf(k.t, []arrow.Field{field("id", doubles), name, amount}, fmt.Sprintf(`[{"id": %d}, {"id": 0.5}]`, i))
				k.writeFile(fmt.Sprintf("b%d.parquet", i), rec)
				rec.Release()
			}
			k.must(os.Remove(k.path("copy", "a.parquet")))
			k.request.Cast = map[string]string{"id": "stop"}
		}, code: verdict.ValueRefused, exit: 3, says: []string{"6 ", "0.5"}},
	}
}
