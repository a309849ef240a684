package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine"
	"cdcseed/engine/delta"
	"cdcseed/engine/delta/deltatest"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// keyed is a kit whose table's primary key are these columns, in a database of
// this collation.
func keyed(t *testing.T, collation, columns, key string) *kit {
	t.Helper()
	k := kitOf(t, scene{
		columns: columns, key: key, database: fmt.Sprintf(`"cdc": true, "collation": %q, "cleanup": {"retention_minutes": 4320}`, collation),
	}.text())
	k.now = k.server.Now
	k.request.CountKeys = true
	return k
}

const (
	ciAS = "SQL_Latin1_General_CP1_CI_AS"
)

// plainIDs are the scene's columns.
func plainIDs(t *testing.T) *kit { return keyed(t, ciAS, "", "id") }

// findings are the checks that tell of keys, as level and text.
func findings(p engine.Plan) []string {
	var out []string
	for _, c := range p.Checks {
		if strings.Contains(c.Text, "key") {
			out = append(out, string(c.Level)+" "+c.Text)
		}
	}
	return out
}

// Keys that stand twice, in a file or over several, have to be accepted by name,
// and the commit records that they were.
func TestDuplicateKeysAreAccepted(t *testing.T) {
	t.Parallel()
	k := plainIDs(t)
	k.writeCopy("a.parquet", orders(5))
	k.writeCopy("b.parquet", append(orders(2), orders(1)...))
	k.writeCopy("c.parquet", []order{{9, "nine", 900}})
	p, err := k.build()
	k.must(err)
	keys := p.Keys
	if keys == nil || keys.Rows != 9 || keys.Keys != 2 || keys.Extra != 3 || keys.Groups != 0 || !slices.Equal(keys.Columns, []string{"id"}) {
		t.Fatalf("%+v", keys)
	}
	want := []engine.KeySample{
		{Count: 3, Rows: []engine.KeyRow{{Key: "id = 1", File: "a.parquet", Row: 1}, {Key: "id = 1", File: "b.parquet", Row: 1}, {Key: "id = 1", File: "b.parquet", Row: 3}}},
		{Count: 2, Rows: []engine.KeyRow{{Key: "id = 2", File: "a.parquet", Row: 2}, {Key: "id = 2", File: "b.parquet", Row: 2}}},
	}
	if fmt.Sprint(keys.Samples) != fmt.Sprint(want) {
		t.Errorf("%+v\nwant %+v", keys.Samples, want)
	}
	if got := findings(p); !slices.Equal(got, []string{"warn 2 keys stand more than once in the copy (id): 3 rows too many"}) {
		t.Errorf("%q", got)
	}
	before := k.tree()
	if _, err := k.seed(); !isCode(err, verdict.WarningUnaccepted) || verdict.As(err).Code.Exit() != verdict.ExitRefused {
		t.Errorf("%v", err)
	}
	same(t, "unaccepted", before, k.tree())
	k.request.Accept = []string{"duplicate_keys"}
	k.seeded(9)
	if got := k.lastCommit("bronze").Info.Tags["cdcseed.accepted"]; got != "duplicate_keys" {
		t.Errorf("the commit records %q as accepted", got)
	}
}

// Without --check keys nothing is counted, and the warning cannot be accepted
// beforehand.
func TestDuplicateKeysAreNotCountedUnasked(t *testing.T) {
	t.Parallel()
	k := plainIDs(t)
	k.request.CountKeys = false
	k.writeCopy("a.parquet", append(orders(2), orders(2)...))
	p, err := k.build()
	if err != nil || p.Keys != nil || len(findings(p)) != 0 {
		t.Errorf("%+v, %q, %v", p.Keys, findings(p), err)
	}
	k.request.Accept = []string{"duplicate_keys"}
	if _, err := k.build(); !isCode(err, verdict.AcceptUnknown) {
		t.Error(err)
	}
}

// Where each row has its own key, that is said, and a seed that is there already
// is not counted again.
func TestDuplicateKeysNone(t *testing.T) {
	t.Parallel()
	k := plainIDs(t)
	k.writeCopy("a.parquet", orders(20))
	p, err := k.build()
	k.must(err)
	if got := findings(p); !slices.Equal(got, []string{"ok no two of 20 rows have the same key (id)"}) || !p.Keys.Sure() {
		t.Errorf("%q, %+v", got, p.Keys)
	}
	k.seeded(20)
	if p, err = k.build(); err != nil || p.State != engine.AlreadySeeded || p.Keys != nil || len(findings(p)) != 0 {
		t.Errorf("%s, %+v, %q, %v", p.State, p.Keys, findings(p), err)
	}
}

