package parquetfile_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"cdcseed/engine/parquetfile"
)

// testdata is the folder of public test files; without it the test is skipped,
// and fails where that must not happen.
func testdata(t *testing.T, parts ...string) string {
	t.Helper()
	root := os.Getenv("CDCSEED_TESTDATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "testdata")
	}
	dir := filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("no test data: %v", err)
		}
		t.Skipf("no public test data at %s; set CDCSEED_TESTDATA", dir)
	}
	return dir
}

// drain opens and reads everything; what comes back is an error or a row count.
func drain(data []byte) (int64, error) {
	f, err := parquetfile.Open(inMemory(data))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	s := f.Read(context.Background(), nil, 1000)
	defer s.Close()
	var rows int64
	for s.Next() {
		rows += s.Record().NumRows()
	}
	if s.Err() == nil && rows != f.Rows() {
		panic("fewer rows than the footer says, and no error")
	}
	return rows, s.Err()
}

// within fails the test where reading hangs.
func within(t *testing.T, data []byte, what string) error {
	t.Helper()
	done := make(chan error, 1)
	go func() {
		_, err := drain(data)
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(time.Minute): // a millisecond or so, unless it hangs
		t.Fatalf("%s: reading hangs", what)
		return nil
	}
}

func TestCutFilesAreErrors(t *testing.T) {
	data, _ := writeRecords(t, parquetfile.WriterOptions{}, sample(0, 300))
	for n := 0; n < len(data); n += 1 + len(data)/400 {
		if err := within(t, data[:n], "cut"); err == nil {
			t.Fatalf("the first %d of %d bytes were read as a whole file", n, len(data))
		}
	}
}

// hostileSample is a file to be damaged.
type hostileSample struct {
	name string
	data []byte
}

// hostileSamples are files of every shape at hand, always in the same order:
// ours, and the public ones.
func hostileSamples(t *testing.T) []hostileSample {
	t.Helper()
	ours, _ := writeRecords(t, parquetfile.WriterOptions{}, sample(0, 200))
	plain, _ := writeRecords(t, parquetfile.WriterOptions{Codec: parquetfile.Uncompressed}, sample(0, 200))
	out := []hostileSample{{"ours", ours}, {"ours, plain", plain}, {"every encoding", encoded(t, 200)}}
	names, err := filepath.Glob(filepath.Join(testdata(t, "parquet"), "*.parquet"))
	if err != nil || len(names) < 20 {
		t.Fatalf("%d public files, %v", len(names), err)
	}
	for _, n := range names {
		data, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, hostileSample{filepath.Base(n), data})
	}
	return out
}

// seeds are the fixed ones; CDCSEED_TEST_SEED explores from another.
func seeds(t *testing.T, fixed ...uint64) []uint64 {
	t.Helper()
	text := os.Getenv("CDCSEED_TEST_SEED")
	if text == "" {
		return fixed
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("CDCSEED_TEST_SEED: %v", err)
	}
	return []uint64{seed}
}

func TestFlippedBytesNeverPanicOrHang(t *testing.T) {
	samples := hostileSamples(t)
	for _, seed := range seeds(t, 1, 2, 3) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		refused, read := 0, 0
		for _, s := range samples {
			for range 50 {
				bad := bytes.Clone(s.data)
				for range 1 + rnd.IntN(4) {
					bad[rnd.IntN(len(bad))] ^= byte(1 << rnd.IntN(8))
				}
				if within(t, bad, fmt.Sprintf("seed %d, %s", seed, s.name)) != nil {
					refused++
				} else {
					read++
				}
			}
		}
		t.Logf("seed %d: %d refused, %d read (the flip hit a value or nothing)", seed, refused, read)
		if refused == 0 {
			t.Errorf("seed %d: no broken file was refused", seed)
		}
	}
}

// A logical type that came after the library makes it panic while it opens a file.
func TestUnknownLogicalTypesAreErrors(t *testing.T) {
	data, _ := writeRecords(t, parquetfile.WriterOptions{}, sample(0, 10))
	text := []byte{0x4c, 0x1c, 0x00, 0x00} // the field of the logical type, and member 1 of its union, STRING
	at := bytes.LastIndex(data, text)
	if at < 0 {
		t.Fatal("no text column in the footer")
	}
	data[at+1] = 0x9c // member 9, which nobody has
	if _, err := parquetfile.Open(inMemory(data)); err == nil {
		t.Error("an unknown logical type was taken for a known one")
	}
}
