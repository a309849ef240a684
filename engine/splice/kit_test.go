package splice_test

import (
	"context"
	"slices"
	"testing"

	"cdcseed/engine/cast"
	"cdcseed/engine/clock"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/schema"
	"cdcseed/engine/splice"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
)

// scene is one file of a copy and the table that it goes into.
type scene struct {
	t       *testing.T
	copy    store.Writer
	file    string
	mapping *cast.Mapping
	class   schema.FileClass
	columns []rewrite.Column
	target  store.Writer
}

// newScene takes the file's own columns, and constants around them.
func newScene(t *testing.T, data []byte, captured []schema.TargetColumn, a cast.Answers) *scene {
	t.Helper()
	s := &scene{t: t, copy: storetest.NewMem(), file: "copy.parquet", target: storetest.NewMem()}
	if err := s.copy.CreateOnce(t.Context(), s.file, data); err != nil {
		t.Fatal(err)
	}
	s.match(captured, a)
	return s
}

func (s *scene) match(captured []schema.TargetColumn, a cast.Answers) {
	s.t.Helper()
	f := s.open()
	defer f.Close()
	p, err := parquetfile.Open(f)
	if err != nil {
		s.t.Fatal(err)
	}
	s.class = schema.FileClass{ID: "c1", Columns: p.Columns()}
	if s.mapping, err = cast.Match(captured, []schema.FileClass{s.class}, a); err != nil {
		s.t.Fatal(err)
	}
	s.columns = []rewrite.Column{
		rewrite.Constant("_start_lsn", schema.Type{Kind: schema.Binary}, []byte{0, 0, 0, 42, 0, 0, 1, 0, 0, 65}),
		rewrite.Constant("_operation", schema.Type{Kind: schema.Integer}, 0),
		rewrite.Constant("_chunk", schema.Type{Kind: schema.Integer}, nil),
	}
	for i, c := range captured {
		s.columns = append(s.columns, rewrite.FromCast(c.Name, c.Type, i))
	}
	s.columns = append(s.columns,
		rewrite.Constant("_commit_ts", schema.Type{Kind: schema.TimestampNTZ}, clock.Local(1_769_000_000_123_456)),
		rewrite.Constant("_seeded_at", schema.Type{Kind: schema.Timestamp}, clock.Instant(-1)),
		rewrite.Constant("_is_snapshot", schema.Type{Kind: schema.Boolean}, true),
		rewrite.Constant("_note", schema.Type{Kind: schema.String}, "a"),
		rewrite.Constant("_nothing", schema.Type{Kind: schema.String}, nil))
}

func (s *scene) open() store.File {
	s.t.Helper()
	f, err := s.copy.Open(s.t.Context(), s.file)
	if err != nil {
		s.t.Fatal(err)
	}
	return f
}

func (s *scene) decide() splice.Decision {
	s.t.Helper()
	f := s.open()
	defer f.Close()
	src, err := splice.Look(f, f.Size())
	if err != nil {
		s.t.Fatal(err)
	}
	d, err := splice.Decide(src, s.columns, s.mapping, s.class.ID, nil, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return d
}

func (s *scene) job(d splice.Decision, from store.File) splice.Job {
	return splice.Job{
		Key: "spliced.parquet", File: s.file, From: from, Columns: s.columns, Mapping: s.mapping, Class: s.class.ID, Ways: d.Columns,
	}
}

// splice makes the new file; way tells a column's.
func (s *scene) splice() (splice.Result, map[string]splice.Way) {
	s.t.Helper()
	d := s.decide()
	if d.Rewrite != "" {
		s.t.Fatalf("the file is rewritten: %s", d.Rewrite)
	}
	f := s.open()
	defer f.Close()
	r, err := splice.Stage(s.t.Context(), s.target, s.job(d, f), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	ways := map[string]splice.Way{}
	for i, c := range s.columns {
		ways[c.Name] = r.Ways[i].Way
	}
	return r, ways
}

// rewrite makes the same file the long way.
func (s *scene) rewrite() (rewrite.Staged, cast.Report) {
	s.t.Helper()
	f := s.open()
	defer f.Close()
	p, err := parquetfile.Open(f)
	if err != nil {
		s.t.Fatal(err)
	}
	k, err := s.mapping.Caster(s.class.ID, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	scan := p.Read(s.t.Context(), k.Columns(), 1000)
	defer scan.Close()
	out, report, err := rewrite.Stage(s.t.Context(), s.target, rewrite.Job{
		Key: "rewritten.parquet", File: s.file, Columns: s.columns, Source: scan, Caster: k,
	}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return out, report
}

// values reads a whole file, column by column.
func values(t *testing.T, r store.Reader, key string) map[string][]string {
	t.Helper()
	f, err := r.Open(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out, err := valuesOf(t.Context(), f)
	if err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	return out
}

func valuesOf(ctx context.Context, f store.File) (map[string][]string, error) {
	p, err := parquetfile.Open(f)
	if err != nil {
		return nil, err
	}
	scan := p.Read(ctx, nil, 1000)
	defer scan.Close()
	out := map[string][]string{}
	for scan.Next() {
		rec := scan.Record()
		for i, c := range rec.Columns() {
			name := rec.ColumnName(i)
			for row := range c.Len() {
				out[name] = append(out[name], c.DataType().ID().String()+" "+cast.ValueText(c, row))
			}
		}
	}
	return out, scan.Err()
}

// compare holds both files against each other, value by value.
func (s *scene) compare() {
	s.t.Helper()
	got, want := values(s.t, s.target, "spliced.parquet"), values(s.t, s.target, "rewritten.parquet")
	if len(got) != len(want) {
		s.t.Errorf("%d columns, want %d", len(got), len(want))
	}
	for name, w := range want {
		g := got[name]
		if slices.Equal(g, w) {
			continue
		}
		at := 0
		for at < min(len(g), len(w)) && g[at] == w[at] {
			at++
		}
		s.t.Errorf("column %q: %d values, want %d; the first that differs is row %d: %s, want %s",
			name, len(g), len(w), at+1, at0(g, at), at0(w, at))
	}
}

func at0(v []string, i int) string {
	if i < len(v) {
		return v[i]
	}
	return "nothing"
}

// target is a captured column of a SQL type.
func target(t testing.TB, name string, sql schema.SQLType) schema.TargetColumn {
	t.Helper()
	typ, err := sql.Target()
	if err != nil {
		t.Fatal(err)
	}
	return schema.TargetColumn{Name: name, Type: typ, SQL: sql, Nullable: true}
}
