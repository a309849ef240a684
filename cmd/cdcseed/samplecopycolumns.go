package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// sampleColumn is a column of the sample copy.
type sampleColumn struct {
	name string // as the copy spells it
	from string // the source's column; empty for one of the tool's own
	typ  arrow.DataType
	put  func(array.Builder, any) error // nil is NULL
}

// sampleColumns are as copying tools make them: some types differ, some texts
// are spelled otherwise, a name has another case, and two columns are of no use.
func sampleColumns() []sampleColumn {
	wall := &arrow.TimestampType{Unit: arrow.Microsecond}
	utc := &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
	text, bytes := arrow.BinaryTypes.String, arrow.BinaryTypes.Binary
	plain := into(func(b *array.StringBuilder, v string) { b.Append(v) })
	raw := into(func(b *array.BinaryBuilder, v []byte) { b.Append(v) })
	whole := into(func(b *array.Int32Builder, v int64) { b.Append(int32(v)) })
	long := into(func(b *array.Int64Builder, v int64) { b.Append(v) })
	stamp := into(func(b *array.TimestampBuilder, v time.Time) { b.Append(arrow.Timestamp(v.UnixMicro())) })
	return []sampleColumn{
		{"OrderId", "OrderId", arrow.PrimitiveTypes.Int64, long},
		{"CustomerId", "CustomerId", arrow.PrimitiveTypes.Int64, long}, // int as bigint
		{"STATUSCODE", "StatusCode", arrow.PrimitiveTypes.Int32, whole},
		{"IsPriority", "IsPriority", arrow.FixedWidthTypes.Boolean, into(func(b *array.BooleanBuilder, v bool) { b.Append(v) })},
		{"QUANTITY", "Quantity", arrow.PrimitiveTypes.Int32, whole},
		{"UnitPrice", "UnitPrice", &arrow.Decimal128Type{Precision: 18, Scale: 2}, decimals(18, 2)},
		{"Amount", "Amount", &arrow.Decimal128Type{Precision: 18, Scale: 4}, decimals(18, 4)}, // digits that the source has not
		{"Shipping", "Shipping", arrow.PrimitiveTypes.Float64, moneyAsDouble},
		{"Weight", "Weight", arrow.PrimitiveTypes.Float64, into(func(b *array.Float64Builder, v float64) { b.Append(v) })},
		{"Discount", "Discount", arrow.PrimitiveTypes.Float32, into(func(b *array.Float32Builder, v float64) { b.Append(float32(v)) })},
		{"CreatedAt", "CreatedAt", wall, stamp},
		{"UpdatedAt", "UpdatedAt", utc, stamp}, // labelled UTC
		{"OrderDate", "OrderDate", arrow.FixedWidthTypes.Date32, into(func(b *array.Date32Builder, v time.Time) { b.Append(arrow.Date32FromTime(v)) })},
		{"PickupTime", "PickupTime", text, into(func(b *array.StringBuilder, v time.Duration) { b.Append(clockText(v)) })},
		{"SubmittedAt", "SubmittedAt", utc, stamp},
		{"WarehouseCode", "WarehouseCode", text, into(func(b *array.StringBuilder, v string) { b.Append(strings.TrimRight(v, " ")) })},
		{"CustomerName", "CustomerName", text, plain},
		{"Reference", "Reference", text, plain},
		{"RowGuid", "RowGuid", text, into(func(b *array.StringBuilder, v string) { b.Append(strings.ToLower(v)) })},
		{"Signature", "Signature", bytes, raw},
		{"Note", "Note", text, plain},
		{"LineTotal", "LineTotal", &arrow.Decimal128Type{Precision: 29, Scale: 2}, decimals(29, 2)},
		{"RowVer", "RowVer", bytes, raw},
		{"etl_loaded_at", "", utc, loadedAt},
	}
}

// into makes a put of what appends a value of the source's Go type.
func into[B array.Builder, V any](add func(B, V)) func(array.Builder, any) error {
	return func(b array.Builder, v any) error {
		if v == nil {
			b.AppendNull()
			return nil
		}
		to, fits := b.(B)
		value, is := v.(V)
		if !fits || !is {
			return fmt.Errorf("%T into %T", v, b)
		}
		add(to, value)
		return nil
	}
}

func decimals(precision, scale int32) func(array.Builder, any) error {
	return func(b array.Builder, v any) error {
		if v == nil {
			b.AppendNull()
			return nil
		}
		n, err := decimal128.FromString(fmt.Sprint(v), precision, scale)
		if err != nil {
			return err
		}
		return into(func(b *array.Decimal128Builder, n decimal128.Num) { b.Append(n) })(b, n)
	}
}

// moneyAsDouble is what many tools make of money.
func moneyAsDouble(b array.Builder, v any) error {
	if v == nil {
		b.AppendNull()
		return nil
	}
	f, err := strconv.ParseFloat(fmt.Sprint(v), 64)
	if err != nil {
		return err
	}
	return into(func(b *array.Float64Builder, f float64) { b.Append(f) })(b, f)
}

// loadedAt is the tool's own column: when the row was loaded.
func loadedAt(b array.Builder, _ any) error {
	at := time.Date(2026, 10, 25, 0, 41, 0, 0, time.UTC)
	return into(func(b *array.TimestampBuilder, t time.Time) { b.Append(arrow.Timestamp(t.UnixMicro())) })(b, at)
}

// clockText is a time of day with seven digits, as exports print time(7).
func clockText(d time.Duration) string {
	return time.Time{}.Add(d).Format("15:04:05.0000000")
}
