package delta

import (
	"fmt"

	"cdcseed/engine/verdict"
)

// refusal is a feature that is not honoured.
type refusal struct {
	feature string // as the protocol or the property names it
	what    string // what of it stands in the way
	why     string
	hint    []string
}

func (s *Snapshot) refuse(code verdict.Code, r refusal) error {
	what := fmt.Sprintf("the Delta table %q uses %q", s.url, r.feature)
	if r.what != "" {
		what += ": " + r.what
	}
	return &verdict.Error{
		Code: code, What: what, Why: r.why, Hint: r.hint,
		Facts: verdict.Facts("version", s.Version, "protocol", s.Protocol),
	}
}

// protocolNumbers refuses versions that mean nothing or that came later.
func (s *Snapshot) protocolNumbers() *refusal {
	if s.Protocol.known() {
		return nil
	}
	return &refusal{
		feature: fmt.Sprintf("protocol %d/%d", s.Protocol.MinReaderVersion, s.Protocol.MinWriterVersion),
		what:    "no such pair of reader and writer versions is known",
		why:     "A table may only be read and written by programs that know its protocol.",
		hint:    []string{"Look at the table with DESCRIBE DETAIL; a newer cdcseed may know it."},
	}
}

// byCatalog are features under which the files alone do not tell the table.
func byCatalog(feature string) *refusal {
	switch feature {
	case "catalogManaged", "catalogOwned-preview":
		return &refusal{
			feature: feature,
			what:    "its commits go through a catalog, not through files",
			why:     "The folder may be behind the table, and a commit made in it would be lost or would break the table.",
			hint:    []string{"Use an external table without this feature, or copy the table: CREATE TABLE ... AS SELECT."},
		}
	case "redirectReaderWriter-preview", "redirectWriterOnly-preview":
		return &refusal{
			feature: feature,
			what:    "the table points to another place",
			why:     "What is stored here may no longer be the table.",
			hint:    []string{"Give the place that the table points to."},
		}
	}
	return nil
}

func unknown(feature string) *refusal {
	return &refusal{
		feature: feature,
		what:    "this program does not know the feature",
		why:     "A table may only be used by programs that honour every feature it lists.",
		hint: []string{
			"Drop the feature if the table can do without: ALTER TABLE ... DROP FEATURE `" + feature + "`.",
			"A newer cdcseed may know it.",
		},
	}
}
