package engine_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// mapKit lacks two columns, for one of which the copy has columns of like names.
func mapKit(t *testing.T) *kit {
	t.Helper()
	k := kitIn(t, scene{})
	k.newCopy([]arrow.Field{field("id", int32s), field("customer_name", texts), field("name_2", texts), field("when", moments)},
		`[{"id": 1, "customer_name": "x", "name_2": "y", "when": "2026-07-01 00:00:00"}]`)
	return k
}

// missingAsk is what is asked of a column that the copy lacks.
func (k *kit) missingAsk(column string) engine.Ask {
	k.t.Helper()
	for _, l := range k.columns(true).Lines {
		for _, a := range l.Asks {
			if a.Column == column && a.Flag == "--missing" {
				return a
			}
		}
	}
	k.t.Fatalf("%s is not asked about", column)
	return engine.Ask{}
}

func choices(a engine.Ask) string {
	var out []string
	for _, c := range a.Choices {
		out = append(out, c.Value)
	}
	return strings.Join(out, " ")
}

// What a missing column may be called is among the choices of what becomes of it,
// and an answer can be changed for another of either kind.
func TestAMissingColumnIsChosenAmongLikeNames(t *testing.T) {
	k := mapKit(t)
	k.request.Missing = map[string]string{"amount": "null"}
	a := k.missingAsk("name")
	if choices(a) != "name_2 customer_name stop null" || !a.Open || a.Given != "" {
		t.Fatalf("%+v", a)
	}
	if got := choices(k.missingAsk("amount")); got != "stop null" {
		t.Errorf("amount: %s", got)
	}
	asked := k.request
	a.Answer(&k.request, "customer_name")
	if !slices.Equal(k.request.Map, []string{"customer_name=name"}) || asked.Map != nil {
		t.Fatalf("%q, before %q", k.request.Map, asked.Map)
	}
	a = k.missingAsk("name")
	if choices(a) != "customer_name name_2 stop null" || a.Open || a.Given != "customer_name" {
		t.Fatalf("%+v", a)
	}
	a.Answer(&k.request, "name_2")
	if !slices.Equal(k.request.Map, []string{"name_2=name"}) {
		t.Fatalf("%q", k.request.Map)
	}
	a = k.missingAsk("name")
	a.Answer(&k.request, "null")
	if k.request.Map != nil || k.request.Missing["name"] != "null" {
		t.Fatalf("%q %q", k.request.Map, k.request.Missing)
	}
	a = k.missingAsk("name")
	a.Answer(&k.request, "customer_name")
	if _, given := k.request.Missing["name"]; given {
		t.Errorf("%q", k.request.Missing)
	}
	p := k.writes([]string{"id", "name", "amount"}, "1 x NULL")
	if !slices.Equal(p.Columns.LeftOut, []string{"name_2", "when"}) {
		t.Errorf("left out %q", p.Columns.LeftOut)
	}
	back := engine.Request{}
	k.must(back.SetArgs(p.Args))
	if !slices.Equal(back.Map, []string{"customer_name=name"}) {
		t.Errorf("the command says %q", p.Args)
	}
	k = mapKit(t)
	k.request.Missing = map[string]string{"amount": "null"}
	a = k.missingAsk("name")
	a.Answer(&k.request, "customer_name")
	a.Answer(&k.request, "")
	if k.request.Map != nil {
		t.Errorf("taken back, yet %q", k.request.Map)
	}
}

// A copy that changed takes away what is said of a column that is gone.
func TestAMapThatIsStaleIsDropped(t *testing.T) {
	k := mapKit(t)
	k.request.Map = []string{"customer_name=name", "total=amount", "when=when"}
	k.request.Missing = map[string]string{"amount": "null"}
	session, _ := k.open()
	c, err := engine.InspectCopy(t.Context(), session, k.request, nil)
	k.must(err)
	r, gone := engine.DropStale(k.request, c, engine.TargetView{})
	if !slices.Equal(r.Map, []string{"customer_name=name"}) || !slices.Equal(gone, []string{"--map total=amount", "--map when=when"}) || r.Missing["amount"] != "null" {
		t.Errorf("%q %q, gone %q", r.Map, r.Missing, gone)
	}
}

// What --map says must name columns that are there.
func TestMapThatNamesNothing(t *testing.T) {
	k := mapKit(t)
	k.request.Missing = map[string]string{"amount": "null"}
	for given, code := range map[string]verdict.Code{
		"customer=name": verdict.AnswerUnknown, "customer_name=nome": verdict.AnswerUnknown, "customer_name": verdict.Usage, "=name": verdict.Usage,
	} {
		k.request.Map = []string{given}
		k.refusedAs(code, given)
	}
	k.request.Map = []string{"id=amount"} // id is missing then, which a key never is
	k.refusedAs(verdict.AnswerUnknown, "amount")
}

// What was answered is in the commit, as one types it, and never more than fits.
func TestAnswersAreInTheCommit(t *testing.T) {
	k := mapKit(t)
	k.request.Missing = map[string]string{"amount": "null"}
	k.request.Map = []string{"customer_name=name"}
	k.writes([]string{"id", "name"}, "1 x")
	if got := k.lastCommit("bronze").Info.Tags["cdcseed.answers"]; got != "--missing amount=null --map customer_name=name" {
		t.Errorf("%q", got)
	}
	long := strings.Repeat("a long name ", 10)
	var columns []string
	for i := range 30 {
		name := fmt.Sprint(long, i)
		columns = append(columns, fmt.Sprintf(`{"name": %q, "type": "int", "nullable": true}`, name))
	}
	k = withoutCopy(t, scene{columns: `{"name": "id", "type": "int"}, ` + strings.Join(columns, ", ")})
	k.moreCopy("a.parquet", []arrow.Field{field("id", int32s)}, `[{"id": 1}]`)
	k.request.Missing = map[string]string{}
	for i := range 30 {
		k.request.Missing[fmt.Sprint(long, i)] = "null"
	}
	k.seeded(1)
	got := k.lastCommit("bronze").Info.Tags["cdcseed.answers"]
	if len(got) > 2200 || !strings.HasPrefix(got, "--missing 'a long name ") || !strings.Contains(got, " more, sha256 of all ") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
	tags, err := json.Marshal(k.lastCommit("bronze").Info.Tags)
	k.must(err)
	if len(tags) > 4096 {
		t.Errorf("all tags take %d bytes", len(tags))
	}
}
