package footer_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cdcseed/engine/splice/footer"
)

// publicFiles are the Parquet files that others made: those under the folder of
// public test data, or under the folder that the variable names.
func publicFiles(t *testing.T) []string {
	t.Helper()
	root := os.Getenv("CDCSEED_TESTDATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "shared", "testdata")
	}
	if _, err := os.Stat(root); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("no test data at %s; set CDCSEED_TESTDATA: %v", root, err)
		}
		t.Skipf("no test data at %s; set CDCSEED_TESTDATA", root)
	}
	return parquetFiles(t, root)
}

// parquetFiles are the files below root that end as Parquet files do.
func parquetFiles(t *testing.T, root string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if strings.HasSuffix(path, ".parquet") || strings.HasSuffix(path, ".parq") {
			out = append(out, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) == 0 {
		t.Fatalf("no Parquet file below %s", root)
	}
	return out
}

// raw is the footer's bytes, found without the package.
func raw(t *testing.T, path string) (file, end []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(b) < 12 {
		t.Fatalf("%s has %d bytes", path, len(b))
	}
	n := int(b[len(b)-8]) | int(b[len(b)-7])<<8 | int(b[len(b)-6])<<16 | int(b[len(b)-5])<<24
	if n > len(b)-12 {
		t.Fatalf("%s: a footer of %d bytes", path, n)
	}
	return b, b[len(b)-8-n:]
}

// TestPublicFootersComeOutAsTheyWere writes every footer again from its tree.
func TestPublicFootersComeOutAsTheyWere(t *testing.T) {
	for _, path := range publicFiles(t) {
		file, end := raw(t, path)
		f, err := footer.Read(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		got, err := f.AppendEnd(nil)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, end) {
			t.Errorf("%s: a footer of %d bytes came out as %d other bytes", path, len(end), len(got))
		}
	}
}
