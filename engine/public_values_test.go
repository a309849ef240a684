package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// publicValue writes a value of the target in the one form that both sides are brought to.
func publicValue(a arrow.Array, i int) string {
	if a.IsNull(i) {
		return "NULL"
	}
	switch a := a.(type) {
	case *array.Float32:
		return floatText(float64(a.Value(i)))
	case *array.Float64:
		return floatText(a.Value(i))
	case *array.Decimal128:
		return numberText(a.Value(i).ToString(a.DataType().(*arrow.Decimal128Type).Scale))
	case *array.Date32:
		return time.Unix(int64(a.Value(i))*86400, 0).UTC().Format(time.DateOnly)
	case *array.Timestamp:
		return time.UnixMicro(int64(a.Value(i))).UTC().Format("2006-01-02 15:04:05.999999")
	case *array.Binary:
		return escapedText(a.Value(i))
	}
	return a.ValueStr(i)
}

func floatText(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 0):
		return strings.TrimPrefix(fmt.Sprintf("%vinity", v), "+")
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func numberText(text string) string {
	v, ok := new(big.Rat).SetString(text)
	if !ok {
		return text
	}
	return v.RatString()
}

func escapedText(b []byte) string {
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

// publicExpected reads the rows that another decoder found, in the same form.
func publicExpected(t *testing.T, path string, columns []publicColumn) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range bytes.Lines(data) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		var values map[string]any
		if err := d.Decode(&values); err != nil {
			t.Fatal(err)
		}
		row := make([]string, len(columns))
		for i, c := range columns {
			row[i] = c.name + "=" + c.expected(values[c.name])
		}
		out = append(out, strings.Join(row, " "))
	}
	return out
}

func (c publicColumn) expected(v any) string {
	text := fmt.Sprint(v)
	kind, _, _ := strings.Cut(c.sql, "(")
	switch {
	case v == nil:
		return "NULL"
	case kind == "real" || kind == "float":
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return text
		}
		return floatText(f)
	case kind == "decimal":
		return numberText(text)
	case kind == "datetimeoffset" || kind == "datetime2":
		return strings.TrimSuffix(text, "+00")
	}
	return text
}