// An index compares as its columns' collation says, behind the cast: what the
// source could hold apart is no duplicate, what it could not is one, and what only
// the server knows is told apart from both.
func TestDuplicateKeysFoldAsTheIndexDoes(t *testing.T) {
	t.Parallel()
	const code = `{"name": "code", "type": "char(6)"}, {"name": "part", "type": "binary(4)"}`
	for _, c := range []struct {
		collation string
		rows      string
		keys      int64
		groups    int64
		collated  []string
	}{
		{ciAS, codes("abc", "ABC", "abc   ", "abd"), 1, 0, nil},
		{"Latin1_General_100_CS_AS", codes("abc", "ABC", "abd"), 0, 0, nil},
		{"Latin1_General_100_CS_AS", codes("abc", "abc  "), 1, 0, nil},
		{"Latin1_General_100_BIN2", codes("abc", "ABC", "e\u0301", "\u00e9"), 0, 0, nil},
		{"Latin1_General_CI_AI", codes("caf\u00e9", "CAFE"), 1, 0, nil},
		{ciAS, codes("caf\u00e9", "CAFE"), 0, 0, nil},
		{ciAS, codes("ma\u00dfe", "MASSE"), 0, 1, []string{ciAS}},
		{ciAS, `[{"code": "a", "part": "AQ=="}, {"code": "A", "part": "AQAAAA=="}, {"code": "a", "part": "AgAA"}]`, 1, 0, nil}, // 0x01, 0x01000000, 0x020000
	} {
		k := keyed(t, c.collation, code, "code,part")
		k.newCopy([]arrow.Field{field("code", texts), field("part", arrow.BinaryTypes.Binary)}, c.rows)
		p, err := k.build()
		k.must(err)
		if p.Keys == nil || len(p.Stops) > 0 {
			t.Errorf("%s %s: %+v, %+v", c.collation, c.rows, p.Keys, p.Stops)
			continue
		}
		if p.Keys.Keys != c.keys || p.Keys.Groups != c.groups || !slices.Equal(p.Keys.Collations, c.collated) {
			t.Errorf("%s %s: %+v, want %d and %d", c.collation, c.rows, p.Keys, c.keys, c.groups)
		}
		if open := unaccepted(p); (c.keys+c.groups > 0) != slices.Contains(open, "duplicate_keys") {
			t.Errorf("%s %s: %q are to be accepted", c.collation, c.rows, open)
		}
	}
}

// codes are rows of a code each, whose part is 0x01.
func codes(list ...string) string {
	var rows []string
	for _, c := range list {
		rows = append(rows, fmt.Sprintf(`{"code": %q, "part": "AQ=="}`, c))
	}
	return "[" + strings.Join(rows, ",") + "]"
}

// Rows that the seed leaves out count for nothing: those that another tool flagged,
// and those that a deletion vector hides.
func TestDuplicateKeysOfRowsLeftOut(t *testing.T) {
	t.Parallel()
	k := plainIDs(t)
	k.newCopy([]arrow.Field{field("id", int32s), field("name", texts), field("amount", cents), field("_fivetran_deleted", arrow.FixedWidthTypes.Boolean)},
		`[{"id": 1}, {"id": 2, "_fivetran_deleted": true}, {"id": 2}, {"id": 3}, {"id": 3, "_fivetran_deleted": true}]`)
	k.request.ExcludeDeleted = true
	if p, err := k.build(); err != nil || p.Keys == nil || !p.Keys.Sure() || p.Keys.Rows != 3 {
		t.Errorf("%+v, %v", p.Keys, err)
	}
	k.request.ExcludeDeleted, k.request.KeepDeleted = false, true
	if p, err := k.build(); err != nil || p.Keys == nil || p.Keys.Keys != 2 || p.Keys.Rows != 5 {
		t.Errorf("%+v, %v", p.Keys, err)
	}
	hidden := plainIDs(t)
	hidden.vectorCopy(`[{"id": 1, "name": "one"}, {"id": 1, "name": "one, once more"}, {"id": 3, "name": "three"}]`, 1)
	if p, err := hidden.build(); err != nil || p.Copy.Deleted != 1 || p.Keys == nil || !p.Keys.Sure() || p.Keys.Rows != 2 {
		t.Errorf("%+v, %+v, %v", p.Copy, p.Keys, err)
	}
	hidden.vectorCopy(`[{"id": 1, "name": "one"}, {"id": 3, "name": "three"}, {"id": 1, "name": "one, once more"}]`, 1)
	if p, err := hidden.build(); err != nil || p.Keys == nil || p.Keys.Keys != 1 || p.Keys.Samples[0].Rows[0].Row != 1 || p.Keys.Samples[0].Rows[1].Row != 3 {
		t.Errorf("%+v, %v", p.Keys, err)
	}
}

