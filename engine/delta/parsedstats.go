package delta

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// statsText writes a checkpoint's struct of statistics as the JSON text that
// commits have.
func statsText(a *array.Struct, i int) (string, error) {
	o, err := statsObject(a, i)
	if err != nil {
		return "", err
	}
	text, err := encode(o)
	return string(text), err
}

// statsObject leaves null out: there it means that nothing is known.
func statsObject(a *array.Struct, i int) (Object, error) {
	var o Object
	for n := range a.NumField() {
		col, name := a.Field(n), fieldName(a, n)
		if col.IsNull(i) {
			continue
		}
		v, err := statsValue(col, i)
		if err != nil {
			return Object{}, fmt.Errorf("statistics %q: %w", name, err)
		}
		if v == nil {
			continue
		}
		if err := o.Set(name, v); err != nil {
			return Object{}, err
		}
	}
	return o, nil
}

func statsValue(a arrow.Array, i int) (any, error) {
	switch a := a.(type) {
	case *array.Struct:
		return statsObject(a, i)
	case *array.Boolean:
		return a.Value(i), nil
	case *array.Int8:
		return a.Value(i), nil
	case *array.Int16:
		return a.Value(i), nil
	case *array.Int32:
		return a.Value(i), nil
	case *array.Int64:
		return a.Value(i), nil
	case *array.Float32:
		return floatValue(float64(a.Value(i)), 32), nil
	case *array.Float64:
		return floatValue(a.Value(i), 64), nil
	case *array.Decimal128:
		if t, ok := a.DataType().(*arrow.Decimal128Type); ok {
			return json.Number(a.Value(i).ToString(t.Scale)), nil
		}
	case *array.String:
		return a.Value(i), nil
	case *array.LargeString:
		return a.Value(i), nil
	case *array.Date32:
		return time.Unix(int64(a.Value(i))*86_400, 0).UTC().Format("2006-01-02"), nil
	case *array.Timestamp:
		if t, ok := a.DataType().(*arrow.TimestampType); ok {
			return timestampValue(int64(a.Value(i)), t), nil
		}
	}
	return nil, nil // no minimum or maximum of such a type is in statistics
}

// floatValue writes what JSON has no number for as a string, as Spark does.
func floatValue(v float64, bits int) any {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 1):
		return "Infinity"
	case math.IsInf(v, -1):
		return "-Infinity"
	default:
		return json.Number(strconv.FormatFloat(v, 'g', -1, bits))
	}
}

// timestampValue keeps microseconds: rounding to the milliseconds of a
// commit's text could make a bound too narrow.
func timestampValue(v int64, t *arrow.TimestampType) string {
	var at time.Time
	switch t.Unit {
	case arrow.Second:
		at = time.Unix(v, 0)
	case arrow.Millisecond:
		at = time.UnixMilli(v)
	case arrow.Microsecond:
		at = time.UnixMicro(v)
	default:
		at = time.Unix(0, v)
	}
	layout := "2006-01-02T15:04:05.000000"
	if t.TimeZone != "" {
		layout += "Z"
	}
	return at.UTC().Format(layout)
}
