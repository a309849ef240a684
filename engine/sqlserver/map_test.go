package sqlserver_test

import (
	"slices"
	"testing"
	"time"

	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

// The situations of the acceptance cases.
var (
	purgedCopy = situation{
		now:       "2026-10-05T10:00:00Z",
		instances: []instance{{"dbo_orders", "0100", "2026-01-01T00:00:00"}},
		mapping:   []row{{"0100", "2026-10-02T00:00:05"}, {"0200", "2026-10-02T06:00:00"}, {"0300", "2026-10-05T09:00:00"}},
	}
	china = situation{
		zone: "China Standard Time", now: "2026-10-05T04:00:00Z",
		instances: []instance{{"dbo_orders", "0100", "2026-01-01T00:00:00"}},
		mapping:   []row{{"0100", "2026-10-04T09:00:00"}, {"0200", "2026-10-04T10:00:00"}, {"0300", "2026-10-05T11:59:00"}},
	}
	fallBack = situation{
		zone: "Eastern Standard Time", now: "2026-11-02T12:00:00Z",
		instances: []instance{{"dbo_orders", "0010", "2026-01-01T00:00:00"}},
		mapping: []row{
			{"0010", "2026-11-01T00:20:00"},
			{"0020", "2026-11-01T00:50:00"},
			{"0030", "2026-11-01T01:10:00"},
			{"0040", "2026-11-01T01:40:00"},
			{"0050", "2026-11-01T01:05:00"},
			{"0060", "2026-11-01T01:20:00"},
			{"0070", "2026-11-01T01:50:00"},
			{"0080", "2026-11-01T02:10:00"},
		},
	}
	newInstance = situation{
		now:       "2026-10-05T09:10:00Z",
		instances: []instance{{"dbo_orders", "0500", "2026-10-05T09:00:00"}},
		mapping:   []row{{"0470", "2026-10-05T07:00:00"}, {"0480", "2026-10-05T08:30:00"}},
	}
	steppedBack = situation{
		now:       "2026-10-05T13:00:00Z",
		instances: []instance{{"dbo_orders", "0010", "2026-01-01T00:00:00"}},
		mapping: []row{
			{"0010", "2026-10-05T12:00:00"},
			{"0020", "2026-10-05T12:00:50"},
			{"0030", "2026-10-05T12:00:20"},
			{"0040", "2026-10-05T12:00:40"},
			{"0050", "2026-10-05T12:01:30"},
		},
	}
	stopped = situation{
		now:       "2026-10-05T10:00:00Z",
		instances: []instance{{"dbo_orders", "0100", "2026-01-01T00:00:00"}},
		mapping:   []row{{"0100", "2026-10-01T00:00:00"}, {"0300", "2026-10-02T11:00:00"}},
	}
	replica = situation{
		now: "2026-10-05T10:00:00Z", readOnly: true,
		instances: []instance{{"dbo_orders", "0100", "2026-01-01T00:00:00"}},
		mapping:   []row{{"0100", "2026-10-05T09:00:00"}, {"0550", "2026-10-05T09:58:00"}},
	}
	millis = situation{
		now:       "2026-10-05T13:00:00Z",
		instances: []instance{{"dbo_orders", "0100", "2026-01-01T00:00:00"}},
		mapping:   []row{{"0100", "2026-10-05T12:00:00.000"}, {"0200", "2026-10-05T12:00:01.000"}},
	}
)

func with(s situation, change func(*situation)) situation {
	s.instances, s.mapping = slices.Clone(s.instances), slices.Clone(s.mapping)
	change(&s)
	return s
}

func TestMapAsOf(t *testing.T) {
	for name, c := range map[string]struct {
		at       situation
		asOf     string
		l        string
		warnings []verdict.Warning
		used     string // on the server's clock; "" for an LSN
		commit   string // "" where unknown
	}{
		"case 1, run 2: the oldest commit":      {purgedCopy, "2026-10-02T00:00:05Z", "0100", nil, "2026-10-02T00:00:05", "2026-10-02T00:00:05Z"},
		"case 1, run 3: the next is kept":       {purgedCopy, lsnText("00FF"), "00FF", nil, "", ""},
		"case 3, run 4: an offset":              {china, "2026-10-04T10:00:00+08:00", "0200", nil, "2026-10-04T10:00:00", "2026-10-04T02:00:00Z"},
		"case 12a: cut to the second":           {millis, "2026-10-05T12:00:00.999Z", "0100", nil, "2026-10-05T12:00:00", "2026-10-05T12:00:00Z"},
		"case 17: capture stopped":              {stopped, "2026-10-05T08:00:00Z", "0300", []verdict.Warning{verdict.CaptureStopped}, "2026-10-05T08:00:00", "2026-10-02T11:00:00Z"},
		"capture behind":                        {stopped, "2026-10-02T11:30:00Z", "0300", []verdict.Warning{verdict.CaptureBehind}, "2026-10-02T11:30:00", "2026-10-02T11:00:00Z"},
		"case 25: first pass":                   {fallBack, "2026-11-01T05:30:00Z", "0010", []verdict.Warning{verdict.FellBack}, "2026-11-01T00:30:00", "2026-11-01T04:20:00Z"},
		"case 25: second pass":                  {fallBack, "2026-11-01T06:30:00Z", "0060", nil, "2026-11-01T01:30:00", "2026-11-01T06:20:00Z"},
		"case 25: after":                        {fallBack, "2026-11-01T07:05:00Z", "0070", nil, "2026-11-01T02:05:00", "2026-11-01T06:50:00Z"},
		"case 25: before":                       {fallBack, "2026-11-01T04:55:00Z", "0020", nil, "2026-11-01T00:55:00", "2026-11-01T04:50:00Z"},
		"case 44: a time on the replica":        {replica, "2026-10-05T09:59:00Z", "0550", []verdict.Warning{verdict.CaptureBehind}, "2026-10-05T09:59:00", "2026-10-05T09:58:00Z"},
		"case 50: a clock stepped back":         {steppedBack, "2026-10-05T12:00:45Z", "0010", []verdict.Warning{verdict.ClockStepped}, "2026-10-05T12:00:45", "2026-10-05T12:00:00Z"},
		"after the step":                        {steppedBack, "2026-10-05T12:01:31Z", "0020", []verdict.Warning{verdict.ClockStepped, verdict.CaptureBehind}, "2026-10-05T12:01:31", "2026-10-05T12:00:50Z"},
		"an LSN between commits":                {purgedCopy, lsnText("0250"), "0250", []verdict.Warning{verdict.LSNNoCommit}, "", ""},
		"the newest LSN":                        {purgedCopy, lsnText("0300"), "0300", nil, "", "2026-10-05T09:00:00Z"},
		"as fn_dblog prints it":                 {purgedCopy, "00000000:00000000:0200", "0200", nil, "", "2026-10-02T06:00:00Z"},
		"an LSN in a repeated hour":             {fallBack, lsnText("0050"), "0050", []verdict.Warning{verdict.CaptureStopped}, "", "2026-11-01T06:05:00Z"},
		"an LSN in the first pass":              {fallBack, lsnText("0040"), "0040", []verdict.Warning{verdict.CaptureStopped}, "", "2026-11-01T05:40:00Z"},
		"an offset alone goes an hour back":     {offsetOnly(60), "2026-10-05T10:30:00Z", "0100", []verdict.Warning{verdict.NoZone}, "2026-10-05T10:30:00", "2026-10-05T08:00:00Z"},
		"an offset, as_of just behind a commit": {offsetOnly(60), "2026-10-05T11:00:00Z", "0200", []verdict.Warning{verdict.NoZone}, "2026-10-05T11:00:00", "2026-10-05T10:00:00Z"},
	} {
		for _, byLSN := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				_, src := with(c.at, func(s *situation) { s.byLSN = byLSN }).start(t)
				m, err := mapped(t.Context(), src, c.asOf, "", sqlserver.MapOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if m.L.String() != lsnText(c.l) || codes(m) != join(c.warnings) {
					t.Errorf("L %v with %q, want %s with %q", m.L, codes(m), lsnText(c.l), join(c.warnings))
				}
				if got := localText(m); got != c.used {
					t.Errorf("looked up %q, want %q", got, c.used)
				}
				if got := commitText(m); got != c.commit {
					t.Errorf("committed %q, want %q", got, c.commit)
				}
				if m.L.Compare(m.Max) > 0 || m.Kept.Instance != "dbo_orders" || m.Kept.Low.IsZero() {
					t.Errorf("%+v", m)
				}
			})
		}
	}
}

