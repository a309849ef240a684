package delta

import (
	"encoding/json"
	"fmt"
	"strings"

	"cdcseed/engine/verdict"
)

// Readable says by a refusal (verdict.CopyFeature) which feature of the table
// a reader of its data files cannot honour. Features that bind only writers
// never stand in a reader's way.
func (s *Snapshot) Readable() error {
	if r := s.unreadable(); r != nil {
		return s.refuse(verdict.CopyFeature, *r)
	}
	return nil
}

func (s *Snapshot) unreadable() *refusal {
	if r := s.protocolNumbers(); r != nil {
		return r
	}
	for _, f := range s.Protocol.Reader() {
		if r := s.unreadableFeature(f); r != nil {
			return r
		}
	}
	if p := s.Metadata.Format.Provider; p != "" && !strings.EqualFold(p, "parquet") {
		return &refusal{
			feature: "format " + p, what: "only Parquet data files can be read",
			hint: []string{"Write the table again with Parquet files."},
		}
	}
	if r := s.mapped(); r != nil {
		return r
	}
	if r := s.widened(); r != nil {
		return r
	}
	return s.unreadableFiles()
}

func (s *Snapshot) unreadableFeature(f string) *refusal {
	switch f {
	case NTZ, ntzAlias, "v2Checkpoint", "vacuumProtocolCheck",
		"columnMapping", "deletionVectors", "typeWidening", "typeWidening-preview", // by what they do to this table, below
		"variantType", "variantType-preview", "variantShredding", "variantShredding-preview": // a matter of the column
		return nil
	}
	if r := byCatalog(f); r != nil {
		return r
	}
	return unknown(f)
}

// widened refuses a type change that the protocol does not list: how old files
// are to be read is then not known.
func (s *Snapshot) widened() *refusal {
	var out *refusal
	// The schema was walked when it was parsed; it cannot fail now.
	_ = s.Schema.walk(func(path []string, f Field) {
		raw, ok := f.Metadata.Get("delta.typeChanges")
		if !ok || out != nil {
			return
		}
		var changes []struct {
			From string `json:"fromType"`
			To   string `json:"toType"`
		}
		if err := json.Unmarshal(raw, &changes); err != nil {
			changes = append(changes[:0], struct {
				From string `json:"fromType"`
				To   string `json:"toType"`
			}{"?", "?"})
		}
		for _, c := range changes {
			if widens(c.From, c.To) {
				continue
			}
			out = &refusal{
				feature: "typeWidening",
				what:    fmt.Sprintf("column %q changed from %s to %s", strings.Join(path, "."), c.From, c.To),
				why:     "How older files of that column are to be read is not defined.",
				hint:    []string{"Write the table again: REORG TABLE ... APPLY (PURGE), or CREATE TABLE ... AS SELECT."},
			}
			return
		}
	}, func([]string, string) {})
	return out
}

func (s *Snapshot) unreadableFiles() *refusal {
	for _, a := range s.Files {
		if a.Absolute() {
			return &refusal{
				feature: "absolute path",
				what:    fmt.Sprintf("data file %q lies outside the table's folder, as in a shallow clone", a.Path),
				why:     "Only files below the table's folder are read.",
				hint:    []string{"Make the table stand alone: CREATE TABLE ... DEEP CLONE ..., or CREATE TABLE ... AS SELECT."},
			}
		}
		if r := s.unreadableVector(a); r != nil {
			return r
		}
	}
	return nil
}

// unreadableVector refuses a deletion vector whose place is not in the table,
// before any data is read.
func (s *Snapshot) unreadableVector(a Add) *refusal {
	if a.DeletionVector == nil {
		return nil
	}
	if _, err := a.DeletionVector.place(s.url); err != nil {
		return &refusal{
			feature: "deletionVectors",
			what:    fmt.Sprintf("data file %q: %v", a.Path, err),
			why:     "Without the vector, deleted rows would come back.",
			hint:    []string{"Apply the vectors in the table: REORG TABLE ... APPLY (PURGE), or CREATE TABLE ... DEEP CLONE ..."},
		}
	}
	return nil
}
