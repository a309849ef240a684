package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine"
	"cdcseed/engine/delta"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

func parsed(k *kit, l string) fakeserver.LSN {
	k.t.Helper()
	out, err := fakeserver.ParseLSN(l)
	k.must(err)
	return out
}

func (k *kit) cleanup(l string) {
	k.t.Helper()
	_, err := k.server.Cleanup("Sales", parsed(k, l))
	k.must(err)
}

// staleRefusals are those of a plan whose ground has moved before it runs.
func staleRefusals() []refusal {
	again := func(k *kit, in fakeserver.Instance) {
		k.must(k.server.DropInstance("Sales", "dbo_orders"))
		k.must(k.server.Capture("Sales", in))
	}
	return []refusal{
		{
			name: "a plan that was edited", meanwhile: func(_ *kit, p *engine.Plan) { p.Target.URL += "2" },
			code: verdict.PlanInvalid, exit: 5, says: []string{"changed after it was made", "digest", "recorded"},
		},
		{
			name: "a plan with a warning more accepted", meanwhile: func(_ *kit, p *engine.Plan) { p.Accepted = append(p.Accepted, "fell_back") },
			code: verdict.PlanInvalid, exit: 5, says: []string{"digest"},
		},
		{
			name: "a file list that was edited", meanwhile: func(_ *kit, p *engine.Plan) { p.Files[0].Rows++ },
			code: verdict.PlanInvalid, exit: 5, says: []string{"file list"},
		},
		{
			name: "a plan of another format", meanwhile: func(_ *kit, p *engine.Plan) { p.Format = 2 },
			code: verdict.PlanInvalid, exit: 5, says: []string{"format 2", "reads 1"},
		},
		{name: "another database", meanwhile: func(k *kit, _ *engine.Plan) {
			k.moveTo(strings.ReplaceAll(scene{}.text(), "Sales", "Archive"))
		}, code: verdict.PlanStale, exit: 5, says: []string{"/ Archive", "/ Sales"}},
		{name: "a database that was restored to an earlier day", meanwhile: func(k *kit, _ *engine.Plan) {
			k.moveTo(strings.ReplaceAll(scene{}.text(), `"count": 60`, `"count": 20`))
		}, code: verdict.PlanStale, exit: 5, says: []string{"L " + lsnAt(30), "newest captured " + lsnAt(19), "when planned " + lsnAt(59)}},
		{name: "the instance was made again", meanwhile: func(k *kit, _ *engine.Plan) {
			start := parsed(k, "0x10")
			again(k, fakeserver.Instance{Name: "dbo_orders", Table: "dbo.orders", Start: &start, Created: "2026-10-24T11:00:00"})
		}, code: verdict.PlanStale, exit: 5, says: []string{"not the planned ones", "now dbo_orders (object", "planned dbo_orders (object"}},
		{name: "the instance captures other columns", meanwhile: func(k *kit, _ *engine.Plan) {
			start := parsed(k, "0x10")
			again(k, fakeserver.Instance{Name: "dbo_orders", Table: "dbo.orders", Columns: []string{"id", "name"}, Start: &start, Created: "2026-10-24T11:00:00"})
		}, code: verdict.PlanStale, exit: 5, says: []string{"not the planned ones"}},
		{name: "another instance was made", meanwhile: func(k *kit, _ *engine.Plan) {
			k.must(k.server.Capture("Sales", fakeserver.Instance{Name: "dbo_orders_v2", Table: "dbo.orders"}))
		}, code: verdict.PlanStale, exit: 5, says: []string{"dbo_orders_v2"}},
		{
			name: "the instance was dropped", meanwhile: func(k *kit, _ *engine.Plan) { k.must(k.server.DropInstance("Sales", "dbo_orders")) },
			code: verdict.NoInstance, exit: 3, says: []string{"dbo_orders"},
		},
		{
			name: "the copy has another file", meanwhile: func(k *kit, _ *engine.Plan) { k.writeCopy("b.parquet", orders(1)) },
			code: verdict.CopyChanged, exit: 5, says: []string{"files now 2", "planned 1"},
		},
		{
			name: "the copy was written again", meanwhile: func(k *kit, _ *engine.Plan) { k.dateCopy("2026-10-24T12:40:00Z") },
			code: verdict.CopyChanged, exit: 5, says: []string{"files now 1"},
		},
		{
			name: "the copy holds other values, and its files look the same", arrange: func(k *kit) {
				k.request.Cast = map[string]string{"amount": "round"}
				k.amounts("1.230", "4.560", "7.891")
			}, places: func(k *kit, s engine.Stores) engine.Stores {
				s.Copy = k.otherValues(s.Copy, "1.230", "4.562", "7.891")
				return s
			},
			code: verdict.CountsDiffer, exit: 5, says: []string{"amount rounded 1 planned, 2 found", "amount unchanged 2 planned, 1 found", "did other things"},
		},
		{
			name: "cleanup passed L after planning", meanwhile: func(k *kit, _ *engine.Plan) { k.cleanup(lsnAt(40)) },
			code: verdict.RetentionPassed, exit: 4, says: []string{"L " + lsnAt(30), "oldest kept " + lsnAt(40)},
		},
		{name: "the stream began a snapshot", arrange: func(k *kit) { k.withFacts() }, meanwhile: func(k *kit, _ *engine.Plan) {
			k.factsTable(nil)
			k.appendRows("facts", openRow(lsnAt(40), "full"))
		}, code: verdict.SnapshotOpen, exit: 3, says: []string{"opened at " + lsnAt(40)}},
		{name: "a snapshot appeared at another L", meanwhile: func(k *kit, _ *engine.Plan) {
			k.bronzeTable(nil)
			k.appendRows("bronze", snapshotRow(lsnAt(31), "null"))
		}, code: verdict.TargetHoldsSnapshot, exit: 6, says: []string{"held " + lsnAt(31), "asked for " + lsnAt(30)}},
		{name: "the target was made again", arrange: func(k *kit) { k.bronzeTable(nil) }, meanwhile: func(k *kit, _ *engine.Plan) {
			k.bronzeTable(func(c *delta.Create) { c.Metadata.ID = "6f2b7d6e-0000-4000-8000-000000000009" })
		}, code: verdict.TargetChanged, exit: 6, says: []string{"another table", "table id", "planned"}},
		{name: "the target's schema changed", arrange: func(k *kit) { k.bronzeTable(nil) }, meanwhile: func(k *kit, _ *engine.Plan) {
			k.changeMetadata(inSchema(`{"name":"name","type":"string"`, `{"name":"note","type":"string","nullable":true,"metadata":{}},{"name":"name","type":"string"`))
		}, code: verdict.TargetChanged, exit: 6, says: []string{"schema changed", "version 1", "planned at version 0"}},
		{name: "the target's protocol changed", arrange: func(k *kit) { k.bronzeTable(nil) }, meanwhile: func(k *kit, _ *engine.Plan) {
			_, snap := k.snapshot("bronze")
			p := snap.Protocol
			p.WriterFeatures = append(slices.Clone(p.WriterFeatures), "changeDataFeed")
			k.commit("bronze", delta.Append{Operation: "UPGRADE", Protocol: &p})
		}, code: verdict.TargetChanged, exit: 6, says: []string{"protocol changed", "changeDataFeed"}},
		{name: "another table was made at the target", meanwhile: func(k *kit, _ *engine.Plan) {
			k.bronzeTable(inSchema(`"_seqval"`, `"seq"`))
		}, code: verdict.TargetChanged, exit: 6, says: []string{"lacks _seqval"}},
	}
}

