package fakeserver

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cdcseed/fakeserver/tds"
)

func TestEveryZoneLoads(t *testing.T) {
	names := zoneNames()
	if len(names) != 139 {
		t.Errorf("%d zones, want 139", len(names))
	}
	for _, n := range names {
		if _, spelt, err := zoneByName(n); err != nil || spelt != n {
			t.Errorf("%s: %q, %v", n, spelt, err)
		}
	}
	if _, spelt, err := zoneByName("w. europe standard time"); err != nil || spelt != "W. Europe Standard Time" {
		t.Errorf("lower case: %q, %v", spelt, err)
	}
}

// The table says what Go's own table says.
func TestZonesAgreeWithGo(t *testing.T) {
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skipf("no go command at hand: %v", err)
	}
	src, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "src", "time", "zoneinfo_abbrs_windows.go"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(src)
	for _, z := range windowsZones {
		if !containsRow(text, z[0], z[1]) {
			t.Errorf("Go does not pair %s with %s", z[0], z[1])
		}
	}
}

// containsRow looks for a line such as "UTC": {...}, // Etc/UTC.
func containsRow(text, windows, iana string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, `"`+windows+`":`) && strings.HasSuffix(line, " // "+iana) {
			return true
		}
	}
	return false
}

func TestLSNArithmetic(t *testing.T) {
	for _, c := range []struct {
		from string
		by   int64
		want string
	}{
		{"0x0", 1, "0x00000000000000000001"},
		{"0xFF", 1, "0x00000000000000000100"},
		{"0x100", -1, "0x000000000000000000FF"},
		{"0x0000FFFFFFFFFFFFFFFF", 1, "0x00010000000000000000"},
		{"0x00010000000000000000", -1, "0x0000FFFFFFFFFFFFFFFF"},
		{"0xFFFFFFFFFFFFFFFFFFFF", 1, "0x00000000000000000000"},
	} {
		l, err := ParseLSN(c.from)
		if err != nil || l.add(c.by).String() != c.want {
			t.Errorf("%s + %d = %v (%v), want %s", c.from, c.by, l.add(c.by), err, c.want)
		}
	}
	for _, bad := range []string{"", "0x", "12", "0xG", "0x000000000000000000000", "00000027:000001D8:0003"} {
		if l, err := ParseLSN(bad); err == nil {
			t.Errorf("ParseLSN(%q) = %v", bad, l)
		}
	}
	for _, s := range []string{"0x0", "0x0000002A00001000FFFF", "0x0000002AFFFFFFF00001", "0x480"} {
		l, err := ParseLSN(s)
		if n := l.nextCommit(); err != nil || !l.less(n) || n[9] != 1 || n[8] != 0 {
			t.Errorf("%s is followed by %s", l, n)
		}
	}
}

func TestTypesReadAndWriteTheSame(t *testing.T) {
	for text, want := range map[string]string{
		"decimal": "decimal(18,0)", "NUMERIC (9)": "numeric(9,0)", "datetime2": "datetime2(7)", "time(3)": "time(3)", "float(24)": "real",
		"float": "float", "varchar": "varchar(1)", "nvarchar(MAX)": "nvarchar(max)", "rowversion": "timestamp", "integer": "int", "sysname": "sysname", "varbinary( 8000 )": "varbinary(8000)",
	} {
		got, err := parseDataType(text)
		if err != nil || got.String() != want {
			t.Errorf("%s: %v, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "text(3)", "decimal(39)", "decimal(5,6)", "datetime2(8)", "char(0)", "char(max)", "nchar(4001)", "float(54)", "int(4)", "varchar(5,2)", "json", "table"} {
		if got, err := parseDataType(text); err == nil {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}

func TestGeneratedTimesKeepTheirZone(t *testing.T) {
	c := &column{name: "At", typ: dataType{name: "datetimeoffset", scale: 7}}
	at := time.Date(2026, 1, 2, 3, 4, 5, 600, time.FixedZone("", 7200))
	if got, ok := c.fromUnits(c.units(at), at).(time.Time); !ok || !got.Equal(at) || got.Location() != at.Location() {
		t.Errorf("%v became %v", at, got)
	}
	if got, ok := c.fromUnits(c.units(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)), time.Time{}).(time.Time); !ok || got.Year() != 1 {
		t.Errorf("year 1 became %v", got)
	}
}

func TestWireVersion(t *testing.T) {
	for text, want := range map[string]tds.Version{
		"16.0.4125.3": {Major: 16, Build: 4125},
		"10.50.6560":  {Major: 10, Minor: 50, Build: 6560},
		"17":          {Major: 17},
	} {
		if got := wireVersion(text); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}
