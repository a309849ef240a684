package asof

import (
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // Windows has no IANA database, and rules must not depend on the machine

	"cdcseed/engine/verdict"
)

// utc is the only zone name that both Windows and IANA have.
const utc = "UTC"

// Location finds the rules of a zone by its name: UTC, a Windows name in any
// letter case, or an IANA name. This machine's own zone has no name here. An
// unknown name is verdict.ZoneUnknown.
func Location(name string) (*time.Location, error) {
	if strings.EqualFold(name, utc) {
		return time.UTC, nil
	}
	iana := name
	for _, z := range windowsZones {
		if strings.EqualFold(z[0], name) {
			iana = z[1]
		}
	}
	if iana == "" || strings.EqualFold(iana, "local") { // what Go takes for UTC and for this machine's zone
		return nil, unknownZone(name, nil)
	}
	loc, err := time.LoadLocation(iana)
	if err != nil {
		return nil, unknownZone(name, err)
	}
	return loc, nil
}

// WindowsName is the name that SQL Server takes for a zone: name itself where
// it is one (spelled as Windows spells it), UTC, or the Windows name of an IANA
// name that stands in the table. Anything else is verdict.ZoneUnknown.
func WindowsName(name string) (string, error) {
	if strings.EqualFold(name, utc) {
		return utc, nil
	}
	for _, z := range windowsZones {
		if strings.EqualFold(z[0], name) || z[1] == name {
			return z[0], nil
		}
	}
	return "", unknownZone(name, nil)
}

// ZoneNames lists the Windows names that this program has rules for.
func ZoneNames() []string {
	out := make([]string, 0, len(windowsZones))
	for _, z := range windowsZones {
		out = append(out, z[0])
	}
	return out
}

func unknownZone(name string, cause error) error {
	return &verdict.Error{
		Code: verdict.ZoneUnknown,
		What: fmt.Sprintf("no time zone %q is known here", name),
		Why:  "Without its rules a time on the server's clock cannot be turned into UTC.",
		Hint: []string{
			"Use a Windows zone name such as --time-zone 'W. Europe Standard Time', or UTC; SELECT name FROM sys.time_zone_info lists them.",
			"Give as_of as an LSN instead.",
		},
		Err: cause,
	}
}
