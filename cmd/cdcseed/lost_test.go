package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"cdcseed/engine/store"
)

// without is a copy of the demo's table that lacks a column.
func without(t *testing.T, dir, column string) {
	t.Helper()
	source, rows := demoRows(t)
	rec, err := sampleRecord(source, rows)
	if err != nil {
		t.Fatal(err)
	}
	at := rec.Schema().FieldIndices(column)[0]
	fields := slices.Delete(slices.Clone(rec.Schema().Fields()), at, at+1)
	less := array.NewRecord(arrow.NewSchema(fields, nil), slices.Delete(slices.Clone(rec.Columns()), at, at+1), rec.NumRows())
	w, err := store.OpenLocal(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := sampleFile(t.Context(), w, "less.parquet", less); err != nil {
		t.Fatal(err)
	}
}

// A seed by command says behind its result what the casts lost; one that is found
// loses nothing now.
func TestSeedTellsWhatItsCastsLost(t *testing.T) {
	c := newConsole(t)
	dir := c.kept(t)
	c.env["CDCSEED_COPY"] = filepath.Join(dir, "less")
	without(t, c.env["CDCSEED_COPY"], "WarehouseCode")
	c.env["CDCSEED_TARGET"], c.env["CDCSEED_MISSING"] = filepath.Join(dir, "other"), "WarehouseCode=null"
	out, _ := c.want(0, "seed", "--confirm", "dbo.Orders")
	wants(t, out, "Seeded. 3,00", "Lost in the cast, in 3,00", "rows written:", "WarehouseCode: NULL in every row")
	if out, _ = c.want(0, "seed", "--confirm", "dbo.Orders"); strings.Contains(out, "Lost in the cast") {
		t.Error(out)
	}
}
