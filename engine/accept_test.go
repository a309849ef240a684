package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine"
	"cdcseed/engine/delta"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
	"cdcseed/fakeserver/tds"
)

// accepted is an as_of that maps, with what must be accepted on the way.
type accepted struct {
	name    string
	scene   scene
	arrange func(*kit)
	l       string
	looked  string // up, on the server's clock; "" for an LSN
	commit  string // time of L, "" where unknown
	record  string // the package's own answer, "" where it is L
	accept  []verdict.Warning
}

// mappings are the as_of of the cases that lead to an L.
func mappings() []accepted {
	backup := scene{
		server: serverOf("UTC", "2026-10-05T10:00:00Z"), instances: instance("dbo_orders", "0x0000002A000001000041", "2026-01-01T00:00:00"),
		mapping: commits("0x0000002A000001000041", "2026-10-02T00:00:05", "0x0000002A000002000041", "2026-10-02T06:00:00", "0x0000002A000003000001", "2026-10-05T09:00:00"),
	}
	millis := scene{
		server: serverOf("UTC", "2026-10-05T13:00:00Z"), instances: instance("dbo_orders", "0x0100", "2026-01-01T00:00:00"),
		mapping: commits("0x0100", "2026-10-05T12:00:00.000", "0x0200", "2026-10-05T12:00:01.000"),
	}
	return []accepted{
		{name: "case 1, run 2", scene: purgedScene, arrange: at("2026-10-02T00:00:05Z"), l: "0100", looked: "2026-10-02T00:00:05", commit: "2026-10-02T00:00:05Z"},
		{name: "case 1, run 3", scene: purgedScene, arrange: at(lsnText("00FF")), l: "00FF"},
		{name: "the newest LSN", scene: purgedScene, arrange: at(lsnText("0300")), l: "0300", commit: "2026-10-05T09:00:00Z"},
		{name: "an LSN between commits", scene: purgedScene, arrange: at(lsnText("0250")), l: "0250", accept: []verdict.Warning{verdict.LSNNoCommit}},
		{name: "an LSN as fn_dblog prints it", scene: purgedScene, arrange: at("00000000:00000000:0200"), l: "0200", commit: "2026-10-02T06:00:00Z"},
		{name: "a backup's LSN is the first not in the copy", scene: backup, arrange: at("42000000051200065"), l: "0000002A000001000041", commit: "2026-10-02T00:00:05Z"},
		{
			name: "a copy that lags", scene: purgedScene, arrange: func(k *kit) { k.request.AsOf, k.request.CopyLag = "2026-10-02T06:00:30Z", time.Minute },
			l: "0100", looked: "2026-10-02T05:59:30", commit: "2026-10-02T00:00:05Z", record: "0200",
		},
		{name: "case 3, run 4", scene: chinaScene, arrange: at("2026-10-04T10:00:00+08:00"), l: "0200", looked: "2026-10-04T10:00:00", commit: "2026-10-04T02:00:00Z"},
		{name: "case 12a", scene: millis, arrange: at("2026-10-05T12:00:00.999Z"), l: "0100", looked: "2026-10-05T12:00:00", commit: "2026-10-05T12:00:00Z"},
		{
			name: "case 17", scene: stoppedScene, arrange: at("2026-10-05T08:00:00Z"), l: "0300", looked: "2026-10-05T08:00:00", commit: "2026-10-02T11:00:00Z",
			accept: []verdict.Warning{verdict.CaptureStopped},
		},
		{
			name: "capture behind", scene: stoppedScene, arrange: at("2026-10-02T11:30:00Z"), l: "0300", looked: "2026-10-02T11:30:00", commit: "2026-10-02T11:00:00Z",
			accept: []verdict.Warning{verdict.CaptureBehind},
		},
		{name: "case 25, before", scene: fallBackScene, arrange: inRepeatedHour("2026-11-01T04:55:00Z"), l: "20", looked: "2026-11-01T00:55:00", commit: "2026-11-01T04:50:00Z"},
		{
			name: "case 25, first pass", scene: fallBackScene, arrange: inRepeatedHour("2026-11-01T05:30:00Z"), l: "10", looked: "2026-11-01T00:30:00", commit: "2026-11-01T04:20:00Z",
			accept: []verdict.Warning{verdict.FellBack},
		},
		{name: "case 25, second pass", scene: fallBackScene, arrange: inRepeatedHour("2026-11-01T06:30:00Z"), l: "60", looked: "2026-11-01T01:30:00", commit: "2026-11-01T06:20:00Z"},
		{name: "case 25, after", scene: fallBackScene, arrange: inRepeatedHour("2026-11-01T07:05:00Z"), l: "70", looked: "2026-11-01T02:05:00", commit: "2026-11-01T06:50:00Z"},
		{
			name: "case 44, a time", scene: replicaScene, arrange: at("2026-10-05T09:59:00Z"), l: "0550", looked: "2026-10-05T09:59:00", commit: "2026-10-05T09:58:00Z",
			accept: []verdict.Warning{verdict.CaptureBehind},
		},
		{
			name: "case 50", scene: steppedScene, arrange: at("2026-10-05T12:00:45Z"), l: "10", looked: "2026-10-05T12:00:45", commit: "2026-10-05T12:00:00Z", record: "40",
			accept: []verdict.Warning{verdict.ClockStepped},
		},
		{
			name: "no zone", scene: offsetScene, arrange: at("2026-10-05T10:30:00Z"), l: "0100", looked: "2026-10-05T10:30:00", commit: "2026-10-05T08:00:00Z", record: "0200",
			accept: []verdict.Warning{verdict.NoZone},
		},
		{name: "no zone, settled by a flag", scene: offsetScene, arrange: func(k *kit) {
			k.request.AsOf, k.request.TimeZone = "2026-10-05T10:30:00Z", "W. Central Africa Standard Time"
		}, l: "0200", looked: "2026-10-05T11:30:00", commit: "2026-10-05T10:00:00Z"},
	}
}

