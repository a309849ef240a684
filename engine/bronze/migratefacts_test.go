package bronze_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

// later are the columns that migrations 1 to 6 brought.
var later = []string{
	"source_rtt_ms read_seconds read_mb network_wait_ms", "retention_watermark_ts retention_headroom_hours", "event lost_from_ts lost_to_ts",
	"source_max_commit_ts capture_lag_seconds ingestion_lag_seconds", "end_lsn end_commit_ts", "detail",
}

// olderFacts is a facts table as release number at made it.
func olderFacts(t *testing.T, at int) *table {
	t.Helper()
	create, err := bronze.NewFacts("facts", commit)
	if err != nil {
		t.Fatal(err)
	}
	s, err := delta.ParseSchema(create.Metadata.SchemaString)
	if err != nil {
		t.Fatal(err)
	}
	lost := strings.Fields(strings.Join(later[min(at, len(later)):], " "))
	text := fmt.Sprint(at)
	if at == 0 {
		text = "" // the first release set none
	}
	older(text, lost...)(&create, &s)
	create.Metadata.SchemaString = s.String()
	w, _ := tableFrom(t, create)
	return w
}

func TestAnOlderFactsTableIsMigratedBeforeItsRow(t *testing.T) {
	for at := range bronze.FactsVersion {
		t.Run(fmt.Sprint("from ", at), func(t *testing.T) {
			w := olderFacts(t, at)
			before := w.open(t)
			fit, err := bronze.FitFacts(before)
			if err != nil || fit.Migration == nil || fit.Migration.From != at || len(fit.Migration.Steps) != bronze.FactsVersion-at {
				t.Fatalf("%+v, %v", fit, err)
			}
			written, err := bronze.WriteFact(t.Context(), w, fact(t, "orders"), testPen())
			if err != nil || !written {
				t.Fatal(written, err)
			}
			after := w.open(t)
			want := shapeNames(before.Schema)
			if at < len(later) {
				want += " " + strings.Join(later[at:], " ") // new columns come last
			}
			same(t, "columns", shapeNames(after.Schema), want)
			if after.Version != 2 || after.Metadata.Configuration[bronze.VersionProperty] != "14" || len(after.Files) != 1 || !bronze.Recorded(after, "orders") {
				t.Errorf("version %d, %v, %d files", after.Version, after.Metadata.Configuration, len(after.Files))
			}
			events, err := bronze.Events(t.Context(), w, after, "lake.orders")
			if err != nil || len(events) != 1 || events[0].Event != bronze.EventBootstrap {
				t.Error(events, err)
			}
			if again, err := bronze.WriteFact(t.Context(), w, fact(t, "orders"), testPen()); err != nil || again || w.open(t).Version != 2 {
				t.Error(again, err)
			}
		})
	}
}

func shapeNames(s delta.Schema) string { return strings.ReplaceAll(shape(s), "*", "") }

// A row that stands needs no newer table.
func TestARecordedRowMigratesNothing(t *testing.T) {
	w := olderFacts(t, 5)
	commitOn(t, w, delta.Append{Operation: "WRITE", Txn: &delta.Txn{AppID: bronze.TxnAppID("orders")}, TxnID: "theirs"})
	written, err := bronze.WriteFact(t.Context(), w, fact(t, "orders"), testPen())
	if after := w.open(t); err != nil || written || after.Version != 1 || after.Metadata.Configuration[bronze.VersionProperty] != "5" {
		t.Errorf("%v, %v, version %d", written, err, after.Version)
	}
}

// migrateTheirs migrates as another job does, whose words are its own.
func migrateTheirs(t *testing.T, w *table) {
	t.Helper()
	fit, err := bronze.FitFacts(w.open(t))
	if err != nil || fit.Migration == nil {
		t.Fatalf("%+v, %v", fit, err)
	}
	m := fit.Migration.Metadata
	m.Description = "their words"
	commitOn(t, w, delta.Append{Operation: "SET TBLPROPERTIES", Metadata: &m, TxnID: "theirs"})
}

