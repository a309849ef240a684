package main

import (
	"encoding"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// Every field that a command prints is named in docs/json.md, under the heading
// of what it is a field of.
func TestJSONPageNamesEveryField(t *testing.T) {
	b, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.ReplaceAll(string(b), "\r\n", "\n")
	for heading, values := range map[string][]any{
		"## Events":                       {engine.PhaseStarted{}, engine.Progress{}, engine.Notice{}, engine.PhaseDone{}},
		"## Plan":                         {engine.Plan{}, planLine{}},
		"### The file list":               {engine.PlanFile{}},
		"### Columns of the copy":         {schema.CopyColumn{}},
		"### Checks and facts":            {verdict.Check{}, verdict.Fact{}},
		"## Result of seed":               {engine.Result{}},
		"## Result of demo":               {struct{ demoProof }{}, judged{}, judgedSource{}, judgedCommit{}},
		"## Result of lsn":                {lsnLine{}},
		"## Check, and result of doctor":  {checkLine{}, doctorResult{}},
		"## Table, and result of tables":  {tableLine{}, tablesResult{}},
		"## Staged, and result of staged": {stagedLine{}, stagedResult{}},
		"## Result of version":            {versionLine{}},
		"## Serving":                      {servingLine{}},
		"## Error":                        {errorLine{}, verdict.Fact{}},
	} {
		_, section, found := strings.Cut(page, "\n"+heading+"\n")
		if !found {
			t.Errorf("no %q", heading)
		}
		section, _, _ = strings.Cut(section, "\n#")
		for _, v := range values {
			for _, path := range fieldPaths(reflect.TypeOf(v), "") {
				if !strings.Contains(section, "`"+path+"`") {
					t.Errorf("%q does not name `%s` of %T", heading, path, v)
				}
			}
		}
	}
}

// demoProof is the part of a demo's result that is not of a seed's.
type demoProof struct {
	Proof proof  `json:"proof"`
	Dir   string `json:"dir"`
}

// paths are the fields of t that hold values, as JSON nests them. Types that
// the page describes once, under a heading of their own, are values.
func paths(t reflect.Type, at string) []string {
	for !leaf(t) {
		switch t.Kind() {
		case reflect.Pointer:
		case reflect.Slice:
			if leaf(t.Elem()) {
				return []string{at}
			}
			at += "[]"
		case reflect.Map:
			at += ".*"
		default:
			return fieldPaths(t, at)
		}
		t = t.Elem()
	}
	return []string{at}
}

func fieldPaths(t reflect.Type, at string) []string {
	var out []string
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous:
		case f.Anonymous && name == "":
			out = append(out, fieldPaths(f.Type, at)...)
		case at == "" && described(f.Type):
			out = append(out, name)
		default:
			out = append(out, paths(f.Type, strings.TrimPrefix(at+"."+name, "."))...)
		}
	}
	return out
}

// described reports whether a type has a heading of its own.
func described(t reflect.Type) bool {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for _, v := range []any{
		verdict.Fact{}, verdict.Check{}, schema.CopyColumn{}, engine.Stop{}, engine.Plan{}, judgedSource{}, judgedCommit{},
	} {
		if t == reflect.TypeOf(v) {
			return true
		}
	}
	return false
}

// leaf reports whether a type is one value of JSON, or is described elsewhere.
func leaf(t reflect.Type) bool {
	if described(t) || t.Implements(reflect.TypeFor[json.Marshaler]()) || t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return true
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Slice, reflect.Map, reflect.Pointer:
		return false
	}
	return true
}