// amounts writes the copy again, with these amounts as text.
func (k *kit) amounts(values ...string) {
	k.t.Helper()
	k.dropCopy()
	k.writeFile("a.parquet", k.amountsRecord(values...))
}

func (k *kit) amountsRecord(values ...string) arrow.Record {
	k.t.Helper()
	var rows []string
	for i, v := range values {
		rows = append(rows, fmt.Sprintf(`{"id": %d, "name": "n", "amount": %q}`, i+1, v))
	}
	return recordOf(k.t, []arrow.Field{field("id", int32s), field("name", texts), field("amount", texts)}, "["+strings.Join(rows, ",")+"]")
}

// otherValues is a store that lists the copy's file as it is and opens one with
// other amounts, of the same size: what a file system does that tells a stale time.
func (k *kit) otherValues(was store.Reader, amounts ...string) store.Reader {
	k.t.Helper()
	rec := k.amountsRecord(amounts...)
	var now bytes.Buffer
	w, err := parquetfile.NewWriter(&now, rec.Schema(), parquetfile.WriterOptions{})
	k.must(err)
	k.must(w.Write(rec))
	_, err = w.Close()
	k.must(err)
	if old, err := os.Stat(k.path("copy", "a.parquet")); err != nil || int64(now.Len()) != old.Size() {
		k.t.Fatalf("the file of other values has %d bytes, not as many as %v: %v", now.Len(), old, err)
	}
	stand := storetest.NewMem()
	k.must(stand.CreateOnce(k.t.Context(), "a.parquet", now.Bytes()))
	return insteadOf{was, stand}
}

