package tsql

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cdcseed/fakeserver/tds"
)

// numberOf is the SQL Server number of an error, 0 for none.
func numberOf(t *testing.T, err error) int32 {
	t.Helper()
	if err == nil {
		return 0
	}
	var e *tds.Error
	if !errors.As(err, &e) {
		t.Fatalf("%v (%T) is not a *tds.Error", err, err)
	}
	return e.Number
}

// testTexts reads the texts of a folder of the public test data, which lies
// beside the module and never in it.
func testTexts(t *testing.T, folder string) map[string]string {
	t.Helper()
	root := os.Getenv("CDCSEED_TESTDATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "testdata")
	}
	dir := filepath.Join(root, "tsql", folder)
	entries, err := os.ReadDir(dir)
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("the public T-SQL texts must be there in CI: %v", err)
		}
		t.Skipf("no public T-SQL texts: %v", err)
	}
	texts := map[string]string{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		texts[strings.TrimSuffix(e.Name(), ".sql")] = string(b)
	}
	if len(texts) == 0 {
		t.Fatalf("%s is empty", dir)
	}
	return texts
}

func TestPublicGoodTextsParse(t *testing.T) {
	for name, text := range testTexts(t, "good") {
		if err := Parse(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPublicBadTextsFail(t *testing.T) {
	want := map[string]int32{}
	for name, text := range testTexts(t, "bad") {
		err := Parse(text)
		t.Logf("%s %d %v", name, want[name], err)
	}
}
