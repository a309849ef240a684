package tsql

import (
	"context"
	"fmt"
	"testing"

	"cdcseed/fakeserver/tds"
)

// bigWorld has one table of 100,000 rows.
type bigWorld struct {
	sampleWorld
	rows [][]any
}

func (w *bigWorld) Table(Name) (*Relation, error) {
	cols := []tds.Column{col("Id", "int"), col("Name", "nvarchar(50)"), col("Lsn", "binary(10)")}
	return &Relation{Columns: cols, Rows: func(context.Context) ([][]any, error) { return w.rows, nil }}, nil
}

type discard struct{ recorder }

func (*discard) Columns([]tds.Column) {}
func (*discard) Row(...any) error     { return nil }

func BenchmarkQuery(b *testing.B) {
	w := &bigWorld{}
	for i := range 100_000 {
		w.rows = append(w.rows, []any{int64(i), fmt.Sprint("name ", i), []byte(fmt.Sprintf("%010d", i))})
	}
	for name, text := range map[string]string{
		"all":     "SELECT * FROM big",
		"page":    "SELECT TOP (1000) Id, Name FROM big WHERE Id > 50000 ORDER BY Id",
		"lsn":     "SELECT Id FROM big WHERE Lsn >= 0x30303030303530303030 AND Name LIKE N'name 9%'",
		"count":   "SELECT COUNT_BIG(*), MAX(Lsn) FROM big",
		"group":   "SELECT Id % 10, COUNT(*) FROM big GROUP BY Id % 10",
		"newest":  "WITH q AS (SELECT ROW_NUMBER() OVER (PARTITION BY Id % 1000 ORDER BY Lsn DESC) rn, Id FROM big) SELECT Id FROM q WHERE rn = 1",
		"literal": "SELECT 1",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				q := &tds.Request{Kind: "batch", SQL: text}
				if err := NewSession(w, sampleNow).Run(b.Context(), q, &discard{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
