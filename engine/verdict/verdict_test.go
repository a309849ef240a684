package verdict_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"strconv"
	"testing"

	"cdcseed/engine/verdict"
)

// declared lists the string constants of the given type in code.go, so that a
// constant missing from a closed list is found.
func declared(t *testing.T, typ string) map[string]bool {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "code.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if id, ok := v.Type.(*ast.Ident); ok && id.Name == typ {
			s, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			out[s] = true
		}
		return true
	})
	return out
}

func TestListsAreClosed(t *testing.T) {
	codes := declared(t, "Code")
	for _, c := range verdict.Codes() {
		if !codes[string(c)] {
			t.Errorf("%s is listed twice or not declared", c)
		}
		delete(codes, string(c))
		if c.Exit() == 0 {
			t.Errorf("%s exits 0: a refusal never does", c)
		}
	}
	warnings := declared(t, "Warning")
	for _, w := range verdict.Warnings() {
		if !warnings[string(w)] {
			t.Errorf("%s is listed twice or not declared", w)
		}
		delete(warnings, string(w))
	}
	if len(codes) > 0 || len(warnings) > 0 {
		t.Errorf("declared but not listed: %v %v", codes, warnings)
	}
}

func TestErrorCarriesCodeAndCause(t *testing.T) {
	err := error(&verdict.Error{
		Code: verdict.CopyUnreadable, What: `read "a.parquet"`,
		Facts: verdict.Facts("size", "0 B", "rows", 2), Err: io.ErrUnexpectedEOF,
	})
	if !errors.Is(err, verdict.CopyUnreadable) || !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, verdict.CopyEmpty) {
		t.Error("the code or the cause is lost")
	}
	if got, want := err.Error(), `read "a.parquet" (size 0 B, rows 2): unexpected EOF`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := verdict.As(err).WroteText(); got != verdict.NothingWritten {
		t.Error(got)
	}
	if got := verdict.As(io.EOF); got.Code != verdict.Unexpected || !errors.Is(got, io.EOF) {
		t.Error(got)
	}
}
