package engine_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine"
	"cdcseed/engine/cast"
	"cdcseed/engine/report"
	"cdcseed/engine/schema"
)

// A question that another answer has settled waits for nobody.
func TestWhatAnAnswerSettlesIsNotOpen(t *testing.T) {
	k := withoutCopy(t, idAnd("name", "varchar(50)"))
	k.rawFile("a.parquet", nil, ints("id", 1, 2), textColumn("name", "caf\xe9", "x"))
	if v := k.columns(true); v.Open == 0 {
		t.Error("nothing is asked")
	}
	k.request.Cast = map[string]string{"name": "null"}
	if v := k.columns(true); v.Open != 0 || v.Stop != nil {
		t.Errorf("%d open, %v", v.Open, v.Stop)
	}
	k = withoutCopy(t, idAnd("at", "datetime2(7)"))
	k.moreCopy("a.parquet", []arrow.Field{field("id", int32s), field("at", texts)}, `[{"id": 1, "at": "2020-01-01 00:00:00+02:00"}]`)
	if v := k.columns(true); v.Open == 0 {
		t.Error("nothing is asked")
	}
	k.request.Cast = map[string]string{"at": "null"}
	if v := k.columns(true); v.Open != 0 || v.Stop != nil {
		t.Errorf("%d open, %v", v.Open, v.Stop)
	}
}

// How a column is made is said of every file class, with the answers of each.
func TestHowAColumnIsMade(t *testing.T) {
	from := func(name string) *schema.CopyColumn { return &schema.CopyColumn{Name: name} }
	same := func(name string) cast.Rule {
		return cast.Rule{Code: cast.Same, From: name, FromType: "string", Source: from(name)}
	}
	decoded, stops, text := same("name"), same("Customer Name"), same("name")
	decoded.Encoding, stops.Answer = "windows-1252", cast.Stop
	text.Code = cast.BytesToText
	text.Encoding = "cp437"
	about, _ := cast.Describe(cast.BytesToText)
	for _, c := range []struct {
		rules []cast.Rule
		want  string
		plain bool
	}{
		{[]cast.Rule{same("name")}, "written as it is", true},
		{[]cast.Rule{same("NAME")}, "spelled NAME in the copy", false},
		{[]cast.Rule{decoded}, "decoded from windows-1252", false},
		{[]cast.Rule{text}, about.Text + ", decoded from cp437", false},
		{[]cast.Rule{stops}, "the copy's Customer Name, written as it is; a value that would change refuses the seed (stop)", false},
		{[]cast.Rule{decoded, same("Customer Name")}, "decoded from windows-1252; the copy's Customer Name, written as it is", false},
	} {
		_, how, plain := engine.HowMade(cast.ColumnPlan{Target: schema.TargetColumn{Name: "name"}, Rules: c.rules})
		if how != c.want || plain != c.plain {
			t.Errorf("%q %v, want %q %v", how, plain, c.want, c.plain)
		}
	}
}

// Answers to --map that are right together stand, in whatever order they were given.
func TestMapsThatAreRightTogetherStand(t *testing.T) {
	k := withoutCopy(t, scene{columns: `{"name": "id", "type": "int"}, {"name": "name", "type": "nvarchar(20)", "nullable": true}, {"name": "other", "type": "nvarchar(20)", "nullable": true}`})
	k.moreCopy("a.parquet", []arrow.Field{field("id", int32s), field("name", texts), field("title", texts), field("other", texts)}, `[{"id": 1}]`)
	for _, c := range []struct{ given, stands []string }{
		{[]string{"title=name", "name="}, []string{"title=name", "name="}},
		{[]string{"name=", "title=name"}, []string{"name=", "title=name"}},
		{[]string{"name=other", "other=name"}, []string{"name=other", "other=name"}},
		{[]string{"gone=name", "name=other", "other=name"}, []string{"name=other", "other=name"}},
		{[]string{"title=name"}, nil},
		{[]string{"title=name", "other="}, []string{"other="}},
	} {
		k.request.Map = nil
		v, err := k.inspectCopy()
		k.must(err)
		k.request.Map = c.given
		r, gone := engine.DropStale(k.request, v, engine.TargetView{})
		if !slices.Equal(r.Map, c.stands) || len(gone) != len(c.given)-len(c.stands) {
			t.Errorf("%q: stand %q, gone %q", c.given, r.Map, gone)
		}
	}
}

// Who asked for the keys to be counted is not told to ask for it.
func TestKeysThatCouldNotBeCounted(t *testing.T) {
	heap := keyed(t, ciAS, "", none)
	heap.writeCopy("a.parquet", orders(3))
	for _, asked := range []bool{true, false} {
		heap.request.CountKeys = asked
		p, err := heap.build()
		heap.must(err)
		var b bytes.Buffer
		report.Plan(&b, p)
		if strings.Contains(b.String(), "--check keys finds") == asked {
			t.Errorf("asked for keys: %v\n%s", asked, b.String())
		}
	}
}
