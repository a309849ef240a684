package main

import (
	"slices"
	"time"

	"cdcseed/fakeserver"
)

// demoCommit is a commit of the demo's world, with its changes of the demo's
// table and the moment at which it ended.
type demoCommit struct {
	fakeserver.Commit
	at time.Time // UTC
}

// commits are the world's, in the order of the log. Their times stand on a
// clock that went back once, from summer time to winter time: where a time is
// before the one of the commit before it, it was set back in between.
func (d *demo) commits() ([]demoCommit, error) {
	summer, winter := time.FixedZone("", 2*3600), time.FixedZone("", 3600)
	zone, last := summer, ""
	var out []demoCommit
	for _, c := range d.world.Databases[0].Commits {
		if c.LocalTime < last {
			zone = winter
		}
		at, err := time.ParseInLocation("2006-01-02T15:04:05", c.LocalTime, zone)
		if err != nil {
			return nil, err
		}
		last = c.LocalTime
		c.Changes = slices.DeleteFunc(slices.Clone(c.Changes), func(ch fakeserver.Change) bool {
			return ch.Table != demoSchema+"."+demoTable
		})
		out = append(out, demoCommit{c, at.UTC()})
	}
	return out, nil
}
