package cast_test

import (
	"strings"
	"testing"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// A refusal says which files it is about where it is not about all, in words
// that a person can act on.
func TestRefusalsNameFilesAndNotClasses(t *testing.T) {
	amount := col(t, "amount", scaled("decimal", 10, 2))
	wide := schema.FileClass{ID: "c1", Writer: "Spark 3.5.1, parquet-mr", Files: 1200, Columns: []schema.CopyColumn{named(decimalCol(18, 4), "amount")}}
	exact := schema.FileClass{ID: "c2", Writer: "parquet-cpp-arrow", Files: 3, Columns: []schema.CopyColumn{named(decimalCol(10, 2), "amount")}}
	nested := schema.FileClass{ID: "c2", Files: 1, Columns: []schema.CopyColumn{named(groupCol, "amount")}}
	twice := schema.FileClass{ID: "c2", Writer: "pandas", Files: 2, Columns: []schema.CopyColumn{named(decimalCol(10, 2), "Amount"), named(decimalCol(10, 2), "AMOUNT")}}
	for _, c := range []struct {
		name    string
		classes []schema.FileClass
		code    verdict.Code
		says    string
	}{
		{"all files", []schema.FileClass{wide}, verdict.CastNeedsAnswer, "digits after the point are dropped"},
		{"some files", []schema.FileClass{wide, exact}, verdict.CastNeedsAnswer, "dropped (1,200 of 1,203 files, written by Spark 3.5.1, parquet-mr)"},
		{"no cast", []schema.FileClass{exact, nested}, verdict.CastImpossible, "(1 of 4 files)"},
		{"two of a name", []schema.FileClass{wide, twice}, verdict.ColumnAmbiguous, "Amount, AMOUNT (2 of 1,202 files, written by pandas)"},
	} {
		if c.name == "no cast" {
			c.classes[0].ID = "c1"
		}
		m, err := cast.Match([]schema.TargetColumn{amount}, c.classes, cast.Answers{})
		if err == nil {
			err = m.Refusal()
		}
		e := verdict.As(err)
		if e == nil || e.Code != c.code || len(e.Facts) != 1 || !strings.HasSuffix(e.Facts[0].Value, c.says) {
			t.Errorf("%s: %v, want %s %q", c.name, err, c.code, c.says)
		}
	}
}
