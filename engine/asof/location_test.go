package asof_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cdcseed/engine/asof"
	"cdcseed/engine/verdict"
)

// The table is Go's own, read here by another expression than the generator's.
func TestZoneTableIsGoRootsOwn(t *testing.T) {
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("no go command at hand:", err)
	}
	src, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "src", "time", "zoneinfo_abbrs_windows.go"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, m := range regexp.MustCompile(`"([^"]+)":\s+\{.*//\s*([A-Z]\S*)`).FindAllStringSubmatch(string(src), -1) {
		want[m[1]] = m[2]
	}
	got := map[string]string{}
	for _, name := range asof.ZoneNames() {
		loc, err := asof.Location(name)
		if err != nil {
			t.Error(err)
			continue
		}
		got[name] = loc.String()
	}
	got["UTC"] = want["UTC"] // its location is Go's UTC
	if len(want) < 139 || !cmp.Equal(want, got) {
		t.Errorf("%d names in GOROOT; difference:\n%s", len(want), cmp.Diff(want, got))
	}
	if names := asof.ZoneNames(); len(names) != len(got) {
		t.Errorf("%d names, %d distinct", len(names), len(got))
	}
}

func TestLocation(t *testing.T) {
	for name, want := range map[string]string{
		"UTC": "UTC", "utc": "UTC", "w. europe standard time": "Europe/Berlin", "America/Sao_Paulo": "America/Sao_Paulo",
		"UTC-11": "Etc/GMT+11",
	} {
		if loc, err := asof.Location(name); err != nil || loc.String() != want {
			t.Errorf("%q: %v, %v", name, loc, err)
		}
	}
	for _, bad := range []string{"", "Local", "LOCAL", "Alberta Standard Time", "../etc/passwd", "Nowhere/Else"} {
		if loc, err := asof.Location(bad); !errors.Is(err, verdict.ZoneUnknown) {
			t.Errorf("%q: %v, %v", bad, loc, err)
		}
	}
}

func TestWindowsName(t *testing.T) {
	for name, want := range map[string]string{
		"utc": "UTC", "eastern STANDARD time": "Eastern Standard Time", "Europe/Berlin": "W. Europe Standard Time",
	} {
		if got, err := asof.WindowsName(name); err != nil || got != want {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	for _, bad := range []string{"", "Europe/Vienna", "Central European Time"} {
		if got, err := asof.WindowsName(bad); !errors.Is(err, verdict.ZoneUnknown) {
			t.Errorf("%q: %q, %v", bad, got, err)
		}
	}
}

func TestClock(t *testing.T) {
	east, err := asof.InZone("Eastern Standard Time")
	if err != nil {
		t.Fatal(err)
	}
	utc, err := asof.InZone("utc")
	if err != nil || utc != asof.OnUTC() || !utc.IsUTC() || utc.IsNamed() || utc.IsOffset() {
		t.Error(utc, err)
	}
	if !east.IsNamed() || east.IsUTC() || east.IsOffset() {
		t.Error(east)
	}
	for c, want := range map[asof.Clock]string{
		east: "Eastern Standard Time", utc: "UTC",
		asof.AtOffset(-210): "UTC-03:30 (today's offset)", asof.AtOffset(60): "UTC+01:00 (today's offset)",
		{}: "UTC+00:00 (today's offset)",
	} {
		if got := c.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	at := time.Date(2026, 11, 1, 5, 30, 0, 0, time.UTC)
	if l, err := east.Wall(instant(t, at.Format(time.RFC3339))); err != nil || l.String() != "2026-11-01T01:30:00" {
		t.Error(l, err)
	}
}

func TestReadings(t *testing.T) {
	east, err := asof.Location("Eastern Standard Time")
	if err != nil {
		t.Fatal(err)
	}
	zones := []asof.Zone{{Label: "UTC", Rules: time.UTC}, {Label: "the server's zone", Rules: east}}
	for _, c := range []struct {
		text string
		want []string
	}{
		{"2026-07-01 12:00", []string{"2026-07-01T16:00:00Z"}},
		{"2026-03-08 02:30", nil},
		{"2026-03-08 03:00:00", []string{"2026-03-08T07:00:00Z"}},
		{"2026-11-01 01:30", []string{"2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z"}},
		{"2026-11-01 00:59:59.5", []string{"2026-11-01T04:59:59.5Z"}},
		{"2026-11-01 02:00", []string{"2026-11-01T07:00:00Z"}},
	} {
		got, err := asof.Readings(c.text, zones)
		if err != nil || len(got) != 2 || len(got[0].Instants) != 1 || got[0].Note != "" {
			t.Fatal(got, err)
		}
		var texts []string
		for _, i := range got[1].Instants {
			texts = append(texts, i.String())
		}
		if !cmp.Equal(texts, c.want) || (got[1].Note == "") != (len(c.want) == 1) {
			t.Errorf("%s: %v %q, want %v", c.text, texts, got[1].Note, c.want)
		}
	}
	for _, bad := range []string{"2026-07-01T12:00:00Z", "2026-13-01 12:00", "noon", "0x0000002A000001000041"} {
		if got, err := asof.Readings(bad, zones); !errors.Is(err, verdict.AsOfInvalid) {
			t.Errorf("%q: %v, %v", bad, got, err)
		}
	}
}
