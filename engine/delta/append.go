package delta

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"cdcseed/engine/clock"
	"cdcseed/engine/verdict"
)

// Append is what a commit adds. It never removes anything.
type Append struct {
	Operation    string // WRITE, ADD COLUMNS, SET TBLPROPERTIES ...
	Parameters   []Pair // of the operation, in order
	Metrics      []Pair // in order; written as text, whatever their type
	Adds         []Add  // row ids and commit versions are filled in here
	Txn          *Txn
	Metadata     *Metadata // only where it changes; made from the snapshot's own
	Protocol     *Protocol // only where it changes
	UserMetadata string
	Tags         map[string]string
	EngineInfo   string // cdcseed/<version>
	TxnID        string // unique; how the commit is recognised as ours
}

// Create is the first commit of a table. Adds may come with it.
type Create struct {
	Append
	Protocol Protocol
	Metadata Metadata
}

// Lines is the whole content of version 0.
func (c Create) Lines(now clock.Instant) ([]byte, error) {
	if c.Append.Protocol != nil || c.Append.Metadata != nil {
		return nil, errors.New("create a table: protocol and metadata are given twice")
	}
	s := &Snapshot{Version: -1, Protocol: c.Protocol, Metadata: c.Metadata}
	a := c.Append
	a.Protocol, a.Metadata = &c.Protocol, &c.Metadata
	_, data, err := s.Lines(a, now)
	return data, err
}