// offsetOnly is a server of 2019, which cannot name its zone.
func offsetOnly(minutes int) situation {
	return situation{
		offset: &minutes, version: "15.0.4345.5", now: "2026-10-05T12:00:00Z",
		instances: []instance{{"dbo_orders", "0050", "2026-01-01T00:00:00"}},
		mapping:   []row{{"0050", "2026-10-05T08:00:00"}, {"0100", "2026-10-05T09:00:00"}, {"0200", "2026-10-05T11:00:00"}, {"0300", "2026-10-05T12:50:00"}},
	}
}

func TestMapAsOfRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		at   situation
		asOf string
		want verdict.Code
		says []string
	}{
		"case 1, run 1": {purgedCopy, "2026-10-01T22:00:00Z", verdict.NoCommit, []string{"older than the retention", "earliest usable time 2026-10-02T00:00:05Z"}},
		"case 1, run 4": {purgedCopy, lsnText("00FE"), verdict.RetentionPassed, []string{lsnText("00FE"), "oldest kept " + lsnText("0100"), "2026-10-02T00:00:05Z"}},
		"case 3, run 1": {china, "2026-10-05T10:00:00Z", verdict.AsOfInFuture, []string{"server clock 2026-10-05T04:00:00Z", "6 h", "zone"}},
		"case 3, run 3": {china, "2026-10-04 10:00", verdict.AsOfNoZone, []string{"2026-10-04T10:00:00Z", "offset from UTC"}},
		"case 17, nothing captured": {
			with(stopped, func(s *situation) { s.mapping = nil }), "2026-10-05T08:00:00Z", verdict.NothingCaptured,
			[]string{"no LSN captured yet", "capture job"},
		},
		"case 27, run 1": {newInstance, lsnText("0480"), verdict.CDCNotOnYet, []string{"created 2026-10-05T09:00:00Z", "committed 2026-10-05T08:30:00Z"}},
		"case 27, run 2": {newInstance, "2026-10-05T09:05:00Z", verdict.NothingCaptured, []string{"capture has not passed", "newest captured " + lsnText("0480")}},
		"case 27, run 3": {newInstance, "2026-10-05T08:00:00Z", verdict.CDCNotOnYet, []string{"created 2026-10-05T09:00:00Z"}},
		"case 27, an LSN between commits": {
			newInstance, lsnText("0475"), verdict.CDCNotOnYet,
			[]string{"created 2026-10-05T09:00:00Z"},
		},
		"case 27, before every commit": {newInstance, "2026-10-05T06:00:00Z", verdict.CDCNotOnYet, []string{"created 2026-10-05T09:00:00Z"}},
		"case 27, run 2, once capture has passed the enable": {
			with(newInstance, func(s *situation) { s.mapping = append(s.mapping, row{"0500", "2026-10-05T09:06:00"}) }), "2026-10-05T09:05:00Z",
			verdict.CDCNotOnYet,
			[]string{"starts later", "start of the instance " + lsnText("0500"), "earliest usable time 2026-10-05T09:06:00Z"},
		},
		"case 27, run 2, on a server without a zone": {
			with(newInstance, func(s *situation) {
				s.now, s.offset, s.version = "2026-10-05T12:00:00Z", new(int), "15.0.4345.5"
				s.mapping = append(s.mapping, row{"0500", "2026-10-05T09:06:00"}, row{"0600", "2026-10-05T11:59:00"})
			}), "2026-10-05T10:03:00Z",
			verdict.CDCNotOnYet,
			[]string{"starts later", "created 2026-10-05T09:00:00Z", "earliest usable time 2026-10-05T10:06:00Z"},
		},
		"capture has not seen the instance": {
			with(newInstance, func(s *situation) { s.instances[0].start = "" }), "2026-10-05T09:05:00Z",
			verdict.NothingCaptured,
			[]string{"capture has not reached", "dbo_orders", "2026-10-05T09:00:00"},
		},
		"before an instance that capture has not seen": {
			with(newInstance, func(s *situation) { s.instances[0].start = "" }), "2026-10-05T08:45:00Z",
			verdict.CDCNotOnYet,
			[]string{"created 2026-10-05T09:00:00Z"},
		},
		"case 44": {replica, lsnText("0600"), verdict.ReplicaBehind, []string{"ahead of this replica (read-only secondary, behind by up to 2 m)", "newest captured " + lsnText("0550"), "Try again", "primary"}},
		"case 49": {
			with(purgedCopy, func(s *situation) {
				s.now, s.retention, s.user = "2026-10-02T06:10:00Z", 4320, &fakeserver.User{Database: "Sales", Roles: []string{"db_owner"}}
				s.instances = []instance{{"dbo_orders", "0200", "2026-01-01T00:00:00"}}
				s.mapping = []row{{"0100", "2026-10-02T05:00:00"}, {"0200", "2026-10-02T06:00:00"}}
			}), "2026-10-02T05:10:00Z", verdict.RetentionPassed,
			[]string{"oldest kept commit 2026-10-02T06:00:00Z", "cleanup keeps 3 d, the oldest commit that is kept is of 2026-10-02T06:00:00Z, 10 m ago", "do not agree", "1 h old", "another program"},
		},
		"case 49, where the times are gone too": {
			with(purgedCopy, func(s *situation) {
				s.now, s.retention, s.user = "2026-10-02T06:10:00Z", 4320, &fakeserver.User{Database: "Sales", Roles: []string{"db_owner"}}
				s.instances = []instance{{"dbo_orders", "0200", "2026-01-01T00:00:00"}}
				s.mapping = []row{{"0200", "2026-10-02T06:00:00"}}
			}), "2026-10-02T05:10:00Z", verdict.NoCommit,
			[]string{"oldest kept commit 2026-10-02T06:00:00Z", "cleanup keeps 3 d", "do not agree", "1 h old", "another program", "earliest usable time 2026-10-02T06:00:00Z"},
		},
		"older than what cleanup keeps": {
			with(purgedCopy, func(s *situation) {
				s.retention, s.user = 4320, &fakeserver.User{Database: "Sales", Roles: []string{"db_owner"}}
			}), "2026-10-01T22:00:00Z", verdict.NoCommit,
			[]string{"cleanup keeps 3 d", "oldest kept commit 2026-10-02T00:00:05Z"},
		},
		"the safety hour reaches before the creation": {with(offsetOnly(60), func(s *situation) {
			s.instances = []instance{{"dbo_orders", "0200", "2026-10-05T10:00:00"}}
		}), "2026-10-05T09:30:00Z", verdict.CDCNotOnYet, []string{"created 2026-10-05T09:00:00Z", "looked up 2026-10-05T08:30:00Z", "after 2026-10-05T10:00:00Z"}},
		"above the newest":               {purgedCopy, lsnText("0301"), verdict.LSNAboveMax, []string{"newest captured " + lsnText("0300"), "wait"}},
		"a number above the newest":      {purgedCopy, "42000000025600065", verdict.LSNAboveMax, []string{"newest captured " + lsnText("0300")}},
		"a step before every commit":     {with(steppedBack, func(s *situation) { s.mapping = s.mapping[1:] }), "2026-10-05T12:00:45Z", verdict.NoCommit, []string{"surely before", "plain look-up " + lsnText("0040"), "row before " + lsnText("0020"), "LSN that was noted", "more than an hour after 2026-10-05T12:00:50Z"}},
		"the clock runs ahead of itself": {with(china, func(s *situation) { s.mapping[2].local = "2026-10-05T13:30:00" }), "2026-10-04T02:00:00Z", verdict.ClockDisagrees, []string{"newest commit 2026-10-05T05:30:00Z", "LSN"}},
		"CDC is off":                     {situation{noCDC: true, now: "2026-10-05T10:00:00Z"}, "2026-10-05T09:00:00Z", verdict.CDCOff, []string{"sp_cdc_enable_db"}},
		"two readings":                   {purgedCopy, "42:256:65", verdict.AsOfInvalid, nil},
	} {
		for _, byLSN := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				_, src := with(c.at, func(s *situation) { s.byLSN = byLSN }).start(t)
				_, err := mapped(t.Context(), src, c.asOf, "", sqlserver.MapOptions{})
				refused(t, err, c.want, c.says...)
			})
		}
	}
}

