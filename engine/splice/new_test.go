package splice_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/metadata"

	"cdcseed/engine/cast"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/schema"
	"cdcseed/engine/splice"
	"cdcseed/engine/splice/footer"
	"cdcseed/engine/splice/footer/thrift"
	"cdcseed/engine/store"
)

// common is the scene of most tests: several row groups, a dictionary that fills up.
func common(t *testing.T, props ...parquet.WriterProperty) *scene {
	t.Helper()
	if props == nil {
		props = shapes()[2].props
	}
	data := parquetOf(t, made([]int{2000, 1500, 900}, 3), props...)
	return newScene(t, data, captured(t), answers())
}

func answers() cast.Answers {
	return cast.Answers{Zone: "UTC", Missing: map[string]cast.Answer{"absent": cast.Null}}
}

func bytesOf(t *testing.T, r store.Reader, key string) []byte {
	t.Helper()
	b, err := store.ReadAll(t.Context(), r, key)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func footerOf(t *testing.T, b []byte) *footer.Footer {
	t.Helper()
	f, err := footer.Read(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range f.Check(int64(len(b))) {
		if p.Kind.Remedy() > footer.Keep {
			t.Error(p)
		}
	}
	return f
}

// Readers that split a file take a row group for the split in which the middle of
// its bytes lies: from the first column's first page on, half the chunks' sizes.
// However the file is split, each group must be found once, by its own rows.
func TestEverySplitFindsItsRowGroups(t *testing.T) {
	s := common(t)
	s.splice()
	b := bytesOf(t, s.target, "spliced.parquet")
	f := footerOf(t, b)
	for _, split := range []int64{500, 4096, 60_000, 1 << 30} {
		found := 0
		for from := int64(0); from < int64(len(b)); from += split {
			for _, g := range f.Groups() {
				if m := middle(g); m >= from && m < from+split {
					found++
				}
			}
		}
		if found != 3 {
			t.Errorf("in splits of %d bytes %d row groups are found", split, found)
		}
	}
	for i, g := range f.Groups() {
		at, ok := g.Offset()
		if low, high := spanOf(g); !ok || at != low || middle(g) < low || middle(g) >= high || g.Chunk(0).Start() != low {
			t.Errorf("row group %d says it lies at %d; it lies at %d to %d, its middle is %d", i, at, low, high, middle(g))
		}
	}
}

func middle(g footer.Group) int64 {
	var sum int64
	for _, c := range g.Chunks() {
		sum += c.Size()
	}
	return g.Chunk(0).Start() + sum/2
}

func spanOf(g footer.Group) (low, high int64) {
	low = g.Chunk(0).Start()
	for _, c := range g.Chunks() {
		low, high = min(low, c.Start()), max(high, c.Start()+c.Size())
	}
	return low, high
}

// Copied columns keep what their pages need, get what the table wants, and lose
// what told of the old file.
func TestTheNewFooter(t *testing.T) {
	kv := metadata.NewKeyValueMetadata()
	for k, v := range map[string]string{
		"org.apache.spark.version": "3.5.1", "org.apache.spark.legacyDateTime": "", "org.apache.spark.timeZone": "Asia/Tokyo",
		"ARROW:schema": "AAAA", "org.apache.spark.sql.parquet.row.metadata": "{}",
	} {
		if err := kv.Append(k, v); err != nil {
			t.Fatal(err)
		}
	}
	data := parquetWith(t, made([]int{100, 100}, 3), kv, parquet.WithDictionaryDefault(false), parquet.WithCreatedBy("parquet-mr version 1.13.1 (build x)"))
	s := newScene(t, data, captured(t), answers())
	id := int32(5)
	for i := range s.columns {
		if s.columns[i].Name == "name" {
			s.columns[i].FieldID, s.columns[i].Name = &id, "col-8f2e"
		}
	}
	r, ways := s.splice()
	b := bytesOf(t, s.target, "spliced.parquet")
	f := footerOf(t, b)
	if got := f.KeyValues(); len(got) != 3 || got[2].Key != cast.RecordKey || got[0].Key != "org.apache.spark.version" || *got[0].Value != "3.5.1" || got[1].Key != splice.StatsKey || *got[1].Value != r.Stats {
		t.Errorf("keys %+v", got)
	}
	if f.CreatedBy() != "parquet-mr version 1.13.1 (build x)" {
		t.Errorf("created by %q", f.CreatedBy())
	}
	if len(f.Leaves()) != len(s.columns) || len(f.Struct().Items(7)) != len(s.columns) {
		t.Errorf("%d columns, %d orders, want %d", len(f.Leaves()), len(f.Struct().Items(7)), len(s.columns))
	}
	for _, n := range f.Leaves() {
		got, has := n.FieldID()
		if has != (n.Name() == "col-8f2e") || has && got != 5 {
			t.Errorf("column %q has field id %d, %v", n.Name(), got, has)
		}
		want := footer.Optional
		if n.Name() == "id" {
			want = footer.Required // its pages have no levels to say NULL with
		}
		if n.Repetition() != want {
			t.Errorf("column %q has repetition %d", n.Name(), n.Repetition())
		}
		for _, g := range f.Groups() {
			if p := g.Chunk(n.Leaf).Path(); len(p) != 1 || p[0] != n.Name() {
				t.Errorf("chunk of %q has path %q", n.Name(), p)
			}
		}
	}
	if c := leaf(f, "moment").Describe(); c.UTC || c.Unit != "MICROS" || ways["moment"] != splice.Annotated {
		t.Errorf("moment is %+v, %s", c, ways["moment"])
	}
	if c := leaf(f, "small").Describe(); c.Bits != 16 || ways["small"] != splice.Annotated {
		t.Errorf("small is %+v, %s", c, ways["small"])
	}
}

func leaf(f *footer.Footer, name string) *footer.Node {
	for _, n := range f.Leaves() {
		if n.Name() == name {
			return n
		}
	}
	return nil
}

// A column that nothing captures is gone, bytes and all.
func TestADroppedColumnLeavesNoByte(t *testing.T) {
	recs := made([]int{300}, 3)
	data := parquetOf(t, recs, parquet.WithDictionaryDefault(false))
	s := newScene(t, data, captured(t), answers())
	secret := secretOf(t, data)
	if !bytes.Contains(data, secret) {
		t.Fatal("the test looks for what is not in the copy either")
	}
	s.splice()
	if bytes.Contains(bytesOf(t, s.target, "spliced.parquet"), secret) {
		t.Error("values of a column that was left out are in the new file")
	}
}

// secretOf is the largest page of the column "dropped".
func secretOf(t *testing.T, data []byte) []byte {
	t.Helper()
	f := footerOf(t, data)
	n := leaf(f, "dropped")
	var out []byte
	if _, err := footer.Walk(bytes.NewReader(data), n, f.Groups()[0].Chunk(n.Leaf), func(p footer.Page) error {
		out = data[p.Offset+int64(p.Header) : p.End()]
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out[len(out)/2:]
}

// Copied runs stand at the same place of a page as in the copy, so that a file
// system can share them; padding costs next to nothing.
func TestRunsKeepTheirPlaceInAPage(t *testing.T) {
	s := common(t)
	r, ways := s.splice()
	old, b := footerOf(t, bytesOf(t, s.copy, s.file)), bytesOf(t, s.target, "spliced.parquet")
	f := footerOf(t, b)
	kept := 0
	for g := range f.Groups() {
		for name, w := range ways {
			if !w.Copies() {
				continue
			}
			n := leaf(f, name)
			from := leaf(old, name)
			if name == "id" {
				from = leaf(old, "ID")
			}
			x, y := old.Groups()[g].Chunk(from.Leaf).Start(), f.Groups()[g].Chunk(n.Leaf).Start()
			if x%4096 != y%4096 {
				t.Errorf("row group %d, column %q: %d became %d", g, name, x, y)
			}
			kept++
		}
	}
	if kept < 30 {
		t.Errorf("only %d chunks were copied", kept)
	}
	if r.Counts.Runs >= kept/2 {
		t.Errorf("%d chunks were copied in %d runs: neighbours go together", kept, r.Counts.Runs)
	}
	if sum := 4 + r.Counts.Copied + r.Counts.Recoded + r.Counts.Made + r.Counts.Padding; sum != r.Size {
		t.Errorf("the counts sum up to %d bytes, the file has %d", sum, r.Size)
	}
}

// What a footer does not tell stays untold: a null count that is unknown is not 0.
func TestUnknownStaysUnknown(t *testing.T) {
	data := parquetOf(t, made([]int{500, 20}, 3), parquet.WithStats(false), parquet.WithDictionaryDefault(false))
	s := newScene(t, data, captured(t), answers())
	r, ways := s.splice()
	f := footerOf(t, bytesOf(t, s.target, "spliced.parquet"))
	stats := statsOf(t, r.Stats)
	for name, w := range ways {
		n := leaf(f, name)
		if !w.Copies() || n.Repetition() == footer.Required {
			continue
		}
		if _, told := stats.NullCount[name]; told {
			t.Errorf("column %q: a null count is told that nobody knows", name)
		}
		if count, known := f.NullCount(n.Leaf); known {
			t.Errorf("column %q: the new footer says %d nulls", name, count)
		}
	}
	if stats.NullCount["absent"] != 520 || stats.NullCount["id"] != 0 || string(stats.MinValues["_operation"]) != "0" {
		t.Errorf("%+v", stats)
	}
}

type deltaStats struct {
	NumRecords int64                      `json:"numRecords"`
	MinValues  map[string]json.RawMessage `json:"minValues"`
	MaxValues  map[string]json.RawMessage `json:"maxValues"`
	NullCount  map[string]int64           `json:"nullCount"`
}

func statsOf(t *testing.T, doc string) deltaStats {
	t.Helper()
	var out deltaStats
	if err := json.Unmarshal([]byte(doc), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// What the log says of a spliced file is what it says of the rewritten one, or less.
func TestStatisticsAreThoseOfTheRewrite(t *testing.T) {
	for _, sh := range shapes() {
		if sh.name == "brotli" {
			continue
		}
		s := newScene(t, parquetOf(t, made(sh.rows, 9), sh.props...), captured(t), answers())
		r, ways := s.splice()
		w, _ := s.rewrite()
		got, want := statsOf(t, r.Stats), statsOf(t, w.Stats)
		if got.NumRecords != want.NumRecords {
			t.Errorf("%s: %d records, want %d", sh.name, got.NumRecords, want.NumRecords)
		}
		for name := range ways {
			for _, v := range [][2]json.RawMessage{{got.MinValues[name], want.MinValues[name]}, {got.MaxValues[name], want.MaxValues[name]}} {
				if v[0] != nil && string(v[0]) != string(v[1]) {
					t.Errorf("%s: column %q (%s): bound %s, want %s", sh.name, name, ways[name], v[0], v[1])
				}
			}
			if n, told := got.NullCount[name]; told && n != want.NullCount[name] {
				t.Errorf("%s: column %q: %d nulls, want %d", sh.name, name, n, want.NullCount[name])
			}
			if sh.name != "no statistics" && name != "ratio" && name != "raw" && name != "all_null" && want.MinValues[name] != nil && got.MinValues[name] == nil &&
				(ways[name] != splice.Dictionary || name == "wide") {
				t.Errorf("%s: column %q (%s) has no bounds", sh.name, name, ways[name])
			}
		}
		if got.MinValues["ratio"] != nil && ways["ratio"].Copies() {
			t.Errorf("%s: bounds of a double that may hold NaN", sh.name)
		}
	}
}

// Constants cost a few dozen bytes a row group, columns without a value less.
func TestConstantsAreSmall(t *testing.T) {
	s := common(t)
	s.splice()
	f := footerOf(t, bytesOf(t, s.target, "spliced.parquet"))
	for name, most := range map[string]int64{"_start_lsn": 64, "_operation": 63, "_commit_ts": 63, "_seeded_at": 63, "_note": 63, "_chunk": 33, "_nothing": 33, "absent": 33, "_is_snapshot": 330} {
		for g, group := range f.Groups() {
			if size := group.Chunk(leaf(f, name).Leaf).Size(); size > most {
				t.Errorf("row group %d: column %q takes %d bytes, %d are enough", g, name, size, most)
			}
		}
	}
}

// A partition value is one for all rows, cast like any other.
func TestPartitionValues(t *testing.T) {
	s := newScene(t, parquetOf(t, made([]int{60, 40}, 3)), captured(t), answers())
	class := s.class
	class.Columns = append(class.Columns, schema.CopyColumn{Name: "Region", Physical: "PARTITION"}, schema.CopyColumn{Name: "No", Physical: "PARTITION"})
	both := append(captured(t), target(t, "region", schema.SQLType{Name: "nvarchar", Length: 20}), target(t, "no", schema.SQLType{Name: "int"}))
	m, err := cast.Match(both, []schema.FileClass{class}, answers())
	if err != nil {
		t.Fatal(err)
	}
	s.mapping = m
	n := len(captured(t))
	s.columns = append(s.columns, rewrite.FromCast("region", both[n].Type, n), rewrite.FromCast("no", both[n+1].Type, n+1))
	d := s.decide()
	f := s.open()
	defer f.Close()
	job := s.job(d, f)
	seven := "7"
	job.Partition = map[string]*string{"Region": nil, "No": &seven}
	r, err := splice.Stage(t.Context(), s.target, job, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := values(t, s.target, "spliced.parquet")
	if len(got["no"]) != 100 || strings.Join(got["no"][98:], ",") != "INT32 7,INT32 7" || got["region"][0] != "STRING NULL" {
		t.Errorf("%q %q", got["no"], got["region"][0])
	}
	if c := r.Report.Columns["no"]; c.Values != 100 || c.Refused != 0 {
		t.Errorf("%+v", c)
	}
	job.Key, job.Partition["No"] = "other.parquet", &[]string{"seven"}[0]
	if _, err := splice.Stage(t.Context(), s.target, job, nil); err == nil || !strings.Contains(err.Error(), `"no"`) {
		t.Errorf("a partition value that is no number: %v", err)
	}
}

// A page's header may hold bounds. Behind a dictionary that was cast they are of
// another type than the column's: Spark ends with an error on them.
func TestPageHeadersHoldNoBoundsOfAnotherType(t *testing.T) {
	for _, props := range [][]parquet.WriterProperty{{parquet.WithDataPageSize(500)}, {parquet.WithDataPageSize(500), parquet.WithDataPageVersion(parquet.DataPageV2)}} {
		s := newScene(t, parquetOf(t, made([]int{400, 300}, 3), props...), captured(t), answers())
		_, ways := s.splice()
		s.rewrite()
		s.compare()
		if ways["wide"] != splice.Dictionary {
			t.Fatalf("ways %v", ways)
		}
		b := bytesOf(t, s.target, "spliced.parquet")
		f := footerOf(t, b)
		n := leaf(f, "wide")
		for _, g := range f.Groups() {
			if _, err := footer.Walk(bytes.NewReader(b), n, g.Chunk(n.Leaf), func(p footer.Page) error {
				h, _, err := thrift.Parse(b[p.Offset:], thrift.Limits{Depth: 9, Values: 99})
				if err == nil && (h.Struct(5).Has(5) || h.Struct(8).Has(8)) {
					t.Errorf("the page at %d has bounds of its own", p.Offset)
				}
				return err
			}); err != nil {
				t.Error(err)
			}
		}
	}
}
