package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
	"cdcseed/engine/report"
)

func (a *app) lsn() *cobra.Command {
	var r engine.Request
	var now bool
	var passwordFile string
	c := &cobra.Command{
		Use:   "lsn",
		Short: "Map the moment at which a copy started to the log position L",
		Long: `Maps --as-of to L for a table as seed does, and shows the way there: what the
server's clock read, what was looked up, the commit at L, and how long the
changes after L are kept. Nothing is read but the source.

With --now it prints the newest captured position. Write it down before you
take a new copy and give it to seed as --as-of: no clock can get between.`,
		Example: `  cdcseed lsn --server sql01 --database Sales --user svc --table dbo.Orders \
    --as-of 2026-10-25T00:40:00Z
  cdcseed lsn --server sql01 --database Sales --user svc --table dbo.Orders \
    --now`,
		Args: noArgs,
	}
	complete := a.bind(c, lsnFlags(), &r)
	c.Flags().BoolVar(&now, "now", false, "the newest captured position, to write down before a new copy is taken")
	addPasswordFile(c, &passwordFile)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if now && (c.Flags().Changed("as-of") || c.Flags().Changed("copy-lag")) {
			return usageError("--now takes neither --as-of nor --copy-lag", "Give --now or --as-of.")
		}
		if err := complete(); err != nil {
			return err
		}
		switch {
		case r.Server == "":
			return missing(c, "server")
		case r.Table == "":
			return missing(c, "table")
		}
		if now {
			r.AsOf, r.CopyLag = "", 0 // of the environment
		} else if r.AsOf == "" {
			return usageError("--as-of is missing", "Give --as-of with the time at which the copy started, or --now before you take a new one.")
		}
		return a.mapAsOf(c.Context(), r, passwordFile, now)
	}
	return c
}

// lsnFlags are those of a seed that decide L.
func lsnFlags() []engine.Flag {
	return slices.DeleteFunc(engine.SeedFlags(), func(f engine.Flag) bool {
		fromSource := slices.ContainsFunc(engine.SourceFlags(), func(s engine.Flag) bool { return s.Name == f.Name })
		return !fromSource && !slices.Contains([]string{"table", "as-of", "copy-lag"}, f.Name)
	})
}

func (a *app) mapAsOf(ctx context.Context, r engine.Request, passwordFile string, now bool) error {
	session, err := a.open(ctx, r, passwordFile)
	if err != nil {
		return err
	}
	defer session.Close()
	find := session.MapAsOf
	if now {
		find = session.Now
	}
	m, err := find(ctx, r)
	if err != nil {
		return err
	}
	if a.json {
		a.lines().put("result", lsnLine{LSN: m.L, CommitTS: m.CommitTS, Mapping: m})
		return a.lines().err
	}
	return a.write(mappingText(m, now))
}

// lsnLine is a mapping as JSON tells it.
type lsnLine struct {
	LSN      lsn.LSN        `json:"lsn"`
	CommitTS *clock.Instant `json:"commit_ts"` // null where it is not known
	engine.Mapping
}

// mappingText tells every position with its time, in UTC and on the server's clock.
func mappingText(m engine.Mapping, now bool) string {
	var p page
	if m.Asked != nil {
		p.item("as of", m.Asked.String())
		p.item("server", fmt.Sprintf("%s on its clock, %s", m.AskedLocal, m.Clock))
		p.item("looked up", fmt.Sprintf("%s on its clock, %s", m.UsedLocal, m.Used))
	} else {
		if !now {
			p.item("as of", m.Input.String())
		}
		p.item("server", fmt.Sprintf("clock %s, now %s", m.Clock, m.ServerNow))
	}
	p.position("L", m, m.L, m.CommitTS)
	if m.Distance != nil {
		p.item("", clock.Words(m.Distance.Truncate(time.Second))+" before as_of: the stream replays that")
	}
	if m.Record != nil {
		p.item("", "the plain rule finds "+m.Record.String())
	}
	if m.Newest != nil && !now {
		p.position("newest", m, m.Newest.LSN, &m.Newest.UTC)
	}
	p.position("oldest", m, m.Kept.Low, m.Kept.LowTime)
	if m.Kept.Headroom != nil {
		p.item("kept", "L stays readable for about "+clock.Words(m.Kept.Headroom.Truncate(time.Second)))
	}
	p.WriteByte('\n')
	report.Checks(&p, m.Checks)
	if now {
		fmt.Fprintf(&p.Builder, "\nWrite L down, take the copy, then seed it with\n  --as-of %s\n", m.L)
	}
	return p.String()
}

// page is a text in the making.
type page struct{ strings.Builder }

// position tells an LSN and its time in UTC and on the server's clock.
func (p *page) position(name string, m engine.Mapping, l lsn.LSN, at *clock.Instant) {
	p.item(name, l.String())
	if at == nil {
		p.item("", "commit time not known")
		return
	}
	text := "committed " + at.String()
	if local, err := m.Clock.Wall(*at); err == nil {
		text += ", server " + local.String()
	}
	p.item("", text)
}

// item writes a named value as the reports do.
func (p *page) item(name, value string) { fmt.Fprintf(&p.Builder, "  %-10s %s\n", name, value) }