// Every mapping holds under both readings that fn_cdc_map_time_to_lsn may have
// in a repeated hour, is written as planned, and is found again by a rerun.
func TestMappingsAreSeededAndFoundAgain(t *testing.T) {
	for _, c := range mappings() {
		for _, reading := range []string{"by_time", "by_lsn"} {
			t.Run(c.name+" "+reading, func(t *testing.T) {
				t.Parallel()
				s := c.scene
				s.server += fmt.Sprintf(`, "map_time": %q`, reading)
				k := kitIn(t, s)
				c.arrange(k)
				c.check(k)
			})
		}
	}
}

func (c accepted) check(k *kit) {
	k.t.Helper()
	p, err := k.build()
	k.must(err)
	a := p.AsOf
	if a.L.String() != lsnText(c.l) || textOf(a.CommitTS) != c.commit || textOf(a.LookedUp) != c.looked {
		k.t.Errorf("L %s of %q looked up %q, want %s of %q looked up %q", a.L, textOf(a.CommitTS), textOf(a.LookedUp), lsnText(c.l), c.commit, c.looked)
	}
	if want := c.record; textOf(a.Record) != want && textOf(a.Record) != lsnText(want) {
		k.t.Errorf("record %s, want %q", textOf(a.Record), want)
	}
	if got := warnings(p); !slices.Equal(got, c.accept) {
		k.t.Fatalf("warnings %q, want %q", got, c.accept)
	}
	for _, w := range c.accept {
		k.request.Accept = append(k.request.Accept, string(w))
	}
	got, err := k.seed()
	k.must(err)
	if got.State != engine.Ready || got.L != a.L || got.Rows != 3 {
		k.t.Errorf("%+v", got)
	}
	k.stamped(lsnText(c.l), c.commit)
	if c.record != "" && !strings.Contains(strings.Join(got.Follow, " "), "pass the LSN "+lsnText(c.l)) {
		k.t.Errorf("%q does not say that later calls need the LSN", got.Follow)
	}
	before := k.tree()
	again, err := k.seed()
	k.must(err)
	if again.State != engine.AlreadySeeded || again.L != a.L {
		k.t.Errorf("rerun: %+v", again)
	}
	same(k.t, "rerun", before, k.tree())
}

// textOf is a value's text, empty for nil.
func textOf[T fmt.Stringer](v *T) string {
	if v == nil {
		return ""
	}
	return (*v).String()
}

// warnings are the codes of a plan's warnings, in order.
func warnings(p engine.Plan) []verdict.Warning {
	var out []verdict.Warning
	for _, c := range p.Checks {
		if c.Level == verdict.Warn {
			out = append(out, c.Code)
		}
	}
	return out
}

