package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine"
	"cdcseed/engine/store"
)

// twice is a copy of the demo's table with its first rows in it once more.
func twice(t *testing.T, dir string, rows int64) {
	t.Helper()
	source, all := demoRows(t)
	rec, err := sampleRecord(source, all)
	if err != nil {
		t.Fatal(err)
	}
	w, err := store.OpenLocal(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, part := range map[string]arrow.Record{"a.parquet": rec, "b.parquet": rec.NewSlice(0, rows)} {
		if err := sampleFile(t.Context(), w, name, part); err != nil {
			t.Fatal(err)
		}
	}
}

// Keys are counted where a command asks for it, told as text and as JSON, and have
// to be accepted by name.
func TestSeedCountsKeys(t *testing.T) {
	c := newConsole(t)
	dir := c.kept(t)
	c.env["CDCSEED_COPY"], c.env["CDCSEED_TARGET"] = filepath.Join(dir, "twice"), filepath.Join(dir, "other")
	twice(t, c.env["CDCSEED_COPY"], 5)
	out, _ := c.want(0, "seed", "--dry-run")
	wants(t, out, "keys were not counted; --check keys")

	out, said := c.want(3, "seed", "--check", "keys", "--dry-run")
	wants(t, strings.Join(strings.Fields(out+said), " "), "5 stand more than once, 5 rows too many", "duplicate_keys: 5 keys stand more than once", "--accept",
		"in a.parquet row 1, b.parquet row 1")

	c.env["CDCSEED_CHECK"] = "all,keys"
	out, _ = c.want(3, "seed", "--dry-run", "--json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var got struct {
		Plan engine.Plan `json:"plan"`
	}
	for _, l := range lines {
		if strings.HasPrefix(l, `{"type":"plan"`) {
			if err := json.Unmarshal([]byte(l), &got); err != nil {
				t.Fatal(err)
			}
		}
	}
	if k := got.Plan.Keys; k == nil || k.Keys != 5 || k.Extra != 5 || k.Rows != got.Plan.Copy.Rows || len(k.Samples) != 5 || got.Plan.Preview.Depth != "all" {
		t.Errorf("%+v", got.Plan.Keys)
	}

	out, _ = c.want(0, "seed", "--accept", c.env["CDCSEED_ACCEPT"]+",duplicate_keys", "--confirm", "dbo.Orders")
	wants(t, out, "Seeded.")
	c.env["CDCSEED_CHECK"] = "keys,most"
	_, said = c.want(2, "seed", "--dry-run")
	wants(t, said, `--check "most" is no choice`, "sample or all, keys")
}
