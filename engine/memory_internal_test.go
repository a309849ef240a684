package engine

import (
	"errors"
	"testing"

	"cdcseed/engine/splice"
	"cdcseed/engine/verdict"
)

func TestMemoryIsReadInEitherUnit(t *testing.T) {
	for text, want := range map[string]int64{
		"": 1 << 30, "1GiB": 1 << 30, "2GB": 2e9, "512MiB": 512 << 20, "64 MiB": 64 << 20, "1.5 gib": 3 << 29, "70000000B": 7e7, "9e99TB": 0, "99999999999999TiB": 1 << 62,
	} {
		got, err := parseMemory(text)
		if want == 0 {
			if err == nil {
				t.Errorf("%q is read as %d", text, got)
			}
			continue
		}
		if err != nil || got != want {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"1", "GiB", "-1GiB", "1 GiB or so", "NaNGiB", "63MiB", "0", "1gx", "0x40MiB"} {
		if got, err := parseMemory(text); !errors.Is(err, verdict.Usage) {
			t.Errorf("%q is read as %d, %v", text, got, err)
		}
	}
}

func TestFilesTakeMemoryByTheirManner(t *testing.T) {
	copied := WaysPlan{Columns: []ColumnWay{{Way: splice.Copied}, {Way: splice.Annotated}, {Way: splice.Constant}}}
	if got := copied.memory(); got != copyMemory {
		t.Errorf("a copied file takes %d", got)
	}
	copied.Columns = append(copied.Columns, ColumnWay{Way: splice.Recoded})
	for _, w := range []WaysPlan{copied, {Rewrite: "rows are left out"}} {
		if got := w.memory(); got != recodeMemory {
			t.Errorf("%+v takes %d", w, got)
		}
	}
}