// vectorCopy puts a Delta table of one file in the place of the copy, with these
// rows of the file hidden.
func (k *kit) vectorCopy(rows string, hidden ...int64) {
	k.t.Helper()
	k.dropCopy()
	k.deltaCopy(func(c *delta.Create) {
		c.Protocol = delta.Protocol{MinReaderVersion: 3, MinWriterVersion: 7, ReaderFeatures: []string{"deletionVectors"}, WriterFeatures: []string{"deletionVectors"}}
	})
	_, snap := k.snapshot("copy")
	rec := recordOf(k.t, arrowFields(k.t, snap.Schema), rows)
	defer rec.Release()
	k.writeFile("part-0.parquet", rec)
	k.place(fmt.Sprintf(`{"commitInfo":{"timestamp":%d,"operation":"WRITE"}}`+"\n"+
		`{"add":{"path":"part-0.parquet","partitionValues":{},"size":%d,"modificationTime":%d,"dataChange":true,"stats":"{\"numRecords\":%d}","deletionVector":%s}}`+"\n",
		someTime.Time().UnixMilli(), len(k.tree("copy")["part-0.parquet"]), someTime.Time().UnixMilli(), rec.NumRows(), jsonOf(k.t, deltatest.Inline(hidden...))),
		"copy", "_delta_log", "00000000000000000001.json")
	k.request.AllowAsOfAfterCopy = true
}

