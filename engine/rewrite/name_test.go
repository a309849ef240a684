package rewrite_test

import (
	"testing"

	"cdcseed/engine/parquetfile"
	"cdcseed/engine/rewrite"
)

func TestStageNames(t *testing.T) {
	const id = "0b1c2d3e-4f50-4617-8899-aabbccddeeff"
	key := rewrite.StageKey("copy", "rules", "0x0000002A000001000041")
	name := rewrite.StageName(7, key, id, "")
	if want := "part-00007-" + key + "-" + id + ".c000.snappy.parquet"; name != want {
		t.Errorf("got %s, want %s", name, want)
	}
	for _, want := range []rewrite.Name{{7, key, id, parquetfile.Snappy}, {0, key, id, parquetfile.Zstd}, {123456, key, id, parquetfile.Uncompressed}} {
		got, ok := rewrite.ParseStageName(rewrite.StageName(want.Index, want.Key, want.ID, want.Codec))
		if !ok || got != want {
			t.Errorf("%+v reads back as %+v, %v", want, got, ok)
		}
	}
	for _, other := range []string{
		"", "part-", "part-00000-" + id + ".c000.snappy.parquet", // Spark's own
		"part-00000-" + key + "-" + id + ".c000.snappy.parquet.tmp",
		"part-0-" + key + "-" + id + ".c000.snappy.parquet",
		"part-00000-" + key + "-" + id + ".c001.snappy.parquet",
		"part-00000-" + key + "-" + id + ".c000.lzo.parquet",
		"part-00000-" + key[:15] + "G-" + id + ".c000.snappy.parquet",
		"part-+0001-" + key + "-" + id + ".c000.snappy.parquet",
		"part-00000-" + key + "-{" + id + "}.c000.snappy.parquet",
	} {
		if got, ok := rewrite.ParseStageName(other); ok {
			t.Errorf("%q was read as %+v", other, got)
		}
	}
}

func TestStageKeysTellPartsApart(t *testing.T) {
	seen := map[string][]string{}
	for _, parts := range [][]string{{"ab", "c"}, {"a", "bc"}, {"abc"}, {"abc", ""}, {"", "abc"}, {}, {"c", "ab"}} {
		k := rewrite.StageKey(parts...)
		if len(k) != 16 || seen[k] != nil {
			t.Errorf("key %q of %q is also that of %q", k, parts, seen[k])
		}
		seen[k] = parts
	}
}
