package fakeserver

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"path"
	"sort"
	"strings"
	"time"
)

//go:embed worlds/*.json
var worlds embed.FS

// Names lists the worlds that are built in, in alphabetical order.
func Names() []string {
	files, err := worlds.ReadDir("worlds")
	if err != nil {
		return nil // the directory is part of the binary
	}
	var out []string
	for _, f := range files {
		out = append(out, strings.TrimSuffix(f.Name(), ".json"))
	}
	sort.Strings(out)
	return out
}

// About says in a few words what a built-in world is about.
func About(name string) string {
	switch name {
	case "orders-clock-change":
		return "the clock goes back, with commits in both passes"
	case "orders-retention-passed":
		return "cleanup has gone past the copy of 5 October"
	case "orders-two-instances":
		return "one table with two capture instances"
	case "old-server-2017":
		return "SQL Server 2017, which cannot name its zone"
	case "capture-stopped":
		return "the capture job stands still since 2 October"
	}
	return ""
}

// Named is a fresh copy of a built-in world.
func Named(name string) (*World, error) {
	data, err := worlds.ReadFile(path.Join("worlds", name+".json"))
	if err != nil {
		return nil, fmt.Errorf("there is no world %q; built in are %s", name, strings.Join(Names(), ", "))
	}
	w, err := ReadWorld(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("world %s: %w", name, err)
	}
	return w, nil
}

// ReadWorld reads a world file and checks all of it. What is wrong is refused
// with the JSON path of the place: unknown keys, types and zones, names of
// things that are not there, keys given twice, LSNs out of order, rows that do
// not fit their table.
func ReadWorld(r io.Reader) (*World, error) {
	w := &World{}
	if err := decodeStrict(r, w); err != nil {
		return nil, err
	}
	if _, err := w.build(func() time.Time { return w.Server.Now }); err != nil {
		return nil, err
	}
	return w, nil
}

// build turns the description into a host whose clock is now.
func (w *World) build(now func() time.Time) (*host, error) {
	if w.Format != 1 {
		return nil, at("format", "%d is not a format this version reads; 1 is", w.Format)
	}
	h := &host{now: now}
	if err := h.setUp(w.Server); err != nil {
		return nil, err
	}
	h.databases = systemDatabases(h.azure())
	for i := range w.Databases {
		p := fmt.Sprintf("databases[%d]", i)
		if err := h.addDatabase(&w.Databases[i], p); err != nil {
			return nil, err
		}
	}
	for i := range w.Logins {
		if err := h.addLogin(w.Logins[i], fmt.Sprintf("logins[%d]", i)); err != nil {
			return nil, err
		}
	}
	if len(h.logins) == 0 {
		return nil, at("logins", "at least one is needed")
	}
	for i, f := range w.Faults {
		if _, err := newFault(f, fmt.Sprintf("faults[%d]", i)); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// setUp checks and keeps what the server says of itself.
func (h *host) setUp(s ServerSettings) error {
	if s.Name == "" {
		s.Name = "FAKESQL"
	}
	if s.Edition == "" {
		s.Edition = "Developer Edition (64-bit)"
	}
	if s.EngineEdition == 0 {
		s.EngineEdition = 3
	}
	h.settings = s
	if h.major = majorVersion(s.ProductVersion); h.major < 10 {
		return at("server.product_version", "%q is not a version such as 16.0.4125.3", s.ProductVersion)
	}
	for _, choice := range []struct{ key, value, usual, other string }{
		{"clock", s.Clock, "frozen", "ticking"},
		{"map_time", s.MapTime, "by_time", "by_lsn"},
		{"empty_max_lsn", s.EmptyMaxLSN, "null", "zeros"},
		{"cleanup_mark", s.CleanupMark, "at_or_before", "at_or_after"},
	} {
		if choice.value != "" && choice.value != choice.usual && choice.value != choice.other {
			return at("server."+choice.key, "%q is not %s or %s", choice.value, choice.usual, choice.other)
		}
	}
	if lag := s.ReplicaLag; lag != nil && (!s.ReadOnly || lag.Seconds < 0 || lag.Changes < 0 || lag.Seconds+lag.Changes == 0) {
		return at("server.replica_lag", "seconds or changes of a read_only_replica are needed")
	}
	if s.Now.IsZero() {
		return at("server.now", "an instant is needed, such as 2026-10-26T09:00:00Z")
	}
	if _, off := s.Now.Zone(); off != 0 {
		return at("server.now", "write the instant in UTC, with a Z")
	}
	return h.setZone(s)
}

func (h *host) setZone(s ServerSettings) error {
	switch {
	case s.TimeZone != "" && s.OffsetMinutes != nil:
		return at("server.offset_minutes", "time_zone is given already")
	case s.TimeZone != "":
		loc, name, err := zoneByName(s.TimeZone)
		if err != nil {
			return at("server.time_zone", "%v", err)
		}
		h.zone = loc
		if h.namesZone() {
			h.zoneName = name
		}
	case s.OffsetMinutes == nil:
		return at("server.time_zone", "a Windows time zone name is needed, or offset_minutes")
	case h.namesZone():
		return at("server.offset_minutes", "a server of 2022 and later, or Azure, names its zone: give time_zone")
	case *s.OffsetMinutes < -14*60 || *s.OffsetMinutes > 14*60:
		return at("server.offset_minutes", "%d is beyond 14 hours", *s.OffsetMinutes)
	default:
		h.zone = time.FixedZone("", *s.OffsetMinutes*60)
	}
	return nil
}