// Where there are no keys to count, the plan says why and what to type, and writes
// nothing; where something else forbids the plan, nothing is counted.
func TestDuplicateKeysRefused(t *testing.T) {
	t.Parallel()
	heap := keyed(t, ciAS, "", none)
	heap.writeCopy("a.parquet", orders(3))
	p, err := heap.build()
	heap.must(err)
	if p.State != engine.Blocked || len(p.Stops) != 1 || p.Stops[0].Code != verdict.NoKey || p.Keys != nil ||
		!strings.Contains(p.Stops[0].What, "unique index") || !strings.Contains(strings.Join(p.Stops[0].Hint, " "), "--check") {
		t.Errorf("%s: %+v", p.State, p.Stops)
	}
	heap.request.CountKeys = false
	heap.seeded(3)

	open := plainIDs(t)
	open.newCopy([]arrow.Field{field("id", int32s), field("name", texts)}, `[{"id": 1}, {"id": 1}]`)
	p, err = open.build()
	open.must(err)
	if p.State != engine.Blocked || p.Keys != nil || !slices.Equal(findings(p), []string{"note keys were not counted: something has to change first"}) {
		t.Errorf("%s: %+v, %q", p.State, p.Keys, findings(p))
	}

	wide := keyed(t, ciAS, `{"name": "id", "type": "smallint"}`, "id")
	rows := make([]string, 120_000) // beyond what a sample sees
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"id": %d}`, i%30_000)
	}
	rows[len(rows)-1] = `{"id": 40000}`
	wide.newCopy([]arrow.Field{field("id", int32s)}, "["+strings.Join(rows, ",")+"]")
	p, err = wide.build()
	wide.must(err)
	if p.State != engine.Blocked || len(p.Stops) != 1 || p.Stops[0].Code != verdict.ValueRefused || p.Keys != nil {
		t.Errorf("%s: %+v, %+v", p.State, p.Stops, p.Keys)
	}
}

// Keys of more rows than memory holds go over a folder of their own, which is gone
// behind every end: the plan, a stop, a disk that is full.
func TestDuplicateKeysOverTheDisk(t *testing.T) {
	t.Parallel()
	k := plainIDs(t)
	for i := range 4 {
		rows := orders(5_000)
		for j := range rows {
			rows[j].id += int32(i * 4_999) // the last of a file is the first of the next
		}
		k.writeCopy(fmt.Sprintf("%d.parquet", i), rows)
	}
	scratch := k.path("scratch")
	k.must(os.Mkdir(scratch, 0o755))
	left := k.path("scratch", "cdcseed-scratch-1-x")
	k.must(os.Mkdir(left, 0o700))
	session, stores := k.open()
	var told []engine.Progress
	said := ""
	build := func(o engine.BuildOptions) (engine.Plan, error) {
		o.Scratch, o.KeyMemory = scratch, 64<<10
		return engine.Build(t.Context(), session, stores.Readers(), k.request, o)
	}
	p, err := build(engine.BuildOptions{Notify: func(e engine.Event) {
		switch e := e.(type) {
		case engine.Progress:
			told = append(told, e)
		case engine.Notice:
			said += e.Text + "\n"
		}
	}})
	k.must(err)
	if p.Keys.Rows != 20_000 || p.Keys.Keys != 3 || p.Keys.Extra != 3 || p.Keys.Samples[0].Rows[0].Key != "id = 5000" {
		t.Errorf("%+v", p.Keys)
	}
	again, err := build(engine.BuildOptions{})
	if err != nil || again.Digest != p.Digest {
		t.Errorf("counted again the plan is another one: %v", err)
	}
	last := map[string]int64{}
	for _, e := range told {
		if e.Phase != engine.Recheck || e.Total != 20_000 || e.Done < last[e.Unit] || e.Done > e.Total {
			t.Errorf("%+v", e)
		}
		last[e.Unit] = e.Done
	}
	if last["rows"] != 20_000 || last["keys"] != 20_000 || !strings.Contains(said, left) {
		t.Errorf("told of %v; said %s", last, said)
	}
	if entries, err := os.ReadDir(scratch); err != nil || len(entries) != 1 {
		t.Error("beside what stood there:", entries, err)
	}
	k.must(os.RemoveAll(scratch))
	if _, err := build(engine.BuildOptions{}); !errors.Is(err, store.ErrNotExist) || verdict.As(err).Code != verdict.StoreUnreachable {
		t.Error("a folder that is not there:", err)
	}
}

// A stop while keys are read ends the plan and leaves no folder.
func TestDuplicateKeysStopped(t *testing.T) {
	t.Parallel()
	k := plainIDs(t)
	k.writeCopy("a.parquet", orders(40_000))
	k.writeCopy("b.parquet", orders(40_000))
	scratch := k.path("scratch")
	k.must(os.Mkdir(scratch, 0o755))
	session, stores := k.open()
	for _, unit := range []string{"rows", "keys"} {
		ctx, stop := context.WithCancel(t.Context())
		p, err := engine.Build(ctx, session, stores.Readers(), k.request, engine.BuildOptions{
			Scratch: scratch, KeyMemory: 64 << 10,
			Notify: func(e engine.Event) {
				if p, ok := e.(engine.Progress); ok && p.Unit == unit {
					stop()
				}
			},
		})
		if !isCode(err, verdict.Stopped) || p.Digest != "" {
			t.Errorf("stopped at the first %s: %v", unit, err)
		}
		if entries, err := os.ReadDir(scratch); err != nil || len(entries) != 0 {
			t.Error("left behind:", entries, err)
		}
		stop()
	}
}

// --check takes how deep values are looked at, and keys, in any order.
func TestCheckFlag(t *testing.T) {
	flag := engine.SeedFlags()[slices.IndexFunc(engine.SeedFlags(), func(f engine.Flag) bool { return f.Name == "check" })]
	for _, c := range []struct {
		text, depth string
		keys        bool
		back        string
	}{
		{"sample", "sample", false, ""},
		{"all", "all", false, "all"},
		{"keys", "sample", true, "keys"},
		{"all,keys", "all", true, "all,keys"},
		{" keys , all", "all", true, "all,keys"},
		{"sample,keys", "sample", true, "keys"},
	} {
		r := engine.Request{Check: "all", CountKeys: true}
		if err := flag.Set(&r, c.text); err != nil || r.Check != c.depth || r.CountKeys != c.keys || strings.Join(flag.Get(&r), " ") != c.back {
			t.Errorf("%q is %q and %v, told as %q: %v", c.text, r.Check, r.CountKeys, flag.Get(&r), err)
		}
	}
	for _, text := range []string{"every", "all,sample", "all,", "keys;all", "all,all"} {
		k := plainIDs(t)
		if err := flag.Set(&k.request, text); err != nil || !isCode(k.request.Validate(), verdict.Usage) || !strings.Contains(fmt.Sprint(verdict.As(k.request.Validate()).Hint), "keys") {
			t.Errorf("%q is taken: %v", text, k.request.Validate())
		}
	}
}