func TestAFactsTableThatAnotherMigratesMeanwhile(t *testing.T) {
	w := olderFacts(t, 4)
	tries := 0
	raced := storetest.Intercept(w.Mem, func(op storetest.Op) storetest.Fault {
		if op.Name == "CreateOnce" {
			if tries++; tries == 1 {
				migrateTheirs(t, w)
			}
		}
		return storetest.Fault{}
	})
	written, err := bronze.WriteFact(t.Context(), raced, fact(t, "orders"), testPen())
	after := w.open(t)
	if err != nil || !written || after.Version != 2 || after.Metadata.Description != "their words" || len(after.Files) != 1 || tries != 2 {
		t.Errorf("%v, %v, version %d after %d tries, %q", written, err, after.Version, tries, after.Metadata.Description)
	}
}

// Another release that was at an older number when we migrated sets the number
// back before it goes on; whoever comes last, the columns are there once.
func TestAFactsTableWhoseNumberIsSetBackMeanwhile(t *testing.T) {
	w := olderFacts(t, 4)
	tries := 0
	raced := storetest.Intercept(w.Mem, func(op storetest.Op) storetest.Fault {
		if op.Name == "CreateOnce" {
			if tries++; tries == 2 {
				m := w.open(t).Metadata.WithProperty(bronze.VersionProperty, "5")
				commitOn(t, w, delta.Append{Operation: "SET TBLPROPERTIES", Metadata: &m, TxnID: "theirs"})
			}
		}
		return storetest.Fault{}
	})
	written, err := bronze.WriteFact(t.Context(), raced, fact(t, "orders"), testPen())
	after := w.open(t)
	if err != nil || !written || after.Metadata.Configuration[bronze.VersionProperty] != "14" || len(after.Files) != 1 || after.Version != 4 {
		t.Errorf("%v, %v, version %d, %v", written, err, after.Version, after.Metadata.Configuration)
	}
	if n := len(after.Schema.Fields); n != len(bronze.FactsColumns()) {
		t.Errorf("%d columns", n)
	}
}

func TestAMigratedFactSurvivesAnyFailure(t *testing.T) {
	for _, fail := range failures() {
		for n := 1; ; n++ {
			w := olderFacts(t, 2)
			f := fail.wrap(w.Mem, n)
			written, err := bronze.WriteFact(t.Context(), f, fact(t, "orders"), testPenFrom("first"))
			if f.Count() < n {
				break
			}
			if written && err != nil {
				t.Fatalf("%s operation %d: both written and %v", fail.name, n, err)
			}
			again, err := bronze.WriteFact(t.Context(), w, fact(t, "orders"), testPenFrom("second"))
			if err != nil || again && written {
				t.Fatalf("%s operation %d: again %v, %v", fail.name, n, again, err)
			}
			snap := w.open(t)
			if len(snap.Files) != 1 || snap.Metadata.Configuration[bronze.VersionProperty] != "14" || len(snap.Schema.Fields) != len(bronze.FactsColumns()) {
				t.Fatalf("%s operation %d: %d files, %v", fail.name, n, len(snap.Files), snap.Metadata.Configuration)
			}
		}
	}
}

// A facts table that cannot be migrated is told as one that takes no row.
func TestAnOlderFactsTableThatTakesNoCommit(t *testing.T) {
	w := olderFacts(t, 4)
	full := storetest.Intercept(w.Mem, func(op storetest.Op) storetest.Fault {
		if op.Name == "CreateOnce" {
			return storetest.Fault{Err: store.ErrFull}
		}
		return storetest.Fault{}
	})
	written, err := bronze.WriteFact(t.Context(), full, fact(t, "orders"), testPen())
	if written || !errors.Is(err, store.ErrFull) || errors.Is(err, verdict.CommitUnknown) || parquetFiles(t, w) != 0 || w.open(t).Version != 0 {
		t.Errorf("%v, %v, %d files", written, err, parquetFiles(t, w))
	}
}