// Lines is the whole content of the next version's commit on top of this
// snapshot, and that version's number. now is the commit's time. Row ids,
// commit versions and the in-commit timestamp follow from the snapshot, so
// after a lost race they are made anew from a newer one. What the table's
// features forbid is refused as verdict.TargetFeature or verdict.TargetNeedsNTZ;
// any other error is a mistake of the caller.
func (s *Snapshot) Lines(a Append, now clock.Instant) (version int64, data []byte, err error) {
	next, err := s.after(a)
	if err != nil {
		return 0, nil, err
	}
	if err := next.check(a, s); err != nil {
		return 0, nil, fmt.Errorf("commit version %d of %q: %w", next.Version, s.url, err)
	}
	adds, domains, err := next.number(a.Adds)
	if err != nil {
		return 0, nil, fmt.Errorf("commit version %d of %q: %w", next.Version, s.url, err)
	}
	info, err := next.commitInfo(a, s, now)
	if err != nil {
		return 0, nil, err
	}
	var b bytes.Buffer
	lines := []Pair{{"commitInfo", info}}
	if a.Protocol != nil {
		lines = append(lines, Pair{"protocol", a.Protocol})
	}
	if a.Metadata != nil {
		lines = append(lines, Pair{"metaData", a.Metadata})
	}
	if a.Txn != nil {
		lines = append(lines, Pair{"txn", a.Txn})
	}
	for _, d := range domains {
		lines = append(lines, Pair{"domainMetadata", d})
	}
	for _, add := range adds {
		lines = append(lines, Pair{"add", add})
	}
	for _, l := range lines {
		o, err := ObjectOf(l)
		if err != nil {
			return 0, nil, err
		}
		text, err := encode(o)
		if err != nil {
			return 0, nil, err
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	return next.Version, b.Bytes(), nil
}

// after is the state whose protocol and metadata the commit obeys: its own
// where it carries them. The version is the one that the commit makes.
func (s *Snapshot) after(a Append) (*Snapshot, error) {
	next := *s
	next.Version++
	if a.Protocol != nil {
		if f, lost := s.Protocol.loses(*a.Protocol); lost && s.Version >= 0 {
			return nil, fmt.Errorf("the new protocol %s drops the feature %q", a.Protocol, f)
		}
		next.Protocol = *a.Protocol
	}
	if a.Metadata != nil {
		if s.Version >= 0 {
			if err := a.Metadata.follows(s.Metadata); err != nil {
				return nil, err
			}
			if ictOn(next.Protocol, *a.Metadata) != ictOn(s.Protocol, s.Metadata) {
				return nil, errors.New("in-commit timestamps may not be turned on or off here")
			}
		}
		next.Metadata = *a.Metadata
	}
	var err error
	next.Schema, err = ParseSchema(next.Metadata.SchemaString)
	return &next, err
}

// check refuses what must never be committed.
func (s *Snapshot) check(a Append, before *Snapshot) error {
	switch {
	case a.TxnID == "":
		return errors.New("no txnId: the commit could not be recognised as ours")
	case a.Operation == "":
		return errors.New("no operation")
	case len(a.Adds) == 0 && a.Metadata == nil && a.Protocol == nil && a.Txn == nil:
		return errors.New("an empty commit")
	case a.Txn != nil && a.Txn.AppID == "":
		return errors.New("a txn without an appId")
	}
	if name, twice := s.Schema.duplicate(); twice {
		return fmt.Errorf("column %q stands twice", name)
	}
	gate := *before
	if before.Version >= 0 {
		gate.Protocol, gate.Metadata, gate.Schema = s.Protocol, s.Metadata, s.Schema
	} else {
		gate.Schema = s.Schema
	}
	if r := gate.unappendable(); r != nil {
		return gate.refuse(verdict.TargetFeature, *r)
	}
	if err := s.needsNTZ(); err != nil {
		return err
	}
	return s.checkAdds(a.Adds, before)
}

func (s *Snapshot) needsNTZ() error {
	if s.Protocol.Supports(NTZ) {
		return nil
	}
	column := ""
	_ = s.Schema.walk(func([]string, Field) {}, func(path []string, kind string) {
		if kind == "timestamp_ntz" && column == "" {
			column = path[0]
		}
	})
	if column == "" {
		return nil
	}
	return &verdict.Error{
		Code:  verdict.TargetNeedsNTZ,
		What:  fmt.Sprintf("column %q of the Delta table %q is a TIMESTAMP_NTZ, which the table's protocol does not allow", column, s.url),
		Facts: verdict.Facts("protocol", s.Protocol, "needed", UpgradeNTZ(s.Protocol)),
		Why:   "Programs that do not know the feature will no longer read the table once it has it.",
		Hint:  []string{"ALTER TABLE ... SET TBLPROPERTIES ('delta.feature.timestampNtz' = 'supported')"},
	}
}

// commitInfo has Spark's members in Spark's order.
func (s *Snapshot) commitInfo(a Append, before *Snapshot, now clock.Instant) (Object, error) {
	var pairs []Pair
	ms := millis(now)
	if ictOn(s.Protocol, s.Metadata) {
		at := ms
		if before.InCommitTimestamp != nil {
			at = max(at, millis(*before.InCommitTimestamp)+1)
		}
		pairs = append(pairs, Pair{"inCommitTimestamp", at})
	}
	parameters, err := ObjectOf(a.Parameters...)
	if err != nil {
		return Object{}, err
	}
	var metrics Object
	for _, m := range a.Metrics {
		if err := metrics.Set(m.Key, fmt.Sprint(m.Value)); err != nil {
			return Object{}, err
		}
	}
	pairs = append(pairs, Pair{"timestamp", ms}, Pair{"operation", a.Operation}, Pair{"operationParameters", parameters})
	if before.Version >= 0 {
		pairs = append(pairs, Pair{"readVersion", before.Version})
	}
	pairs = append(pairs,
		Pair{"isolationLevel", cmp.Or(s.Metadata.Configuration["delta.isolationLevel"], "Serializable")},
		Pair{"isBlindAppend", true}, Pair{"operationMetrics", metrics})
	if a.UserMetadata != "" {
		pairs = append(pairs, Pair{"userMetadata", a.UserMetadata})
	}
	tags := maps.Clone(a.Tags)
	if s.tracksRows() {
		if tags == nil {
			tags = map[string]string{}
		}
		tags["delta.rowTracking.preserved"] = "true"
	}
	if len(tags) > 0 {
		var o Object
		for _, key := range slices.Sorted(maps.Keys(tags)) {
			if err := o.Set(key, tags[key]); err != nil {
				return Object{}, err
			}
		}
		pairs = append(pairs, Pair{"tags", o})
	}
	if a.EngineInfo != "" {
		pairs = append(pairs, Pair{"engineInfo", a.EngineInfo})
	}
	return ObjectOf(append(pairs, Pair{"txnId", a.TxnID})...)
}
