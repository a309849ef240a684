package lakecopy

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"cdcseed/engine/verdict"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// twice is a partition column that the file has too.
type twice struct {
	name  string
	place int // in the file's records
}

// checkTwice refuses a row in which a column of the file says another thing than
// the folder: nobody can tell which of the two is meant.
func (s *Scanner) checkTwice(in arrow.Record) error {
	for _, t := range s.twice {
		text, values := s.file.Partition[t.name], in.Column(t.place)
		same := sameAs(text, values)
		for i := range values.Len() {
			if same(i) {
				continue
			}
			return &verdict.Error{
				Code: verdict.ColumnAmbiguous,
				What: fmt.Sprintf("column %q stands in a folder's name and in data file %q of %q, with different values", t.name, s.file.Key, s.c.URL),
				Facts: verdict.Facts("row", s.read+int64(i)+1, "the folder says", shown(text),
					fmt.Sprintf("column %q of the file says", in.ColumnName(t.place)), values.ValueStr(i)),
				Why:  "Which of the two is the row's value cannot be told.",
				Hint: []string{"Write the copy again without the column in the files, or rename the folders' column."},
			}
		}
	}
	return nil
}

func shown(text *string) string {
	if text == nil {
		return "NULL"
	}
	return strconv.Quote(*text)
}

// sameAs tells of each value whether a folder's text says the same. A text that
// is none of the column's type says something else.
func sameAs(text *string, values arrow.Array) func(i int) bool {
	if text == nil {
		return values.IsNull
	}
	same := valueIs(*text, values)
	return func(i int) bool { return values.IsValid(i) && same(i) }
}

func never(int) bool { return false }

func valueIs(text string, values arrow.Array) func(i int) bool {
	switch a := values.(type) {
	case *array.String:
		return func(i int) bool { return a.Value(i) == text }
	case *array.Binary:
		return func(i int) bool { return string(a.Value(i)) == text }
	case *array.Boolean:
		return func(i int) bool { return strings.EqualFold(strconv.FormatBool(a.Value(i)), text) }
	case *array.Float32:
		return floatIs(text, 32, func(i int) float64 { return float64(a.Value(i)) })
	case *array.Float64:
		return floatIs(text, 64, a.Value)
	case *array.Decimal128:
		return decimalIs(text, a.DataType(), func(i int) *big.Int { return a.Value(i).BigInt() })
	case *array.Decimal256:
		return decimalIs(text, a.DataType(), func(i int) *big.Int { return a.Value(i).BigInt() })
	case *array.Date32:
		return timeIs(text, func(i int) time.Time { return a.Value(i).ToTime() })
	case *array.Timestamp:
		if t, ok := a.DataType().(*arrow.TimestampType); ok {
			return timeIs(text, func(i int) time.Time { return a.Value(i).ToTime(t.Unit) })
		}
	}
	if arrow.IsInteger(values.DataType().ID()) {
		plain, ok := new(big.Int).SetString(text, 10)
		if !ok {
			return never
		}
		digits := plain.String() // "007" is 7
		return func(i int) bool { return values.ValueStr(i) == digits }
	}
	return func(i int) bool { return values.ValueStr(i) == text }
}

func floatIs(text string, bits int, value func(int) float64) func(int) bool {
	want, err := strconv.ParseFloat(text, bits)
	if err != nil {
		return never
	}
	return func(i int) bool { return value(i) == want || math.IsNaN(value(i)) && math.IsNaN(want) }
}

// decimalIs compares exactly: a text with more digits than the column has is
// another value.
func decimalIs(text string, t arrow.DataType, value func(int) *big.Int) func(int) bool {
	d, ok := t.(arrow.DecimalType)
	if !ok || len(text) > 100 || strings.Trim(text, "+-.0123456789") != "" {
		return never
	}
	want, ok := new(big.Rat).SetString(text)
	if !ok {
		return never
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d.GetScale())), nil)
	return func(i int) bool { return new(big.Rat).SetFrac(value(i), unit).Cmp(want) == 0 }
}

// timeIs takes a text without a zone for UTC, or for the wall clock of a column
// without one.
func timeIs(text string, value func(int) time.Time) func(int) bool {
	for _, layout := range []string{"2006-01-02", "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", time.RFC3339} {
		if want, err := time.Parse(layout, text); err == nil {
			return func(i int) bool { return value(i).Equal(want) }
		}
	}
	return never
}
