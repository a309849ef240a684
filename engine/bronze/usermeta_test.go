package bronze_test

import (
	"testing"

	"cdcseed/engine/bronze"
	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
)

func position(t *testing.T, text string) lsn.LSN {
	t.Helper()
	l, err := lsn.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func instant(t *testing.T, text string) *clock.Instant {
	t.Helper()
	var i clock.Instant
	if err := i.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return &i
}

func TestUserMetadataBytes(t *testing.T) {
	l := position(t, "0x0000002A000001000041")
	for _, c := range []struct {
		stamp bronze.Stamp
		want  string
	}{
		{
			bronze.Stamp{Instance: "dbo_t", LSN: l, Commit: instant(t, "2026-09-28T13:54:00Z")},
			`{"seed": "dbo_t", "lsn": "0x0000002A000001000041", "commit_ts": "2026-09-28T13:54:00.000"}`,
		},
		{
			bronze.Stamp{Instance: "dbo_Situação", LSN: l},
			`{"seed": "dbo_Situa\u00e7\u00e3o", "lsn": "0x0000002A000001000041", "commit_ts": ""}`,
		},
		{
			bronze.Stamp{Instance: "a\x7f\"\\/\x00\x1f\n\t\b\f\r€😀<&>", LSN: l, Commit: instant(t, "2026-09-28T13:54:00.1239Z")},
			`{"seed": "a\u007f\"\\/\u0000\u001f\n\t\b\f\r\u20ac\ud83d\ude00<&>", "lsn": "0x0000002A000001000041", "commit_ts": "2026-09-28T13:54:00.123"}`,
		},
	} {
		got := c.stamp.UserMetadata()
		if got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		kind, back, ok := bronze.ParseUserMetadata(got)
		if !ok || kind != bronze.KindSeed || back.Instance != c.stamp.Instance || back.LSN != l || back.CommitText() != c.stamp.CommitText() {
			t.Errorf("%s read back as %s %+v %v", got, kind, back, ok)
		}
	}
}

func TestParseUserMetadataOfOthers(t *testing.T) {
	kind, s, ok := bronze.ParseUserMetadata(`{"snapshot": "dbo_t", "lsn": "0x0000002A000001000041", "commit_ts": ""}`)
	if !ok || kind != bronze.KindSnapshot || s.Instance != "dbo_t" || s.Commit != nil {
		t.Error(kind, s, ok)
	}
	for _, other := range []string{
		"", "words", "[]", `{"batch_id": 3, "lsn": "0x0000002A000001000041"}`,
		`{"seed": "dbo_t", "lsn": "0x2A", "commit_ts": ""}`, `{"seed": 1, "lsn": "0x0000002A000001000041"}`,
		`{"seed": "dbo_t", "lsn": "0x0000002A000001000041", "commit_ts": "soon"}`,
		`{"seed": "a", "snapshot": "b", "lsn": "0x0000002A000001000041"}`,
	} {
		if kind, s, ok := bronze.ParseUserMetadata(other); ok {
			t.Errorf("%q was taken for %s %+v", other, kind, s)
		}
	}
}
