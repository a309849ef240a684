package engine_test

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cdcseed/engine"
)

var flagName = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

func TestFlagTable(t *testing.T) {
	names, envs := map[string]bool{}, map[string]bool{}
	for _, f := range engine.SeedFlags() {
		if names[f.Name] || envs[f.Env()] || !flagName.MatchString(f.Name) {
			t.Errorf("--%s (%s) stands twice or is no name", f.Name, f.Env())
		}
		names[f.Name], envs[f.Env()] = true, true
		if want := "CDCSEED_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_")); f.Env() != want {
			t.Errorf("%s, want %s", f.Env(), want)
		}
		if f.Doc == "" || strings.ContainsAny(f.Doc, "\n") || strings.HasSuffix(f.Doc, ".") {
			t.Errorf("--%s: doc %q", f.Name, f.Doc)
		}
		if f.Repeats && f.Value == "" {
			t.Errorf("--%s repeats without a value", f.Name)
		}
	}
	for i, f := range engine.SourceFlags() {
		if got := engine.SeedFlags()[i]; got.Name != f.Name {
			t.Errorf("flag %d of a seed is --%s, want --%s", i, got.Name, f.Name)
		}
	}
}

// Every field of a Request has a flag, and only one.
func TestEveryFieldHasOneFlag(t *testing.T) {
	typ := reflect.TypeFor[engine.Request]()
	for i := range typ.NumField() {
		var r engine.Request
		switch f := reflect.ValueOf(&r).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int64:
			f.SetInt(1e9)
		case reflect.Map:
			f.Set(reflect.ValueOf(map[string]string{"c": "stop"}))
		case reflect.Slice:
			f.Set(reflect.ValueOf([]string{"x"}))
		default:
			t.Fatalf("%s is a %s", typ.Field(i).Name, f.Kind())
		}
		var flags []string
		for _, f := range engine.SeedFlags() {
			if len(f.Get(&r)) > 0 {
				flags = append(flags, f.Name)
			}
		}
		if len(flags) != 1 {
			t.Errorf("Request.%s has the flags %q", typ.Field(i).Name, flags)
		}
	}
	if args := (engine.Request{}).Args(); len(args) != 0 {
		t.Errorf("an empty request asks %q", args)
	}
}

func TestDefaultsAreSilent(t *testing.T) {
	for _, f := range engine.SeedFlags() {
		if f.Default == "" {
			continue
		}
		var r engine.Request
		if err := f.Set(&r, f.Default); err != nil || len(f.Get(&r)) != 0 {
			t.Errorf("--%s %s: %v, printed as %q", f.Name, f.Default, err, f.Get(&r))
		}
	}
}

func TestSwitches(t *testing.T) {
	flags := engine.SeedFlags()
	i := slices.IndexFunc(flags, func(f engine.Flag) bool { return f.Name == "keep-deleted" })
	for value, want := range map[string]bool{"true": true, "1": true, "YES": true, "false": false, "0": false, "no": false, "": false} {
		r := engine.Request{KeepDeleted: !want}
		if err := flags[i].Set(&r, value); err != nil || r.KeepDeleted != want {
			t.Errorf("%q: %v %v", value, r.KeepDeleted, err)
		}
	}
	if err := flags[i].Set(&engine.Request{}, "maybe"); err == nil || !strings.Contains(err.Error(), `"maybe"`) {
		t.Error(err)
	}
}

func TestListsTakeCommasAndNothingTwice(t *testing.T) {
	flags := engine.SeedFlags()
	i := slices.IndexFunc(flags, func(f engine.Flag) bool { return f.Name == "accept" })
	var r engine.Request
	for _, v := range []string{"fell_back, no_zone", "no_zone", ",capture_behind,"} {
		if err := flags[i].Set(&r, v); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(r.Accept, []string{"fell_back", "no_zone", "capture_behind"}) {
		t.Errorf("%q", r.Accept)
	}
}

// Several answers behind one flag are told from a column with a comma in its name.
func TestAnswersAreOneAFlag(t *testing.T) {
	var r engine.Request
	for _, f := range engine.SeedFlags() {
		if f.Name != "cast" {
			continue
		}
		for value, refused := range map[string]bool{
			"A=stop,B=round": true, "A=stop,B=round,C=null": true, "A=stop,": true,
			"A=stop": false, "A,B=stop": false, "A=b,c=stop": false, "A,b==null": false,
		} {
			if err := f.Set(&r, value); (err != nil) != refused {
				t.Errorf("%s: %v", value, err)
			}
		}
	}
	if want := map[string]string{"A": "stop", "A,B": "stop", "A=b,c": "stop", "A,b=": "null"}; !maps.Equal(r.Cast, want) {
		t.Errorf("got %v", r.Cast)
	}
}

// A command is one that a shell takes, and that a terminal shows as it is.
func TestCommandIsQuoted(t *testing.T) {
	for in, want := range map[string]string{
		"dbo.Orders": "dbo.Orders", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "naïve 名": "'naïve 名'", "a\nb": "'a\nb'",
		"a\x1b[2Jb": `"$(printf 'a\033[2Jb')"`, "it's 5%\x1b\\": `"$(printf 'it\047s 5%%\033\\')"`, "a\u202eb": `"$(printf 'a\342\200\256b')"`, "a\x9bb": `"$(printf 'a\233b')"`,
	} {
		if got := strings.TrimPrefix(engine.Command("seed", []string{in}), "cdcseed seed "); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