// stamped checks what the seed's rows carry, by the statistics of its files.
func (k *kit) stamped(l, commit string) {
	k.t.Helper()
	_, snap := k.snapshot("bronze")
	for _, f := range snap.Files {
		s, err := f.ParseStats()
		k.must(err)
		nulls, _ := s.Nulls("_commit_ts")
		ts, _ := s.Max["_commit_ts"].(string)
		if s.Min["_start_lsn"] != l || s.Max["_snapshot"] != l || s.Max["_capture_instance"] != "dbo_orders" {
			k.t.Errorf("rows are of %v", s.Max)
		}
		if commit == "" && nulls != *s.NumRecords || commit != "" && !strings.HasPrefix(ts, strings.TrimSuffix(commit, "Z")) {
			k.t.Errorf("commit time %q, %d NULL; want %q", ts, nulls, commit)
		}
	}
}

// Warnings that do not come from the mapping, each made to occur once.
func otherWarnings() []accepted {
	flagged := func(k *kit) {
		k.newCopy([]arrow.Field{field("id", int32s), field("name", texts), field("amount", cents), field("_fivetran_deleted", arrow.FixedWidthTypes.Boolean)},
			`[{"id": 1, "_fivetran_deleted": false}, {"id": 2, "_fivetran_deleted": true}, {"id": 3}]`)
		k.request.KeepDeleted = true
	}
	return []accepted{
		{
			name: "as_of after the copy, allowed", arrange: func(k *kit) { k.request.AsOf, k.request.AllowAsOfAfterCopy = lsnAt(45), true },
			accept: []verdict.Warning{verdict.AfterCopyAllowed},
		},
		{
			name: "a copy of another size", scene: scene{rows: `"generate": {"rows": 20000, "seed": 1, "columns": {"id": {"from": 1, "step": 1}, "name": {"text": "n{n}"}, "amount": {"pick": ["1.00"]}}}`},
			arrange: func(*kit) {},
			accept:  []verdict.Warning{verdict.RowsDiffer},
		},
		{name: "a target with rows", arrange: func(k *kit) {
			k.bronzeTable(nil)
			k.appendRows("bronze", changeRow)
		}, accept: []verdict.Warning{verdict.StreamStopped}},
		{name: "a reseed", arrange: func(k *kit) {
			k.bronzeTable(nil)
			k.appendRows("bronze", snapshotRow(lsnAt(5), "null"))
			k.request.Reseed = true
		}, accept: []verdict.Warning{verdict.StreamStopped, verdict.Reseed}},
		{name: "a reseed with a copy of the seed's copy", arrange: func(k *kit) {
			k.request.AsOf = "2026-10-24T12:10:30Z"
			k.seeded(3)
			k.copiedAgain()
			k.request.AsOf, k.request.Reseed = "2026-10-24T12:30:30Z", true
		}, accept: []verdict.Warning{verdict.StreamStopped, verdict.SameContent, verdict.Reseed}},
		{
			name: "a target that is read as Hudi too", arrange: func(k *kit) { k.bronzeTable(property("delta.universalFormat.enabledFormats", "hudi")) },
			accept: []verdict.Warning{verdict.UniformStale},
		},
		{name: "case 6: flagged rows are kept", arrange: flagged, accept: []verdict.Warning{verdict.FlaggedKept}},
		{name: "a facts table that forgets", arrange: func(k *kit) {
			k.withFacts().factsTable(property("delta.setTransactionRetentionDuration", "interval 7 days"))
		}, accept: []verdict.Warning{verdict.FactsTxnExpires}},
		{name: "case 22: text that was cut off", scene: scene{columns: `{"name": "id", "type": "int"}, {"name": "name", "type": "nvarchar(max)", "nullable": true}`}, arrange: func(k *kit) {
			long := strings.Repeat("x", 256)
			k.newCopy([]arrow.Field{field("id", int32s), field("name", texts)}, fmt.Sprintf(`[{"id": 1, "name": %q}, {"id": 2, "name": %q}, {"id": 3, "name": "y"}]`, long, long))
		}, accept: []verdict.Warning{verdict.CutOffText}},
		{name: "keys that stand twice", arrange: func(k *kit) {
			k.request.CountKeys = true
			k.writeCopy("a.parquet", append(orders(2), orders(1)...))
		}, accept: []verdict.Warning{verdict.DuplicateKeys}},
		{name: "whole numbers that a double skips", scene: scene{columns: `{"name": "id", "type": "bigint"}, {"name": "name", "type": "nvarchar(40)", "nullable": true}`}, arrange: func(k *kit) {
			k.request.Cast = map[string]string{"id": "stop"}
			k.newCopy([]arrow.Field{field("id", arrow.PrimitiveTypes.Float64), field("name", texts)}, `[{"id": 1, "name": "a"}, {"id": 9007199254740991, "name": "b"}, {"id": 9007199254740992, "name": "c"}]`)
		}, accept: []verdict.Warning{verdict.DigitsDoubtful}},
		{name: "keys that an answer changes", scene: scene{columns: `{"name": "id", "type": "bigint"}, {"name": "name", "type": "nvarchar(40)", "nullable": true}`}, arrange: func(k *kit) {
			k.request.Cast = map[string]string{"id": "cut"}
			k.newCopy([]arrow.Field{field("id", arrow.PrimitiveTypes.Float64), field("name", texts)}, `[{"id": 1, "name": "a"}, {"id": 2.5, "name": "b"}, {"id": 3, "name": "c"}]`)
		}, accept: []verdict.Warning{verdict.KeyChanged}},
		{name: "casting takes longer than L is kept", arrange: func(k *kit) {
			at := k.server.Now()
			k.now = func() time.Time { at = at.Add(48 * time.Hour); return at }
		}, accept: []verdict.Warning{verdict.RetentionTight}},
		{name: "a server that nobody vouches for", arrange: func(k *kit) {
			w, err := fakeserver.ReadWorld(strings.NewReader(scene{}.text()))
			k.must(err)
			s, err := fakeserver.Start(w, fakeserver.Options{Encryption: tds.EncryptOn})
			k.must(err)
			k.t.Cleanup(func() { _ = s.Close() })
			k.request.Server = s.URL()
		}, accept: []verdict.Warning{verdict.TrustsAnyServer}},
	}
}