// The earliest usable time that a refusal names is one: it is taken, and a second
// before it is not.
func TestEarliestUsableTimeIsUsable(t *testing.T) {
	lordHowe := situation{
		zone: "Lord Howe Standard Time", now: "2026-04-06T00:00:00Z",
		instances: []instance{{"dbo_orders", "0020", "2026-01-01T00:00:00"}},
		mapping:   []row{{"0020", "2026-04-05T01:40:00"}, {"0030", "2026-04-05T03:00:00"}},
	}
	for name, c := range map[string]struct {
		at       situation
		asOf     string
		earliest string
	}{
		"as it is":                     {purgedCopy, "2026-10-01T22:00:00Z", "2026-10-02T00:00:05Z"},
		"in the first pass":            {with(fallBack, func(s *situation) { s.mapping = append(s.mapping[2:4], s.mapping[7]) }), "2026-11-01T05:30:00Z", "2026-11-01T06:10:00Z"},
		"in the first pass of 30 m":    {lordHowe, "2026-04-04T14:45:00Z", "2026-04-04T15:10:00Z"},
		"in the second pass":           {with(fallBack, func(s *situation) { s.mapping = s.mapping[5:] }), "2026-11-01T05:45:00Z", "2026-11-01T06:20:00Z"},
		"by an offset, an hour later":  {offsetOnly(60), "2026-10-05T07:30:00Z", "2026-10-05T08:00:00Z"},
		"of an instance that is newer": {with(newInstance, func(s *situation) { s.mapping = append(s.mapping, row{"0500", "2026-10-05T09:06:00.003"}) }), "2026-10-05T09:05:00Z", "2026-10-05T09:06:01Z"},
	} {
		_, src := c.at.start(t)
		_, err := mapped(t.Context(), src, c.asOf, "", sqlserver.MapOptions{})
		e := verdict.As(err)
		if e == nil || !slices.Contains(e.Facts, verdict.Fact{Name: "earliest usable time", Value: c.earliest}) {
			t.Errorf("%s: %v, want %s", name, err, c.earliest)
			continue
		}
		if _, err := mapped(t.Context(), src, c.earliest, "", sqlserver.MapOptions{}); err != nil {
			t.Errorf("%s: %s is refused: %v", name, c.earliest, err)
		}
		at, err := time.Parse(time.RFC3339, c.earliest)
		if err != nil {
			t.Fatal(err)
		}
		if m, err := mapped(t.Context(), src, at.Add(-time.Second).Format(time.RFC3339), "", sqlserver.MapOptions{}); err == nil {
			t.Errorf("%s: a second earlier is taken: %v", name, m.L)
		}
	}
}