// insteadOf opens the files of another store.
type insteadOf struct {
	store.Reader
	opened store.Reader
}

func (i insteadOf) Open(ctx context.Context, key string) (store.File, error) {
	return i.opened.Open(ctx, key)
}

// moveTo puts another server in the place of the one that was planned from.
func (k *kit) moveTo(world string) {
	k.t.Helper()
	w, err := fakeserver.ReadWorld(strings.NewReader(world))
	k.must(err)
	s, err := fakeserver.Start(w, fakeserver.Options{})
	k.must(err)
	k.t.Cleanup(func() { _ = s.Close() })
	k.request.Server = s.URL()
}

// changeMetadata commits a metaData of the target's, as an ALTER TABLE does.
func (k *kit) changeMetadata(change func(*delta.Create)) {
	k.t.Helper()
	_, snap := k.snapshot("bronze")
	c := delta.Create{Metadata: snap.Metadata}
	change(&c)
	k.commit("bronze", delta.Append{Operation: "ADD COLUMNS", Metadata: &c.Metadata})
}

// once runs do at the first operation on the target that is named so and whose
// key begins so, right before it happens.
func once(name, key string, do func(*kit)) func(*kit, engine.Stores) engine.Stores {
	return func(k *kit, s engine.Stores) engine.Stores {
		var first sync.Once
		s.Target = storetest.Intercept(s.Target, func(op storetest.Op) storetest.Fault {
			if op.Name == name && strings.HasPrefix(op.Key, key) {
				first.Do(func() { do(k) })
			}
			return storetest.Fault{}
		})
		return s
	}
}

const firstData = "_delta_log/00000000000000000001"

