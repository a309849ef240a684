package lakecopy_test

import (
	"slices"
	"testing"

	"cdcseed/engine/lakecopy"
	"cdcseed/engine/verdict"
)

func TestDatabricksCommitMarks(t *testing.T) {
	row := made(t, "id bigint", `{"id":1}`)
	one, two := "part-00000-tid-111-aaaa-1-c000.snappy.parquet", "part-00000-tid-222-bbbb-1-c000.snappy.parquet"
	good := []any{"d/_started_111", "", "d/_committed_111", `{"added":["` + one + `"],"removed":[]}`, "d/" + one, row}
	if c := mustOpen(t, folder(t, good...), lakecopy.Options{}); c.Rows != 1 {
		t.Errorf("%d rows", c.Rows)
	}
	uncommitted := append(slices.Clip(good), "d/_started_222", "", "d/"+two, row)
	refusal(t, folder(t, uncommitted...), lakecopy.Options{}, verdict.CopyNotACopy, "d/"+two, "_started_222")
	elsewhere := append(slices.Clip(good), "e/_started_222", "", "d/"+two, row)
	if c := mustOpen(t, folder(t, elsewhere...), lakecopy.Options{}); c.Rows != 2 {
		t.Errorf("a mark in another folder counts: %d rows", c.Rows)
	}
	removed := append(slices.Clip(good), "d/_started_222", "", "d/"+two, row, "d/_committed_222", `{"added":["`+two+`"],"removed":["`+one+`"]}`)
	refusal(t, folder(t, removed...), lakecopy.Options{}, verdict.CopyNotACopy, "d/"+one, "_committed_222")
	broken := append(slices.Clip(good), "d/_committed_333", "{not json")
	refusal(t, folder(t, broken...), lakecopy.Options{}, verdict.CopyUnreadable, "_committed_333")
}

func TestSparkSinkLog(t *testing.T) {
	row := func(id string) []byte { return made(t, "id bigint", `{"id":`+id+`}`) }
	entry := func(name string) string {
		return "\n" + `{"path":"file:///old/place/out/` + name + `","size":1,"isDir":false,"action":"add"}`
	}
	files := []any{
		"d%201=1/part-0-x.parquet", row("1"), "part-1-y.parquet", row("2"), "part-1-failed.parquet", row("3"), "part-2-z.parquet", row("4"),
	}
	log := []any{
		"_spark_metadata/0", "v1" + entry("gone.parquet"),
		"_spark_metadata/1.compact", "v1" + entry("d%25201=1/part-0-x.parquet"),
		"_spark_metadata/2", "v1" + entry("part-1-y.parquet"), "_spark_metadata/.2.crc", "x",
	}
	refusal(t, folder(t, slices.Concat(files, log)...), lakecopy.Options{}, verdict.CopyNotACopy, "d%201=1/part-0-x.parquet")

	files[0] = "d=1/part-0-x.parquet"
	files[2], files[4], files[6] = "d=1/part-1-y.parquet", "d=1/part-1-failed.parquet", "d=2/part-2-z.parquet"
	log[3] = "v1" + entry("d=1/part-0-x.parquet")
	log[5] = "v1" + entry("d=1/part-1-y.parquet") + entry("d=2/part-2-z.parquet")
	c := mustOpen(t, folder(t, slices.Concat(files, log)...), lakecopy.Options{})
	got, _ := ids(t, c, nil)
	if !slices.Equal(got, []string{"1", "2", "4"}) || !slices.Contains(c.Skipped, "d=1/part-1-failed.parquet") {
		t.Errorf("rows %v, skipped %q", got, c.Skipped)
	}

	log[4] = "_spark_metadata/3"
	refusal(t, folder(t, slices.Concat(files, log)...), lakecopy.Options{}, verdict.CopyNotACopy, "batch 2 is missing")
	log[4] = "_spark_metadata/2"
	refusal(t, folder(t, slices.Concat(files[2:], log)...), lakecopy.Options{}, verdict.CopyNotACopy, "part-0-x.parquet")
	log[5] = "v2\n"
	refusal(t, folder(t, slices.Concat(files, log)...), lakecopy.Options{}, verdict.CopyNotACopy, "v2")
}