// A clock read in the wrong zone rules out a time, not an LSN.
func TestWrongZoneRulesOutTimesOnly(t *testing.T) {
	_, src := china.start(t)
	_, err := mapped(t.Context(), src, "2026-10-04T02:00:00Z", "W. Europe Standard Time", sqlserver.MapOptions{})
	refused(t, err, verdict.ClockDisagrees, "W. Europe Standard Time", "2026-10-05T12:00:00", "2026-10-05T06:00:00", "LSN")
	m, err := mapped(t.Context(), src, lsnText("0200"), "W. Europe Standard Time", sqlserver.MapOptions{})
	if err != nil || m.L.String() != lsnText("0200") {
		t.Error(m, err)
	}
}

func TestCopyLagLooksEarlierAndSaysWhereTheRecordIs(t *testing.T) {
	_, src := purgedCopy.start(t)
	m, err := mapped(t.Context(), src, "2026-10-02T06:00:30Z", "", sqlserver.MapOptions{CopyLag: time.Minute})
	if err != nil || m.L.String() != lsnText("0100") || m.Record == nil || m.Record.String() != lsnText("0200") ||
		m.Asked.String() != "2026-10-02T06:00:30Z" || m.Used.String() != "2026-10-02T05:59:30Z" {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := mapped(t.Context(), src, "2026-10-02T06:00:30Z", "", sqlserver.MapOptions{CopyLag: -1}); err == nil {
		t.Error("a negative lag looks later and was taken")
	}
}

func TestRecordIsSaidWhereLIsAnother(t *testing.T) {
	for name, c := range map[string]struct {
		at           situation
		asOf, record string
	}{
		"an offset alone": {offsetOnly(60), "2026-10-05T10:30:00Z", "0200"},
		"a step":          {steppedBack, "2026-10-05T12:00:45Z", "0040"},
		"no difference":   {fallBack, "2026-11-01T05:30:00Z", ""},
	} {
		_, src := c.at.start(t)
		m, err := mapped(t.Context(), src, c.asOf, "", sqlserver.MapOptions{})
		if err != nil || (m.Record == nil) != (c.record == "") || m.Record != nil && m.Record.String() != lsnText(c.record) {
			t.Errorf("%s: record %v, %v; want %q", name, m.Record, err, c.record)
		}
	}
}

// A backup's last LSN is the record after the backup.
func TestExclusiveNumber(t *testing.T) {
	_, src := with(purgedCopy, func(s *situation) {
		s.instances = []instance{{"dbo_orders", "0000002A000001000041", "2026-01-01T00:00:00"}}
		s.mapping = []row{{"0000002A000001000041", "2026-10-02T00:00:05"}, {"0000002A000002000041", "2026-10-02T06:00:00"}, {"0000002A000003000001", "2026-10-05T09:00:00"}}
	}).start(t)
	m, err := mapped(t.Context(), src, "42000000051200065", "", sqlserver.MapOptions{}) // 42:512:65, the second commit
	if err != nil || m.L.String() != "0x0000002A000001000041" {
		t.Errorf("%v, %v", m.L, err)
	}
	_, err = mapped(t.Context(), src, "42000000025600065", "", sqlserver.MapOptions{}) // nothing known before the first
	refused(t, err, verdict.NoCommit, "older than the retention", "2026-10-02T00:00:05Z")
}

func TestHeadroom(t *testing.T) {
	owner := &fakeserver.User{Database: "Sales", Roles: []string{"db_owner"}}
	created := func(at string) situation {
		return with(purgedCopy, func(s *situation) {
			s.now, s.instances[0].created, s.mapping = "2026-10-03T06:00:00Z", at, s.mapping[:2]
		})
	}
	for name, c := range map[string]struct {
		at      situation
		user    *fakeserver.User
		left    string // "" where it is not known
		assumed bool
		says    string
	}{
		"known": {purgedCopy, owner, "20h0m0s", false, "L stays readable until about 2026-10-06T06:00:00Z"}, // 4 d kept, L is 3 d 4 h old
		// The oldest kept is older than 3 d: 3 d are assumed, never more.
		"unknown":                              {purgedCopy, nil, "0s", true, "cleanup may pass L at any time"},
		"unknown, and cleanup has not run yet": {created("2026-10-01T23:30:00"), nil, "48h0m0s", true, "L stays readable until about 2026-10-05T06:00:00Z"},
		"unknown, and younger than 3 d":        {created("2026-01-01T00:00:00"), nil, "", false, "how long L stays readable is not known: cleanup may pass it at any time"},
	} {
		_, src := with(c.at, func(s *situation) { s.user, s.retention = c.user, 4*24*60 }).start(t)
		m, err := mapped(t.Context(), src, "2026-10-02T06:00:00Z", "", sqlserver.MapOptions{})
		if err != nil {
			t.Fatal(name, err)
		}
		left := ""
		if m.Kept.Headroom != nil {
			left = m.Kept.Headroom.String()
		}
		if left != c.left || m.Kept.RetentionAssumed != c.assumed || (m.Kept.Retention == nil) != (c.user == nil) || m.KeptNote().Text != c.says {
			t.Errorf("%s: %q, %+v, %q", name, left, m.Kept, m.KeptNote().Text)
		}
	}
}
