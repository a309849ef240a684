package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/google/go-cmp/cmp"

	"cdcseed/engine"
	"cdcseed/engine/cast"
	"cdcseed/engine/delta"
	"cdcseed/engine/lsn"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// richKit is a seed with something of everything: an as_of in a repeated hour,
// casts with answers, a zone, flagged rows, a column left out and a facts table.
func richKit(t *testing.T) *kit {
	s := fallBackScene
	s.columns = `{"name": "id", "type": "int"}, {"name": "name", "type": "nvarchar(20)", "nullable": true}, {"name": "amount", "type": "decimal(10,2)", "nullable": true},
  {"name": "created", "type": "datetime", "nullable": true}, {"name": "note", "type": "varchar(50)", "nullable": true}`
	k := kitIn(t, s).withFacts()
	k.newCopy([]arrow.Field{
		field("ID", int64s), field("name", texts), field("amount", &arrow.Decimal128Type{Precision: 18, Scale: 4}), field("created", moments),
		field("etl_run", texts), field("_fivetran_deleted", arrow.FixedWidthTypes.Boolean),
	},
		`[{"ID": 1, "name": "one", "amount": "1.2345", "created": "2026-07-01 15:00:00"}, {"ID": 2, "amount": "2.0000", "_fivetran_deleted": true}, {"ID": 3, "name": "three", "amount": "-0.0050"}]`)
	inRepeatedHour("2026-11-01T05:30:00Z")(k)
	return k
}

// answered gives the answers that richKit's seed needs.
func (k *kit) answered() *kit {
	k.request.Cast, k.request.Missing = map[string]string{"amount": "round"}, map[string]string{"note": "null"}
	k.request.CopyTimeZone, k.request.ExcludeDeleted, k.request.Accept = "America/Sao_Paulo", true, []string{"fell_back"}
	return k
}

// planKits are the plans whose JSON and text have golden files.
func planKits() map[string]func(*testing.T) *kit {
	return map[string]func(*testing.T) *kit{
		"ready":   func(t *testing.T) *kit { return richKit(t).answered() },
		"blocked": richKit,
		"append": func(t *testing.T) *kit {
			k := kitIn(t, scene{})
			k.bronzeTable(func(c *delta.Create) {
				inSchema(`{"name":"amount","type":"decimal(10,2)","nullable":true,"metadata":{}},`, "")(c)
			})
			k.appendRows("bronze", changeRow)
			k.request.Accept = []string{"stream_must_be_stopped"}
			return k
		},
		"seeded": func(t *testing.T) *kit {
			k := kitIn(t, scene{}).withFacts()
			k.seeded(3)
			return k
		},
		"reseed": lost,
	}
}

var stageKey = regexp.MustCompile(`"key": "[0-9a-f]{16}"`)

// TestPlanJSON compares the documented form of a plan, byte for byte but for
// what differs from run to run. A change of it is a change of the format.
func TestPlanJSON(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths read otherwise on Windows; the form is the same")
	}
	for name, make := range planKits() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := make(t)
			p, err := k.build()
			k.must(err)
			text, err := json.MarshalIndent(p, "", "  ")
			k.must(err)
			got := stageKey.ReplaceAllString(k.plain(string(text)), `"key": "0123456789abcdef"`) + "\n"
			path := filepath.Join("report", "testdata", "plan-"+name+".json")
			if *update {
				k.must(os.WriteFile(path, []byte(got), 0o644))
			}
			want, err := os.ReadFile(path)
			k.must(err)
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("%s: -want +got\n%s", path, diff)
			}
		})
	}
}

// stored is a plan as its two files hold it.
func stored(t *testing.T) (plan, files []byte) {
	t.Helper()
	p, err := richKit(t).answered().build()
	if err != nil {
		t.Fatal(err)
	}
	if plan, err = json.MarshalIndent(p, "", "  "); err == nil {
		files, err = p.FileLines()
	}
	if err != nil {
		t.Fatal(err)
	}
	return plan, files
}

