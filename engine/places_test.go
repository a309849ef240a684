package engine_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

func TestPlacesMustBeApart(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "lake", "copy"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "lake", "copy"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	at := func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	for name, r := range map[string]engine.Request{
		"the same":              {Copy: at("lake", "copy"), Target: at("lake", "copy") + "/"},
		"target in the copy":    {Copy: at("lake", "copy"), Target: at("lake", "copy", "bronze")},
		"copy in the target":    {Copy: at("lake", "copy"), Target: at("lake")},
		"facts in the target":   {Copy: at("lake", "copy"), Target: at("t"), Facts: at("t", "facts")},
		"facts are the target":  {Copy: at("lake", "copy"), Target: at("t"), Facts: "file://" + at("t")},
		"target through a link": {Copy: at("lake", "copy"), Target: at("link", "new", "bronze")},
	} {
		if _, err := engine.OpenStores(r); !errors.Is(err, verdict.TargetPath) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := engine.OpenStores(engine.Request{Copy: at("lake", "copy"), Target: at("lake", "copy2"), Facts: at("lake", "co")}); err != nil {
		t.Error("names that begin alike are apart:", err)
	}
}

func TestPathsAreMadeAbsolute(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.Request{Copy: "copy", Target: "./bronze.orders", Facts: "file://" + filepath.Join(here, "f")}.Absolute()
	if err != nil || r.Copy != filepath.Join(here, "copy") || r.Target != filepath.Join(here, "bronze.orders") || r.Facts != filepath.Join(here, "f") {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := (engine.Request{Target: "bronze.orders"}).Absolute(); !errors.Is(err, verdict.Usage) {
		t.Error("a table's name is taken for a folder:", err)
	}
	if r, err := (engine.Request{Target: "s3://bucket/t"}).Absolute(); err != nil || r.Target != "s3://bucket/t" {
		t.Error(r.Target, err)
	}
}

// A plan names the first file in which the copy is not the planned one.
func TestAChangedCopyIsNamed(t *testing.T) {
	for says, change := range map[string]func(*kit) error{
		"new file c.parquet": func(k *kit) error { k.writeCopy("c.parquet", orders(3)); return nil },
		"file a.parquet":     func(k *kit) error { k.writeCopy("a.parquet", orders(300)); return nil },
		"gone b.parquet":     func(k *kit) error { return os.Remove(k.path("copy", "b.parquet")) },
	} {
		k := newKit(t)
		k.writeCopy("a.parquet", orders(3))
		k.writeCopy("b.parquet", orders(3))
		p, err := k.build()
		if err != nil {
			t.Fatal(err)
		}
		if err := change(k); err != nil {
			t.Fatal(err)
		}
		if _, err = k.execute(p); !errors.Is(err, verdict.CopyChanged) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}

// The copy may be gone by the time the command runs again, also where the facts
// row is still owed.
func TestASeedIsFoundWithoutItsCopy(t *testing.T) {
	k := newKit(t).withFacts()
	k.writeCopy("a.parquet", orders(3))
	facts := k.request.Facts
	k.request.Facts = ""
	if _, err := k.seed(); err != nil {
		t.Fatal(err)
	}
	before := k.tree("bronze")
	if err := os.RemoveAll(k.path("copy")); err != nil {
		t.Fatal(err)
	}
	k.request.Facts = facts
	got, err := k.seed()
	if err != nil || got.State != engine.AlreadySeeded || got.FactsRow != "written" {
		t.Errorf("%+v, %v", got, err)
	}
	same(t, "target", before, k.tree("bronze"))
	k.request.AsOf = lsnAt(40)
	if _, err := k.seed(); !errors.Is(err, verdict.CopyNotFound) {
		t.Error("another seed needs its copy:", err)
	}
}

// An answer for flagged rows must not be given in vain.
func TestAnswersToMarksThatAreNotThere(t *testing.T) {
	for name, set := range map[string]func(*engine.Request){
		"exclude": func(r *engine.Request) { r.ExcludeDeleted = true },
		"keep":    func(r *engine.Request) { r.KeepDeleted = true },
		"ignore":  func(r *engine.Request) { r.IgnoreMark = []string{"nothere"} },
	} {
		k := newKit(t)
		k.writeCopy("a.parquet", orders(3))
		set(&k.request)
		if _, err := k.build(); !errors.Is(err, verdict.AnswerUnknown) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Another scheme is never taken for a folder of that name, and a file URL is one path.
func TestOnlyLocalPlacesAreTaken(t *testing.T) {
	for _, target := range []string{"dbfs:/lake/orders", "s3a://bucket/t", "abfss:container", "hdfs:/x", "file://elsewhere/x"} {
		r, err := engine.Request{Copy: t.TempDir(), Target: target}.Absolute()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := engine.OpenStores(r); !errors.Is(err, verdict.TargetPath) {
			t.Errorf("%s: %v", target, err)
		}
	}
	r, err := engine.Request{Copy: "file:/data/a%20copy", Target: "file://localhost/lake/t"}.Absolute()
	if err != nil || r.Copy != "/data/a copy" || r.Target != "/lake/t" {
		t.Errorf("%+v, %v", r, err)
	}
}

// A plan that found its seed must not record it once the rows are gone.
func TestAFoundSeedMustStillStand(t *testing.T) {
	k := newKit(t).withFacts()
	k.writeCopy("a.parquet", orders(3))
	facts := k.request.Facts
	k.request.Facts = ""
	if _, err := k.seed(); err != nil {
		t.Fatal(err)
	}
	k.request.Facts = facts
	p, err := k.build()
	if err != nil || p.State != engine.AlreadySeeded {
		t.Fatal(p.State, err)
	}
	log := k.path("bronze", "_delta_log", "00000000000000000001.json")
	if err := os.Remove(log); err != nil {
		t.Fatal(err)
	}
	if _, err := k.execute(p); !errors.Is(err, verdict.PlanStale) {
		t.Error(err)
	}
	if left := k.tree("facts"); len(left) > 0 {
		t.Error("the facts table records what is not there")
	}
}

// A plan whose preconditions were taken away is none, whatever its digest says.
func TestPreconditionsBelongToThePlan(t *testing.T) {
	k := newKit(t)
	k.writeCopy("a.parquet", orders(3))
	p, err := k.build()
	if err != nil {
		t.Fatal(err)
	}
	p.Preconditions = p.Preconditions[:2]
	if _, err := k.execute(p); !errors.Is(err, verdict.PlanInvalid) {
		t.Error(err)
	}
}

func TestALagIsOfATimeAlone(t *testing.T) {
	k := newKit(t)
	k.writeCopy("a.parquet", orders(3))
	k.request.AsOf, k.request.CopyLag = lsnAt(30), 15*time.Minute
	if _, err := k.build(); !errors.Is(err, verdict.Usage) {
		t.Error("an LSN taken unshifted:", err)
	}
}

func TestAPasswordNeverStaysInAURL(t *testing.T) {
	for server, want := range map[string][2]string{
		"sqlserver://u:p@ss@host:1433?database=d": {"sqlserver://u@host:1433?database=d", "p@ss"},
		"sqlserver://u:p%2Fw@host":                {"sqlserver://u@host", "p/w"},
		"sqlserver://u@host":                      {"sqlserver://u@host", ""},
		"host,1433":                               {"host,1433", ""},
	} {
		if clean, password := engine.WithoutPassword(server); clean != want[0] || password != want[1] {
			t.Errorf("%s: %q %q", server, clean, password)
		}
	}
}

// A seed belongs to the database it was made from: an L means nothing in another.
func TestASeedOfAnotherDatabaseIsNone(t *testing.T) {
	k := newKit(t)
	k.writeCopy("a.parquet", orders(3))
	if _, err := k.seed(); err != nil {
		t.Fatal(err)
	}
	other := kitOf(t, strings.ReplaceAll(world, `"Sales"`, `"Other"`))
	other.writeCopy("a.parquet", orders(3))
	other.request.Target = k.request.Target
	before := k.tree("bronze")
	for _, asOf := range []string{other.request.AsOf, lsnAt(30)} {
		other.request.AsOf = asOf
		if _, err := other.seed(); !errors.Is(err, verdict.TargetHoldsSnapshot) || !strings.Contains(err.Error(), "seeded from Sales") {
			t.Errorf("as of %s: %v", asOf, err)
		}
	}
	same(t, "target", before, k.tree("bronze"))
}

func TestTargetsThatAreNoPlaces(t *testing.T) {
	k := newKit(t)
	k.writeCopy("a.parquet", orders(3))
	if _, err := k.seed(); err != nil {
		t.Fatal(err)
	}
	inside := engine.Request{Copy: k.request.Copy, Target: k.path("bronze", "sub")}
	if _, err := engine.OpenStores(inside); !errors.Is(err, verdict.TargetPath) {
		t.Error("inside a Delta table:", err)
	}
	for _, path := range []string{"~/bronze", "$HOME/bronze", "delta.`/x`", "/lake/t\n"} {
		if _, err := (engine.Request{Target: path}).Absolute(); !errors.Is(err, verdict.Usage) {
			t.Errorf("%q: %v", path, err)
		}
	}
}
