package asof_test

import (
	"testing"
	"time"

	"cdcseed/engine/asof"
	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
)

func instant(t *testing.T, s string) clock.Instant {
	t.Helper()
	var i clock.Instant
	if err := i.UnmarshalText([]byte(s)); err != nil {
		t.Fatal(err)
	}
	return i
}

func local(t *testing.T, s string) clock.Local {
	t.Helper()
	var l clock.Local
	if err := l.UnmarshalText([]byte(s)); err != nil {
		t.Fatal(err)
	}
	return l
}

func zone(t *testing.T, name string) asof.Clock {
	t.Helper()
	if name == "Lord Howe" {
		name = "Lord Howe Standard Time"
	}
	c, err := asof.InZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The test vectors of the contract, section 1.4.
func TestChoose(t *testing.T) {
	const east, howe = "Eastern Standard Time", "Lord Howe"
	for _, c := range []struct{ zone, at, own, used string }{
		{east, "2026-11-01T04:59:59Z", "2026-11-01T00:59:59", "2026-11-01T00:59:59"},
		{east, "2026-11-01T05:00:00Z", "2026-11-01T01:00:00", "2026-11-01T00:00:00"},
		{east, "2026-11-01T05:30:00.999Z", "2026-11-01T01:30:00", "2026-11-01T00:30:00"},
		{east, "2026-11-01T05:59:59Z", "2026-11-01T01:59:59", "2026-11-01T00:59:59"},
		{east, "2026-11-01T06:00:00Z", "2026-11-01T01:00:00", "2026-11-01T01:00:00"},
		{east, "2026-11-01T06:30:00Z", "2026-11-01T01:30:00", "2026-11-01T01:30:00"},
		{east, "2026-11-01T07:00:00Z", "2026-11-01T02:00:00", "2026-11-01T02:00:00"},
		{east, "2026-03-08T06:30:00Z", "2026-03-08T01:30:00", "2026-03-08T01:30:00"},
		{east, "2026-03-08T07:00:00Z", "2026-03-08T03:00:00", "2026-03-08T03:00:00"},
		{east, "2026-03-08T07:30:00Z", "2026-03-08T03:30:00", "2026-03-08T03:30:00"},
		{howe, "2026-04-04T14:15:00Z", "2026-04-05T01:15:00", "2026-04-05T00:45:00"},
		{howe, "2026-04-04T14:45:00Z", "2026-04-05T01:45:00", "2026-04-05T01:15:00"},
		{howe, "2026-04-04T15:15:00Z", "2026-04-05T01:45:00", "2026-04-05T01:45:00"},
		{"UTC", "2026-11-01T05:30:00.999Z", "2026-11-01T05:30:00", "2026-11-01T05:30:00"},
	} {
		got, err := asof.Choose(zone(t, c.zone), instant(t, c.at), 0)
		if err != nil || got.Own.String() != c.own || got.Local.String() != c.used || got.FellBack != (c.own != c.used) || got.NoZone {
			t.Errorf("%s %s: %+v, %v; want %s %s", c.zone, c.at, got, err, c.own, c.used)
		}
		record, err := asof.RecordLocal(zone(t, c.zone), instant(t, c.at))
		if err != nil || record.String() != c.used {
			t.Errorf("%s %s: the record looks up %v, %v; want %s", c.zone, c.at, record, err, c.used)
		}
	}
}

func TestChooseWithoutZoneGoesAnHourBack(t *testing.T) {
	at := instant(t, "2026-10-23T18:00:00.5Z")
	got, err := asof.Choose(asof.AtOffset(60), at, 0)
	if err != nil || !got.NoZone || got.FellBack || got.Own.String() != "2026-10-23T19:00:00" ||
		got.Local.String() != "2026-10-23T18:00:00" || got.Instant.String() != "2026-10-23T17:00:00Z" || got.Asked != at {
		t.Errorf("%+v, %v", got, err)
	}
	if record, err := asof.RecordLocal(asof.AtOffset(60), at); err != nil || record.String() != "2026-10-23T19:00:00" {
		t.Error(record, err)
	}
}

func TestChooseSubtractsTheLag(t *testing.T) {
	got, err := asof.Choose(asof.OnUTC(), instant(t, "2026-10-23T18:00:00Z"), 90*time.Second+time.Millisecond)
	if err != nil || got.Local.String() != "2026-10-23T17:58:29" || got.Instant.String() != "2026-10-23T17:58:29Z" {
		t.Errorf("%+v, %v", got, err)
	}
}

// rows builds mapping rows ..10, ..20, ... at the given times of one day.
func rows(t *testing.T, day string, times ...string) []asof.MapRow {
	t.Helper()
	out := make([]asof.MapRow, 0, len(times))
	for i, s := range times {
		out = append(out, asof.MapRow{LSN: position(0x10 * (i + 1)), Local: local(t, day+"T"+s)})
	}
	return out
}

func position(n int) lsn.LSN { return lsn.LSN{8: byte(n >> 8), 9: byte(n)} }

// A server clock stepped back by 40 s after ..20; only ..10 is safe for both
// moments at which the clock showed 12:00:45.
func TestCheckGoesBeforeAStep(t *testing.T) {
	m := rows(t, "2026-10-05", "12:00:00", "12:00:50", "12:00:20", "12:00:40", "12:01:30")
	got, err := asof.Check(asof.OnUTC(), instant(t, "2026-10-05T12:00:45Z"), m, position(0x40))
	if err != nil || got.Reason != asof.LaterFirst || got.Safe == nil || *got.Safe != m[0] || got.Before != m[1] {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestCheckSetBack(t *testing.T) {
	m := rows(t, "2026-10-05", "12:00:00", "12:00:30", "12:00:10", "12:00:20", "12:00:40")
	for at, want := range map[string]asof.Reason{
		"2026-10-05T12:00:45Z": asof.SetBack, // may have been read before or after the step
		"2026-10-05T13:00:29Z": asof.SetBack,
		"2026-10-05T13:00:30Z": asof.NoStep, // an hour without any row before the step is not assumed
	} {
		got, err := asof.Check(asof.OnUTC(), instant(t, at), m, position(0x50))
		if err != nil || got.Reason != want || want == asof.SetBack && (got.Safe == nil || *got.Safe != m[1] || got.After != m[2] || got.Step != 20*time.Second) {
			t.Errorf("%s: %+v, %v", at, got, err)
		}
	}
	first := rows(t, "2026-10-05", "12:00:30", "12:00:10")
	got, err := asof.Check(asof.OnUTC(), instant(t, "2026-10-05T12:00:20Z"), first, position(0x20))
	if err != nil || got.Reason != asof.LaterFirst || got.Safe != nil {
		t.Errorf("no row is safe, got %+v, %v", got, err)
	}
}

// The neighbours' order differs by less than a second by chance.
func TestCheckToleratesDisorder(t *testing.T) {
	m := rows(t, "2026-10-05", "12:00:00", "12:00:30.5", "12:00:30", "12:00:29.5", "12:00:40")
	got, err := asof.Check(asof.OnUTC(), instant(t, "2026-10-05T12:00:35Z"), m, position(0x40))
	if err != nil || got.Reason != asof.NoStep {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestCommitTimeInARepeatedHour(t *testing.T) {
	east := zone(t, "Eastern Standard Time")
	m := rows(t, "2026-11-01", "00:20:00", "00:50:00", "01:10:00", "01:40:00", "01:05:00", "01:20:00", "01:50:00", "02:10:00")
	for i, want := range []string{"04:20:00", "04:50:00", "05:10:00", "05:40:00", "06:05:00", "06:20:00", "06:50:00", "07:10:00"} {
		got, err := asof.CommitTime(east, m, m[i].LSN)
		if err != nil || got == nil || got.String() != "2026-11-01T"+want+"Z" {
			t.Errorf("%v at %v: %v, %v; want %s", m[i].LSN, m[i].Local, got, err, want)
		}
	}
	if got, err := asof.CommitTime(east, m, position(0x11)); got != nil || err != nil {
		t.Error("an LSN without a row has no time, got", got, err)
	}
	// A step back of half a minute in the first pass is no drop.
	small := rows(t, "2026-11-01", "01:10:00", "01:09:30")
	if got, err := asof.CommitTime(east, small, position(0x20)); err != nil || got.String() != "2026-11-01T05:09:30Z" {
		t.Error(got, err)
	}
	// A drop outside the repeated hour gives nothing away.
	outside := rows(t, "2026-11-01", "00:50:00", "00:20:00", "01:10:00")
	if got, err := asof.CommitTime(east, outside, position(0x30)); err != nil || got.String() != "2026-11-01T05:10:00Z" {
		t.Error(got, err)
	}
	spring := rows(t, "2026-03-08", "02:30:00") // skipped: read with the offset before the change
	if got, err := asof.CommitTime(east, spring, position(0x10)); err != nil || got.String() != "2026-03-08T07:30:00Z" {
		t.Error(got, err)
	}
	if got, err := asof.CommitTime(asof.AtOffset(-180), spring, position(0x10)); err != nil || got.String() != "2026-03-08T05:30:00Z" {
		t.Error(got, err)
	}
}
