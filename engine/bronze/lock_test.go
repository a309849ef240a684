package bronze_test

import (
	"errors"
	"strings"
	"testing"

	"cdcseed/engine/bronze"
	"cdcseed/engine/lsn"
	"cdcseed/engine/verdict"
)

func TestUnfinishedSnapshots(t *testing.T) {
	const full, chunked = `{"mode": "full", "generation": 0}`, `{"mode": "chunked", "generation": 2}`
	at := func(n string) lsn.LSN { return position(t, "0x000000000000000000"+n) }
	open := func(app, n, detail string) bronze.Event {
		return bronze.Event{AppID: app, Event: bronze.EventOpen, Target: "b", LSN: at(n), Detail: detail}
	}
	done := func(app, event, n string) bronze.Event {
		return bronze.Event{AppID: app, Event: event, Target: "b", LSN: at(n)}
	}
	for _, c := range []struct {
		name  string
		app   string
		rows  []bronze.Event
		want  string // its last two digits, or empty
		asked string // the LSNs whose purge was asked for
	}{
		{"no rows", "a", nil, "", ""},
		{"chunked", "a", []bronze.Event{open("a", "10", chunked)}, "10", ""},
		{"full", "a", []bronze.Event{open("a", "10", full)}, "10", "10"},
		{"full and purged", "a", []bronze.Event{open("a", "05", full)}, "", "05"},
		{"chunked and purged still blocks", "a", []bronze.Event{open("a", "05", chunked)}, "05", ""},
		{"no detail is chunked", "a", []bronze.Event{open("a", "05", "")}, "05", ""},
		{"unknown mode is chunked", "a", []bronze.Event{open("a", "05", `{"mode": "FULL"}`)}, "05", ""},
		{"broken detail is chunked", "a", []bronze.Event{open("a", "05", `{`)}, "05", ""},
		{"completed at the same LSN", "a", []bronze.Event{open("a", "10", chunked), done("a", bronze.EventBootstrap, "10")}, "", ""},
		{"completed later", "a", []bronze.Event{open("a", "10", full), done("a.g1", bronze.EventResnapshot, "11")}, "", ""},
		{"completed before", "a", []bronze.Event{done("a", bronze.EventBootstrap, "10"), open("a.g1", "11", chunked)}, "11", ""},
		{"full beside a chunked one of its generation", "a", []bronze.Event{open("a", "12", full), open("a", "11", chunked)}, "11", ""},
		{"full beside a chunked one of another generation", "a", []bronze.Event{open("a.g1", "12", full), open("a", "11", chunked)}, "12", "12"},
		{"the largest is told", "a", []bronze.Event{open("a", "10", chunked), open("a.g2", "12", chunked), open("a.g1", "11", chunked)}, "12", ""},
		{"another stream", "a", []bronze.Event{open("b", "10", chunked), open("a.gx", "11", chunked), open("a.g", "12", chunked), open("aa.g1", "13", chunked)}, "", ""},
		{"another target", "a", []bronze.Event{{AppID: "a", Event: bronze.EventOpen, Target: "B", LSN: at("10")}}, "", ""},
		{"an app id like a generation", "a.g1", []bronze.Event{open("a.g1", "10", chunked), done("a", bronze.EventBootstrap, "20")}, "10", ""},
		{"a generation of such an app id", "a.g1", []bronze.Event{open("a.g1.g4", "10", chunked)}, "10", ""},
		{"any stream", "", []bronze.Event{open("b.g1", "10", chunked), open("c", "09", chunked), done("d", bronze.EventBootstrap, "30")}, "10", ""},
		{"any stream, each completed by its own", "", []bronze.Event{open("b", "10", chunked), done("b.g1", bronze.EventResnapshot, "12")}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var asked []string
			got, err := bronze.Unfinished(c.rows, "b", c.app, func(l lsn.LSN) (bool, error) {
				asked = append(asked, strings.TrimPrefix(l.String(), "0x000000000000000000"))
				return l.Compare(at("08")) < 0, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			var text string
			if got != nil {
				text = strings.TrimPrefix(got.LSN.String(), "0x000000000000000000")
			}
			if text != c.want || strings.Join(asked, " ") != c.asked {
				t.Errorf("open %q, want %q; asked about %q, want %q", text, c.want, asked, c.asked)
			}
		})
	}
}

func TestUnfinishedPassesOnAFailedPurgeTest(t *testing.T) {
	broken := errors.New("no connection")
	rows := []bronze.Event{{AppID: "a", Event: bronze.EventOpen, Target: "b", LSN: position(t, "0x00000000000000000010"), Detail: `{"mode": "full"}`}}
	got, err := bronze.Unfinished(rows, "b", "a", func(lsn.LSN) (bool, error) { return false, broken })
	if !errors.Is(err, broken) || got != nil {
		t.Error(got, err)
	}
}

func TestRefusalNamesWhatToDo(t *testing.T) {
	generation := 2
	open := bronze.OpenSnapshot{AppID: "a.g2", LSN: position(t, "0x00000000000000000010"), Mode: bronze.ModeChunked, Generation: &generation}
	err := open.Refusal("lake.orders")
	e := verdict.As(err)
	if !errors.Is(err, verdict.SnapshotOpen) || !strings.Contains(err.Error(), "generation 2") || !strings.Contains(e.Hint[0], "backfill()") {
		t.Error(err, e.Hint)
	}
	open.Mode = bronze.ModeFull
	if e := verdict.As(open.Refusal("lake.orders")); !strings.Contains(e.Hint[0], "snapshot='full'") {
		t.Error(e.Hint)
	}
}
