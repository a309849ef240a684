// Package grammar asks T-SQL parsers of other people about the statements of
// the engine and of the fake server's tests. It holds tests only, and stands in
// a module of its own so that the product does not depend on those parsers.
package grammar

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/sqlc-dev/teesql/ast"
	"github.com/sqlc-dev/teesql/parser"
)

// entry is a text with the fake's digest of it, as its own test wrote it.
type entry struct {
	Name   string            `json:"name"`
	Text   string            `json:"text"`
	Number int32             `json:"number"`
	Digest []string          `json:"digest"`
	Known  map[string]string `json:"known"` // by judge, why it disagrees
}

func entries(t *testing.T) []entry {
	t.Helper()
	file := os.Getenv("CDCSEED_DIGESTS")
	if file == "" {
		t.Fatal("CDCSEED_DIGESTS must name the file that the fake's test wrote: use ./run")
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []entry
	if err := json.Unmarshal(b, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// differs says how teesql's reading of a text is another than the fake's, ""
// where it is the same.
func differs(t *testing.T, e entry) string {
	t.Helper()
	script, err := parser.Parse(t.Context(), strings.NewReader(e.Text))
	if err != nil {
		return "refused: " + err.Error()
	}
	return difference(e.Digest, script)
}

func difference(want []string, script *ast.Script) string {
	var ours, theirs []string
	count := map[string]int{}
	for _, w := range want {
		count[w]++
	}
	for _, w := range digestOf(script) {
		if count[w]--; count[w] < 0 {
			theirs = append(theirs, w)
		}
	}
	for _, w := range want {
		if count[w] > 0 {
			count[w]--
			ours = append(ours, w)
		}
	}
	if ours == nil && theirs == nil {
		return ""
	}
	return "only the fake: " + strings.Join(ours, "; ") + "; only teesql: " + strings.Join(theirs, "; ")
}

// TestSameReading: teesql reads every good text, and finds in it what the
// fake's parser finds.
func TestSameReading(t *testing.T) {
	good := 0
	for _, e := range entries(t) {
		if e.Number != 0 {
			continue // teesql is lenient: what it refuses is told by TestLenience
		}
		good++
		_, known := e.Known["teesql"]
		if d := differs(t, e); (d != "") != known {
			t.Errorf("%s: %q; known to differ: %v\n%s", e.Name, d, known, e.Text)
		}
	}
	if good < 150 {
		t.Errorf("%d good texts are too few to say much", good)
	}
}

// TestLenience: teesql accepts wrong texts too, but by far not all; a reading
// that took every text would be no judge.
func TestLenience(t *testing.T) {
	bad, refused := 0, 0
	for _, e := range entries(t) {
		if e.Number == 0 {
			continue
		}
		bad++
		if _, err := parser.Parse(t.Context(), strings.NewReader(e.Text)); err != nil {
			refused++
		}
	}
	t.Logf("teesql refuses %d of %d wrong texts", refused, bad)
	if bad < 50 || refused*2 < bad {
		t.Errorf("teesql refuses %d of %d wrong texts", refused, bad)
	}
}

// TestADifferenceShows: the comparison notices one word more, less or other.
func TestADifferenceShows(t *testing.T) {
	script, err := parser.Parse(t.Context(), strings.NewReader("SELECT a.x FROM t AS a WHERE a.x = 1"))
	if err != nil {
		t.Fatal(err)
	}
	right := digestOf(script)
	if d := difference(right, script); d != "" {
		t.Errorf("differs from itself: %s", d)
	}
	for i := range right {
		less := append(append([]string{}, right[:i]...), right[i+1:]...)
		if difference(less, script) == "" || difference(append(less, right[i]+"?"), script) == "" {
			t.Errorf("%s can be missing or other without being noticed", right[i])
		}
	}
	if difference(append(right, right[0]), script) == "" {
		t.Errorf("%s can be there twice without being noticed", right[0])
	}
}