// raceRefusals are those of what happens while a plan is being executed.
func raceRefusals() []refusal {
	// The bronze table stands, so that "nothing changed" is a plain statement.
	empty := func(k *kit) { k.bronzeTable(nil) }
	others := func(want ...string) func(*kit, *verdict.Error, []string) {
		return func(k *kit, _ *verdict.Error, changed []string) {
			k.t.Helper()
			slices.Sort(changed)
			if !slices.Equal(changed, want) {
				k.t.Errorf("changed %q, want %q alone", changed, want)
			}
		}
	}
	return []refusal{
		{
			name: "case 16: cleanup passes L while files are staged", arrange: empty, places: once("Finish", "part-", func(k *kit) { k.cleanup(lsnAt(40)) }),
			code: verdict.RetentionPassed, exit: 4, says: []string{"L " + lsnAt(30), "oldest kept " + lsnAt(40)},
		},
		{
			name: "case 16: into a new table", places: once("Finish", "part-", func(k *kit) { k.cleanup(lsnAt(40)) }),
			code: verdict.RetentionPassed, exit: 4, says: []string{"oldest kept " + lsnAt(40)},
		},
		{name: "cleanup passes L when the table was just made", places: func(k *kit, s engine.Stores) engine.Stores {
			s.Target = storetest.Intercept(s.Target, func(op storetest.Op) storetest.Fault {
				if op.Name == "CreateOnce" {
					k.cleanup(lsnAt(40))
				}
				return storetest.Fault{}
			})
			return s
		}, left: func(k *kit, e *verdict.Error, changed []string) {
			others("bronze/_delta_log/00000000000000000000.json")(k, e, changed)
			if !strings.Contains(e.WroteText(), "was made and is empty") || !strings.Contains(e.WroteText(), "No rows were written") {
				k.t.Error(e.WroteText())
			}
		}, code: verdict.RetentionPassed, exit: 4},
		{
			name: "the stream begins a snapshot while files are staged", arrange: func(k *kit) {
				empty(k)
				k.withFacts().factsTable(nil)
			}, places: once("Finish", "part-", func(k *kit) { k.appendRows("facts", openRow(lsnAt(40), "chunked")) }),
			left: others("facts/"+firstData+".json", "facts/part-00000-0.parquet"),
			code: verdict.SnapshotOpen, exit: 3, says: []string{"opened at " + lsnAt(40)},
		},
		{
			name: "nothing is kept for a rerun that could not go on, whatever was asked for", arrange: func(k *kit) {
				empty(k)
				k.request.OnStop = "keep"
			}, places: once("Finish", "part-", func(k *kit) { k.cleanup(lsnAt(40)) }),
			code: verdict.RetentionPassed, exit: 4,
		},
		{
			name: "a lost race against another snapshot", arrange: empty, places: once("CreateOnce", firstData, func(k *kit) {
				k.appendRows("bronze", snapshotRow(lsnAt(31), "null"))
			}), left: others("bronze/"+firstData+".json", "bronze/part-00000-0.parquet"),
			code: verdict.TargetHoldsSnapshot, exit: 6, says: []string{"held " + lsnAt(31)},
		},
		{name: "case 29: a lost race against a change of the schema", arrange: empty, places: once("CreateOnce", firstData, func(k *kit) {
			k.changeMetadata(inSchema(`{"name":"name","type":"string"`, `{"name":"note","type":"string","nullable":true,"metadata":{}},{"name":"name","type":"string"`))
		}), left: others("bronze/" + firstData + ".json"), code: verdict.TargetChanged, exit: 6, says: []string{"schema changed"}},
		{name: "a staged file is taken away", arrange: empty, places: func(k *kit, s engine.Stores) engine.Stores {
			target := s.Target
			s.Target = storetest.Intercept(target, func(op storetest.Op) storetest.Fault {
				if op.Name == "Stat" && strings.HasPrefix(op.Key, "part-") {
					k.must(target.Remove(k.t.Context(), op.Key))
				}
				return storetest.Fault{}
			})
			return s
		}, code: verdict.TargetChanged, exit: 6, says: []string{"a staged file is gone", "part-00000-"}},
		{name: "stopped while staging", arrange: empty, stop: func(cancel context.CancelFunc, e engine.Event) {
			if s, ok := e.(engine.PhaseStarted); ok && s.Phase == engine.Stage {
				cancel()
			}
		}, code: verdict.Stopped, exit: 130, says: []string{"stopped on request", "same command again"}},
		{name: "stopped right before the commit", arrange: empty, stop: func(cancel context.CancelFunc, e engine.Event) {
			if s, ok := e.(engine.PhaseStarted); ok && s.Phase == engine.Commit {
				cancel()
			}
		}, code: verdict.Stopped, exit: 130, says: []string{"before the seed was committed"}},
	}
}

