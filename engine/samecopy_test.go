package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// copiedAgain writes the copy's files anew under other names in another folder,
// as cp does: newer, and the same in every byte.
func (k *kit) copiedAgain() {
	k.t.Helper()
	from := k.path("copy")
	k.must(os.Mkdir(k.path("again"), 0o755))
	files, err := os.ReadDir(from)
	k.must(err)
	for i, f := range files {
		data, err := os.ReadFile(filepath.Join(from, f.Name()))
		k.must(err)
		k.must(os.WriteFile(k.path("again", fmt.Sprintf("part-%d.parquet", len(files)-i)), data, 0o644))
	}
	k.request.Copy = k.path("again")
}

// seededLost is a target that was seeded at 12:10 from a copy of two files and
// whose stream lost changes, and the request of a reseed with the same copy.
func seededLost(t *testing.T) *kit {
	t.Helper()
	k := kitIn(t, scene{}).withFacts()
	k.writeCopy("b.parquet", []order{{9, "nine", 900}})
	k.request.AsOf = "2026-10-24T12:10:30Z"
	k.seeded(4)
	k.cleanup(lsnAt(20))
	k.request.AsOf, k.request.AppID, k.request.Reseed = "2026-10-24T12:30:30Z", "orders-v2", true
	k.request.Accept = []string{"stream_must_be_stopped", "reseed"}
	return k
}

// A copy of the seed's copy is found by what it holds, by planning and by the
// inspections.
func TestAReseedWithACopyOfTheCopy(t *testing.T) {
	k := seededLost(t)
	k.copiedAgain()
	p, err := k.build()
	k.must(err)
	if got := warnings(p); !slices.Contains(got, verdict.SameContent) || p.Refusal() == nil {
		t.Fatalf("warnings %q, refusal %v", got, p.Refusal())
	}
	got := k.inspect()
	said := fmt.Sprint(got.target.ReseedConditions(got.copy, got.asOf))
	if !strings.Contains(said, "byte for byte") {
		t.Errorf("the inspections say %s", said)
	}
}

// A small copy in which one value changed, without a trace in size or footer, is
// another one.
func TestAReseedWithOneValueChanged(t *testing.T) {
	k := seededLost(t)
	k.dropCopy()
	k.writeCopy("a.parquet", orders(3))
	k.writeCopy("b.parquet", []order{{9, "nine", 901}})
	p, err := k.build()
	k.must(err)
	if said := fmt.Sprint(p.Checks); !strings.Contains(said, "the copy is not one that the target was seeded from") {
		t.Error(said)
	}
	got := k.seeded(4)
	if tags := k.lastCommit("bronze").Info.Tags; tags["cdcseed.copy_content"] != p.Copy.Content || len(p.Copy.Content) != 64 || textOf(got.Follows) != lsnAt(10) {
		t.Errorf("%v, %+v", tags, got)
	}
}

// Where the seed's commit does not record what its copy held, as those of older
// releases, nothing is said to be another copy.
func TestAReseedAfterASeedWithoutItsContent(t *testing.T) {
	k := seededLost(t)
	_, snap := k.snapshot("bronze")
	log := []string{"bronze", "_delta_log", fmt.Sprintf("%020d.json", snap.Version)}
	text := k.tree("bronze")[filepath.ToSlash(filepath.Join(log[1:]...))]
	at := strings.Index(text, `"cdcseed.copy_content":"`)
	if at < 0 {
		t.Fatal("no such tag")
	}
	k.place(text[:at]+text[at+len(`"cdcseed.copy_content":"",`)+64:], log...)
	k.copiedAgain()
	p, err := k.build()
	k.must(err)
	if said := fmt.Sprint(p.Checks); !strings.Contains(said, "cannot be told") || strings.Contains(said, "the copy is not one that") {
		t.Error(said)
	}
	got := k.inspect()
	if text := conditionsText(got.target.ReseedConditions(got.copy, got.asOf)); !strings.Contains(text, "another_copy not_yet") {
		t.Errorf("the inspections say %s", text)
	}
}

// A rerun from a copy of the copy is told to be of the same.
func TestARerunWithACopyOfTheCopy(t *testing.T) {
	k := kitIn(t, scene{})
	k.seeded(3)
	k.copiedAgain()
	p, err := k.build()
	k.must(err)
	if said := fmt.Sprint(p.Checks); p.State != engine.AlreadySeeded || !strings.Contains(said, "holds the same, byte for byte") {
		t.Errorf("%s %s", p.State, said)
	}
}
