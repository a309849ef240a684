package fakeserver

import (
	"fmt"
	"sort"
	"time"
)

// localTime reads a time on the server's clock and rounds it to a datetime.
func localTime(s string) (time.Time, error) {
	t, err := time.Parse("2006-01-02T15:04:05", s)
	if err != nil || fractionDigits(s) > 3 {
		return time.Time{}, fmt.Errorf("%q is not a local time such as 2026-10-25T02:30:00.123", s)
	}
	return toDateTime(t), nil
}

// load replays what the description says has happened: mapping rows and
// commits in one LSN order, then cleanup.
func (d *database) load(w *Database, path string) error {
	mapped, err := mappingEntries(w.Mapping, path+".lsn_time_mapping")
	if err != nil {
		return err
	}
	var last LSN
	for i, c := range w.Commits {
		p := fmt.Sprintf("%s.commits[%d]", path, i)
		if !last.less(c.LSN) {
			return at(p+".lsn", "%s does not follow %s", c.LSN, last)
		}
		last = c.LSN
		e, err := commitEntry(c, p)
		if err != nil {
			return err
		}
		edits, err := d.applyAll(c.Changes, p+".changes")
		if err != nil {
			return err
		}
		done := commit{e, edits}
		d.history = append(d.history, done)
		d.capture(done)
		if d.cdc {
			mapped = append(mapped, e)
		}
	}
	sort.Slice(mapped, func(i, j int) bool { return mapped[i].lsn.less(mapped[j].lsn) })
	for i := 1; i < len(mapped); i++ {
		if mapped[i].lsn == mapped[i-1].lsn {
			return at(path+".lsn_time_mapping", "LSN %s is given twice, or to a commit as well", mapped[i].lsn)
		}
	}
	d.mapping = mapped
	d.noteLastLSN()
	for _, in := range d.instances {
		if in.start == nil {
			d.enable(in)
		}
	}
	if err := d.loadDDL(w.DDL, path+".ddl_history"); err != nil {
		return err
	}
	return d.loadCleanup(w.CleanedUpTo, path+".cleaned_up_to")
}

func mappingEntries(rows []MappingRow, path string) ([]entry, error) {
	var out []entry
	var last LSN
	for i, m := range rows {
		p := fmt.Sprintf("%s[%d]", path, i)
		if !last.less(m.LSN) {
			return nil, at(p+".lsn", "%s does not follow %s", m.LSN, last)
		}
		end, err := localTime(m.LocalTime)
		if err != nil {
			return nil, at(p+".local_time", "%v", err)
		}
		run := RepeatRow{Count: 1}
		if m.Repeat != nil {
			if run = *m.Repeat; run.Count < 1 || run.Count > 100_000 || run.EverySeconds < 0 || run.LSNStep < 1 {
				return nil, at(p+".repeat", "count is 1 to 100000, every_seconds not negative, lsn_step at least 1")
			}
		}
		for n := range run.Count {
			t := toDateTime(end.Add(time.Duration(n*run.EverySeconds) * time.Second))
			out = append(out, entry{lsn: m.LSN.add(int64(n) * run.LSNStep), begin: t, end: t, idle: m.Idle})
		}
		last = m.LSN // a run may reach past the next row: what counts is that no LSN occurs twice
	}
	return out, nil
}

func commitEntry(c Commit, path string) (entry, error) {
	end, err := localTime(c.LocalTime)
	if err != nil {
		return entry{}, at(path+".local_time", "%v", err)
	}
	begin := end
	if c.BeginTime != "" {
		if begin, err = localTime(c.BeginTime); err != nil {
			return entry{}, at(path+".begin_local_time", "%v", err)
		}
	}
	return entry{lsn: c.LSN, begin: begin, end: end}, nil
}

// noteLastLSN remembers the highest LSN in use, so that the next commit's is
// above it even when cleanup has removed the row that had it.
func (d *database) noteLastLSN() {
	note := func(l LSN) {
		if d.lastLSN.less(l) {
			d.lastLSN = l
		}
	}
	for _, m := range d.mapping {
		note(m.lsn)
	}
	for _, c := range d.history {
		note(c.lsn)
	}
	for _, i := range d.instances {
		if i.start != nil {
			note(*i.start)
		}
	}
	if d.lastLSN.isZero() {
		d.lastLSN = LSN{3: 0x2a, 7: 0x10, 9: 1}
	}
}

func (d *database) loadDDL(rows []DDLCommand, path string) error {
	for i, w := range rows {
		p := fmt.Sprintf("%s[%d]", path, i)
		in := d.instance(w.Instance)
		if in == nil {
			return at(p+".capture_instance", "there is no capture instance %q", w.Instance)
		}
		t, err := localTime(w.LocalTime)
		if err != nil {
			return at(p+".local_time", "%v", err)
		}
		d.ddl = append(d.ddl, ddlRow{in, w.LSN, t, w.Command, w.Required})
	}
	return nil
}

func (d *database) loadCleanup(to *LSN, path string) error {
	if to == nil {
		return nil
	}
	for _, i := range d.instances {
		if i.start != nil && i.start.less(*to) {
			return at(path, "%s is above start_lsn %s of %s, which cleanup would have moved", to, i.start, i.name)
		}
	}
	d.forgetBelow(*to)
	return nil
}