// fails makes operations on the target answer an error.
func fails(name, key string, err error, done bool) func(*kit, engine.Stores) engine.Stores {
	return func(_ *kit, s engine.Stores) engine.Stores {
		s.Target = storetest.Intercept(s.Target, func(op storetest.Op) storetest.Fault {
			if op.Name == name && strings.HasPrefix(op.Key, key) {
				return storetest.Fault{Err: err, Done: done}
			}
			return storetest.Fault{}
		})
		return s
	}
}

// storeRefusals are those of places that do not do what they are asked to.
func storeRefusals() []refusal {
	empty := func(k *kit) { k.bronzeTable(nil) }
	broken := errors.New("connection reset by peer")
	return []refusal{
		{
			name: "no right to write", arrange: empty, places: fails("Create", "part-", store.ErrDenied, false),
			code: verdict.StoreDenied, exit: 7, says: []string{"the right to read and write"},
		},
		{
			name: "no space", arrange: empty, places: fails("Finish", "part-", store.ErrFull, false),
			code: verdict.StoreFull, exit: 7, says: []string{"space"},
		},
		{
			name: "no space for the first bytes", arrange: empty, places: fails("Write", "part-", store.ErrFull, false),
			code: verdict.StoreFull, exit: 7, says: []string{"no space left"},
		},
		{
			name: "no space for the commit", arrange: empty, places: fails("CreateOnce", firstData, store.ErrFull, false),
			code: verdict.StoreFull, exit: 7, says: []string{"space"},
		},
		{
			name: "a broken write", arrange: empty, places: fails("Finish", "part-", broken, false),
			code: verdict.StoreUnreachable, exit: 7, says: []string{"connection reset by peer"},
		},
		{name: "a commit of which nothing is known", arrange: empty, places: func(_ *kit, s engine.Stores) engine.Stores {
			tried := false
			s.Target = storetest.Intercept(s.Target, func(op storetest.Op) storetest.Fault {
				if !strings.HasPrefix(op.Key, firstData) {
					return storetest.Fault{}
				}
				tried = tried || op.Name == "CreateOnce"
				if tried {
					return storetest.Fault{Err: broken, Done: true}
				}
				return storetest.Fault{}
			})
			return s
		}, left: func(k *kit, e *verdict.Error, changed []string) {
			if len(changed) != 2 || !strings.Contains(e.WroteText(), "may have been") {
				k.t.Errorf("%q changed, says %q", changed, e.WroteText())
			}
		}, code: verdict.CommitUnknown, exit: 7, says: []string{"version 1", "txnId", "same command again"}},
		{name: "the facts row is not written", arrange: func(k *kit) { k.withFacts() }, places: func(_ *kit, s engine.Stores) engine.Stores {
			s.Facts = storetest.Intercept(s.Facts, func(op storetest.Op) storetest.Fault {
				if op.Name == "Create" {
					return storetest.Fault{Err: store.ErrDenied}
				}
				return storetest.Fault{}
			})
			return s
		}, left: func(k *kit, e *verdict.Error, _ []string) {
			k.t.Helper()
			if !strings.Contains(e.WroteText(), "version 1") || !strings.Contains(e.WroteText(), "does not record it") {
				k.t.Error(e.WroteText())
			}
			again, err := k.seed()
			if err != nil || again.State != engine.AlreadySeeded || again.FactsRow != "written" {
				k.t.Errorf("rerun: %+v, %v", again, err)
			}
		}, code: verdict.FactsFailed, exit: 8, says: []string{"cause store_denied", "same command again"}},
	}
}

func newInstance(name string, start *fakeserver.LSN) fakeserver.Instance {
	return fakeserver.Instance{Name: name, Table: "dbo.orders", Start: start, Created: "2026-10-24T11:00:00"}
}