func TestWarningsAreAcceptedByName(t *testing.T) {
	for _, c := range otherWarnings() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kitIn(t, c.scene)
			c.arrange(k)
			before := k.tree()
			p, err := k.build()
			k.must(err)
			if got := warnings(p); !slices.Equal(got, c.accept) {
				t.Fatalf("warnings %q, want %q", got, c.accept)
			}
			e := verdict.As(p.Refusal())
			names := namesOf(c.accept)
			if e == nil || e.Code != verdict.WarningUnaccepted || !strings.Contains(strings.Join(e.Hint, " "), "--accept "+strings.Join(names, ",")) {
				t.Errorf("%+v", e)
			}
			same(t, "unaccepted", before, k.tree())
			k.request.Accept = names
			got, err := k.seed()
			if err != nil || got.Rows != 3 {
				t.Fatal(got, err)
			}
			slices.Sort(names)
			if tags := k.lastCommit("bronze").Info.Tags["cdcseed.accepted"]; tags != strings.Join(names, ",") {
				t.Errorf("the commit records %q as accepted", tags)
			}
		})
	}
}

func namesOf(codes []verdict.Warning) []string {
	var out []string
	for _, c := range codes {
		out = append(out, string(c))
	}
	return out
}

// TestEveryWarningIsMet walks the closed list of warnings.
func TestEveryWarningIsMet(t *testing.T) {
	met := map[verdict.Warning]bool{verdict.ValuesUnseen: true, verdict.EncodingDoubtful: true} // by tests of their own
	for _, c := range append(mappings(), otherWarnings()...) {
		for _, w := range c.accept {
			met[w] = true
		}
	}
	for _, w := range verdict.Warnings() {
		if !met[w] {
			t.Errorf("%s is met nowhere", w)
		}
	}
}

func (k *kit) lastCommit(table string) delta.Commit {
	k.t.Helper()
	w, _ := k.snapshot(table)
	for c, err := range delta.Commits(k.t.Context(), w) {
		k.must(err)
		return c
	}
	k.t.Fatal("no commit")
	return delta.Commit{}
}

// A copy of a small table that is far off its size is asked about too; of a
// table of a few rows nothing can be told.
func TestSmallTablesThatDiffer(t *testing.T) {
	for _, c := range []struct {
		table, copy int
		warns       bool
	}{{3000, 1000, true}, {1000, 3000, true}, {3000, 2400, false}, {3000, 2999, false}, {90, 30, false}, {3000, 90, true}} {
		k := kitIn(t, scene{rows: fmt.Sprintf(`"generate": {"rows": %d, "seed": 1, "columns": {"id": {"from": 1, "step": 1}, "name": {"text": "n{n}"}, "amount": {"pick": ["1.00"]}}}`, c.table)})
		k.writeCopy("a.parquet", orders(c.copy))
		p, err := k.build()
		k.must(err)
		if got := slices.Contains(warnings(p), verdict.RowsDiffer); got != c.warns {
			t.Errorf("%d rows for %d: warned %v", c.copy, c.table, got)
		}
	}
}
