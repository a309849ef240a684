package lakecopy_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// testdata is the folder of public test files; without it the test is skipped,
// and fails where that must not happen.
func testdata(t *testing.T, parts ...string) string {
	t.Helper()
	root := os.Getenv("CDCSEED_TESTDATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "testdata")
	}
	dir := filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("no test data: %v", err)
		}
		t.Skipf("no public test data at %s; set CDCSEED_TESTDATA", dir)
	}
	return dir
}

// expectedRows reads rows as the test data writes them: one JSON object a line.
func expectedRows(t *testing.T, path string) []map[string]any {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]any
	for line := range bytes.Lines(data) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		var row map[string]any
		if err := d.Decode(&row); err != nil {
			t.Fatal(err)
		}
		out = append(out, row)
	}
	return out
}

// value renders one value in the encoding of the test data: numbers and
// decimals as json.Number, text and times as string, bytes escaped.
func value(a arrow.Array, i int) any {
	if a.IsNull(i) || a.DataType().ID() == arrow.NULL {
		return nil
	}
	switch a := a.(type) {
	case *array.Boolean:
		return a.Value(i)
	case *array.Float32:
		return float(float64(a.Value(i)))
	case *array.Float64:
		return float(a.Value(i))
	case *array.Float16:
		return float(float64(a.Value(i).Float32()))
	case *array.Decimal128:
		return json.Number(decimal(a.Value(i).BigInt(), a.DataType().(*arrow.Decimal128Type).Scale))
	case *array.Date32:
		return time.Unix(int64(a.Value(i))*86400, 0).UTC().Format("2006-01-02")
	case *array.Timestamp:
		return moment(int64(a.Value(i)), a.DataType().(*arrow.TimestampType).Unit)
	case *array.String:
		return a.Value(i)
	case *array.Binary:
		return escaped(a.Value(i))
	case *array.FixedSizeBinary:
		return escaped(a.Value(i))
	case *array.Struct:
		out := map[string]any{}
		for f := range a.NumField() {
			out[a.DataType().(*arrow.StructType).Field(f).Name] = value(a.Field(f), i)
		}
		return out
	case *array.Map:
		from, to := a.ValueOffsets(i)
		out := []any{}
		for j := from; j < to; j++ {
			out = append(out, map[string]any{"key": value(a.Keys(), int(j)), "value": value(a.Items(), int(j))})
		}
		return out
	case *array.List:
		from, to := a.ValueOffsets(i)
		out := []any{}
		for j := from; j < to; j++ {
			out = append(out, value(a.ListValues(), int(j)))
		}
		return out
	default:
		return json.Number(a.ValueStr(i)) // the integers
	}
}

func float(v float64) any {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 1):
		return "Infinity"
	case math.IsInf(v, -1):
		return "-Infinity"
	}
	return json.Number(strconv.FormatFloat(v, 'g', -1, 64))
}

func decimal(n *big.Int, scale int32) string {
	den := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	return new(big.Rat).SetFrac(n, den).FloatString(int(scale))
}

func moment(v int64, unit arrow.TimeUnit) string {
	var t time.Time
	switch unit {
	case arrow.Millisecond:
		t = time.UnixMilli(v)
	case arrow.Microsecond:
		t = time.UnixMicro(v)
	case arrow.Nanosecond:
		t = time.Unix(0, v)
	}
	return t.UTC().Format("2006-01-02 15:04:05.999999999")
}

func escaped(b []byte) string {
	var out strings.Builder
	for _, c := range b {
		if c < ' ' || c > '~' {
			fmt.Fprintf(&out, `\x%02X`, c)
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}

// same compares a value of the test data with one that was read. The test data
// has 64-bit integers and decimals as text, and values of widened types in the
// wider form.
func same(want, got any) bool {
	switch w := want.(type) {
	case nil:
		return got == nil
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return false
		}
		for i := range w {
			if !same(w[i], g[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(g) != len(w) {
			return false
		}
		for k := range w {
			if !same(w[k], g[k]) {
				return false
			}
		}
		return true
	}
	if got == nil {
		return false
	}
	a, b := fmt.Sprint(want), fmt.Sprint(got)
	if text, isText := got.(string); isText {
		a = strings.TrimSuffix(a, "+00")
		if a == b || a == escaped([]byte(text)) || a == b+" 00:00:00" {
			return true
		}
	}
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	return a == b || okX && okY && x.Cmp(y) == 0
}