func TestPlanIsReadBack(t *testing.T) {
	k := richKit(t).answered()
	p, err := k.build()
	k.must(err)
	text, err := json.Marshal(p)
	k.must(err)
	files, err := p.FileLines()
	k.must(err)
	back, err := engine.ReadPlan(text, files)
	k.must(err)
	if got, _ := json.Marshal(back); !bytes.Equal(got, text) {
		t.Errorf("reads back as\n%s\nfrom\n%s", got, text)
	}
	got, err := k.execute(back)
	if err != nil || got.Rows != 2 || got.Excluded != 1 || got.Plan != p.Digest {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestReadPlanIsStrict(t *testing.T) {
	plan, files := stored(t)
	swap := func(text []byte, old, now string) []byte {
		out := bytes.Replace(text, []byte(old), []byte(now), 1)
		if bytes.Equal(out, text) {
			t.Fatalf("the plan does not hold %q", old)
		}
		return out
	}
	for name, c := range map[string]struct{ plan, files []byte }{
		"nothing":                     {nil, files},
		"no JSON":                     {[]byte("seed it"), files},
		"a list":                      {[]byte("[]"), files},
		"cut off":                     {plan[:len(plan)/2], files},
		"something behind it":         {append(bytes.Clone(plan), "{}"...), files},
		"a member that nobody knows":  {swap(plan, `"format": 1,`, `"format": 1, "force": true,`), files},
		"another format":              {swap(plan, `"format": 1,`, `"format": 2,`), files},
		"another target":              {swap(plan, `bronze.orders`, `bronze.others`), files},
		"another state":               {swap(plan, `"state": "ready"`, `"state": "already_seeded"`), files},
		"a bad LSN":                   {swap(plan, `"lsn": "0x`, `"lsn": "0y`), files},
		"no file list":                {plan, nil},
		"a file less":                 {plan, swap(files, string(bytes.SplitAfter(files, []byte("\n"))[0]), "")},
		"a file more":                 {plan, append(bytes.Clone(files), files...)},
		"a file list cut off":         {plan, files[:len(files)-4]},
		"another size":                {plan, swap(files, `"size":`, `"size":1`)},
		"a member of a file":          {plan, swap(files, `{"key"`, `{"keep":true,"key"`)},
		"something behind the files":  {plan, append(bytes.Clone(files), "x"...)},
		"another plan's digest in it": {swap(plan, `"digest": "`, `"digest": "0`), files},
	} {
		_, err := engine.ReadPlan(c.plan, c.files)
		e := verdict.As(err)
		if e == nil || e.Code != verdict.PlanInvalid || e.Code.Exit() != 5 || len(e.Hint) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := engine.ReadPlan(plan, files); err != nil {
		t.Error("unchanged:", err)
	}
}

// The digest covers every field but the program's version, the time and itself.
func TestDigestCoversEveryField(t *testing.T) {
	plan, files := stored(t)
	free := map[string]bool{"Tool": true, "MadeAt": true, "Digest": true, "Files": true}
	changed := 0
	for _, path := range leaves(reflect.TypeFor[engine.Plan](), nil) {
		top := path.name[0]
		p, err := engine.ReadPlan(plan, files)
		if err != nil {
			t.Fatal(err)
		}
		disturb(reflect.ValueOf(&p).Elem(), path.index)
		err = p.Verify()
		switch {
		case free[top] && top == "Files":
			if err == nil || !strings.Contains(err.Error(), "file list") {
				t.Errorf("%s: %v", strings.Join(path.name, "."), err)
			}
		case free[top] && top != "Digest":
			if err != nil {
				t.Errorf("%s is none of the digest's: %v", top, err)
			}
		default:
			changed++
			if verdict.As(err) == nil || verdict.As(err).Code != verdict.PlanInvalid {
				t.Errorf("a change of %s is not seen: %v", strings.Join(path.name, "."), err)
			}
		}
	}
	if changed < 80 {
		t.Errorf("only %d fields were tried", changed)
	}
}

// leaf is the way to a value inside a plan: field numbers, -1 for a pointer's
// value, -2 for an element of a list or map.
type leaf struct {
	index []int
	name  []string
}

func leaves(t reflect.Type, at []string) []leaf {
	below := func(step int, name string, of reflect.Type) []leaf {
		var out []leaf
		for _, l := range leaves(of, append(at[:len(at):len(at)], name)) {
			out = append(out, leaf{append([]int{step}, l.index...), l.name})
		}
		return out
	}
	switch {
	case t == reflect.TypeFor[schema.Type](): // a text in the plan
		return []leaf{{nil, at}}
	case t.Kind() == reflect.Pointer:
		return below(-1, "*", t.Elem())
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
		return below(-2, "[]", t.Elem())
	case t.Kind() == reflect.Struct:
		var out []leaf
		for i := range t.NumField() {
			f := t.Field(i)
			if f.IsExported() && (f.Tag.Get("json") != "-" || f.Name == "Files") {
				out = append(out, below(i, f.Name, f.Type)...)
			}
		}
		return out
	default:
		return []leaf{{nil, at}}
	}
}

// disturb changes the value at the end of the way, making what is missing on it.
func disturb(v reflect.Value, way []int) {
	if len(way) == 0 {
		switch v.Kind() {
		case reflect.Struct:
			v.Set(reflect.ValueOf(schema.DecimalOf(7, 1)))
		case reflect.String:
			v.SetString(v.String() + "x")
		case reflect.Bool:
			v.SetBool(!v.Bool())
		case reflect.Array:
			v.Index(0).SetUint(v.Index(0).Uint() ^ 1)
		case reflect.Float64:
			v.SetFloat(v.Float() + 1)
		case reflect.Uint64, reflect.Uint32, reflect.Uint8:
			v.SetUint(v.Uint() + 1)
		default:
			v.SetInt(v.Int() + 1)
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		disturb(v.Elem(), way[1:])
	case reflect.Slice:
		if v.Len() == 0 {
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		}
		disturb(v.Index(0), way[1:])
	case reflect.Map:
		elem, key := reflect.New(v.Type().Elem()).Elem(), reflect.Zero(v.Type().Key())
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		for _, k := range v.MapKeys() {
			key = k
			elem.Set(v.MapIndex(k))
			break
		}
		disturb(elem, way[1:])
		v.SetMapIndex(key, elem)
	default:
		disturb(v.Field(way[0]), way[1:])
	}
}

func TestRefusalIsTheFirstStop(t *testing.T) {
	p, err := richKit(t).build()
	if err != nil {
		t.Fatal(err)
	}
	if p.State != engine.Blocked || len(p.Stops) < 2 {
		t.Fatalf("%s with %d stops", p.State, len(p.Stops))
	}
	e := verdict.As(p.Refusal())
	if e.Code != p.Stops[0].Code || e.What != p.Stops[0].What {
		t.Errorf("%+v, want %+v", e, p.Stops[0])
	}
	codes := map[verdict.Code]bool{}
	for _, s := range p.Stops {
		codes[s.Code] = true
	}
	if !codes[verdict.CopyMarks] || !codes[verdict.ColumnMissing] && !codes[verdict.CastNeedsAnswer] {
		t.Errorf("one of several stops is told: %v", codes)
	}
}

func TestPlanStatesItsTable(t *testing.T) {
	p := engine.TablePlan{Schema: "dbo", Name: "orders"}
	if p.String() != "dbo.orders" {
		t.Error(p)
	}
	empty := engine.Plan{Checks: []verdict.Check{verdict.Warned(verdict.FellBack, "w", ""), verdict.Okay("o")}, AsOf: engine.AsOfPlan{L: lsn.LSN{1}}, Columns: cast.Mapping{}}
	if got := empty.Unaccepted(); len(got) != 1 || fmt.Sprint(got[0].Code) != "fell_back" {
		t.Error(got)
	}
	empty.Accepted = []string{"fell_back"}
	if err := empty.Refusal(); err != nil {
		t.Error(err)
	}
}

// Whoever executes a plan that may not run is refused by the engine itself.
func TestBlockedPlanIsNotExecuted(t *testing.T) {
	blocked := richKit(t)
	unaccepted := richKit(t).answered()
	unaccepted.request.Accept = nil
	for k, want := range map[*kit]verdict.Code{blocked: verdict.CopyMarks, unaccepted: verdict.WarningUnaccepted} {
		p, err := k.build()
		k.must(err)
		session, stores := k.open()
		before := k.tree()
		_, err = engine.Execute(t.Context(), p, session, stores, nil)
		if e := verdict.As(err); e == nil || e.Code != want || e.WroteText() != verdict.NothingWritten {
			t.Errorf("%v, want %s", err, want)
		}
		same(t, string(want), before, k.tree())
	}
}
