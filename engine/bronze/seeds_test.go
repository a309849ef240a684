package bronze_test

import (
	"testing"

	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
)

func TestSeedsAreFoundByTheirCommits(t *testing.T) {
	w, snap := newTable(t, orders)
	fit, err := bronze.FitTable(snap, orders, bronze.FitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	put := func(a delta.Append) {
		version, data, err := w.open(t).Lines(a, commit.At)
		if err != nil {
			t.Fatal(err)
		}
		if err := delta.Put(t.Context(), w, version, data); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []string{"10", "20"} {
		s := stamp(t, "dbo_orders", n, 1)
		adds := []delta.Add{w.file(t, snap.Schema, rowsOf(s, 2)...)}
		put(bronze.SeedCommit(fit, s, adds, 2, 1, map[string]string{"cdcseed.as_of": n}, commit))
	}
	batch := delta.Append{Operation: "WRITE", Adds: []delta.Add{w.file(t, snap.Schema, change("21"))}, TxnID: "x", UserMetadata: `{"batch_id": 1}`}
	put(batch)
	batch.Adds, batch.UserMetadata = []delta.Add{w.file(t, snap.Schema, change("22"))}, `{"snapshot": "dbo_orders", "lsn": "`+lsnText("30")+`", "commit_ts": ""}`
	put(batch)

	var got []string
	for s, err := range bronze.Seeds(t.Context(), w) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, s.LSN.String()+" "+s.Tags["cdcseed.as_of"]+" "+s.Rows)
	}
	same(t, "seeds", got, []string{lsnText("20") + " 20 2", lsnText("10") + " 10 2"})
	for range bronze.Seeds(t.Context(), w) {
		break
	}
	got = nil
	for s, err := range bronze.Stamped(t.Context(), w) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, s.LSN.String()+" "+s.Kind)
	}
	same(t, "snapshots", got, []string{lsnText("30") + " snapshot", lsnText("20") + " seed", lsnText("10") + " seed"})
}

func TestAppIDUsed(t *testing.T) {
	for _, c := range []struct {
		txns []string
		want string
	}{
		{nil, ""},
		{[]string{"orders"}, "orders"},
		{[]string{"orders#events", "orders#facts"}, "orders#events"},
		{[]string{"orders.g3"}, "orders.g3"},
		{[]string{"orders.g3#facts"}, "orders.g3#facts"},
		{[]string{"orders2", "order", "orders.gx", "Orders#events", "my.orders#events"}, ""},
	} {
		snap := &delta.Snapshot{Txns: map[string]int64{}}
		for _, id := range c.txns {
			snap.Txns[id] = 0
		}
		if got := bronze.AppIDUsed(snap, "orders"); got != c.want {
			t.Errorf("%v: %q, want %q", c.txns, got, c.want)
		}
	}
	for _, c := range []struct{ txn, appID, want string }{
		{"team#orders#events", "team#orders", "team#orders#events"},
		{"team#orders.g2#facts", "team#orders", "team#orders.g2#facts"},
		{"team#orders", "team#orders", "team#orders"},
		{"team#orders#events", "team", ""},
		{"team#orders", "team", ""},
		{"orders#snap.0x00A1", "orders", "orders#snap.0x00A1"},
		{"orders#snapchunks.dbo_orders#1", "orders", "orders#snapchunks.dbo_orders#1"},
		{"orders#snapshots", "orders", "orders#snapshots"},
	} {
		snap := &delta.Snapshot{Txns: map[string]int64{c.txn: 0}}
		if got := bronze.AppIDUsed(snap, c.appID); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.txn, c.appID, got, c.want)
		}
	}
	snap := &delta.Snapshot{Txns: map[string]int64{"orders#events": 0}}
	if got := bronze.AppIDUsed(snap, "orders.g2"); got != "orders#events" {
		t.Errorf("a generation of a stream that wrote is new: %q", got)
	}
}
