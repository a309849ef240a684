package delta

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cdcseed/engine/verdict"
)

// checkAdds tests each new file against what the table asks of a file.
func (s *Snapshot) checkAdds(adds []Add, before *Snapshot) error {
	known := map[string]bool{}
	for _, a := range before.Files {
		known[canonical(a.Path)] = true
	}
	clustered := s.clusteringColumns()
	for _, a := range adds {
		key, err := a.Key()
		if err != nil {
			return err
		}
		if known[key] {
			return fmt.Errorf("data file %q stands in the table already", a.Path)
		}
		known[key] = true
		if a.Size <= 0 || !a.DataChange || a.DeletionVector != nil || hidden(key) {
			return fmt.Errorf("data file %q is no whole new file (%d B)", a.Path, a.Size)
		}
		if got := slices.Sorted(maps.Keys(a.PartitionValues)); !slices.Equal(got, s.partitions()) {
			return fmt.Errorf("data file %q has values for partition columns %q, the table has %q", a.Path, got, s.Metadata.PartitionColumns)
		}
		st, err := a.ParseStats()
		if err != nil {
			return err
		}
		if err := s.checkMapped(a, st); err != nil {
			return err
		}
		if err := s.checkNotNull(a, st); err != nil {
			return err
		}
		for _, column := range clustered {
			if !st.bounds(column) {
				return s.refuse(verdict.TargetFeature, refusal{
					feature: "clustering",
					what:    fmt.Sprintf("data file %q has no statistics for the clustering column %q", a.Path, strings.Join(s.logical(column), ".")),
					why:     "The feature asks every writer for them.",
				})
			}
		}
	}
	return nil
}

// partitions are the names under which files have their partition values, sorted.
func (s *Snapshot) partitions() []string {
	out := make([]string, len(s.Metadata.PartitionColumns))
	for i, name := range s.Metadata.PartitionColumns {
		out[i] = s.Physical(name)
	}
	slices.Sort(out)
	return out
}

// checkMapped finds a file that was written without regard to the table's
// mapping: its statistics name columns that the table has not, and readers would
// find NULL in all of them.
func (s *Snapshot) checkMapped(a Add, st Stats) error {
	mode := s.Metadata.Mapping()
	if !mode.On() {
		return nil
	}
	known := map[string]bool{}
	for _, f := range s.Schema.Fields {
		known[mode.Physical(f)] = true
	}
	for _, part := range []map[string]any{st.Min, st.Max, st.NullCount} {
		for name := range part {
			if !known[name] {
				return fmt.Errorf("data file %q has statistics for %q, which is no column's physical name", a.Path, name)
			}
		}
	}
	return nil
}

// hidden names are skipped by readers of folders: those that begin with _ or a dot.
func hidden(key string) bool {
	for part := range strings.SplitSeq(key, "/") {
		if strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_") && !strings.Contains(part, "=") {
			return true
		}
	}
	return false
}

// checkNotNull proves by the statistics that a column that must have values
// has one in every row.
func (s *Snapshot) checkNotNull(a Add, st Stats) error {
	for _, f := range s.Schema.Fields {
		if f.Nullable {
			continue
		}
		physical := s.Metadata.Mapping().Physical(f)
		if v, ok := a.PartitionValues[physical]; ok && v != nil {
			continue
		}
		if n, told := st.Nulls(physical); !told || n > 0 {
			what := fmt.Sprintf("data file %q does not tell that column %q has a value in every row", a.Path, f.Name)
			if told {
				what = fmt.Sprintf("data file %q has %d rows without a value in column %q", a.Path, n, f.Name)
			}
			return s.refuse(verdict.TargetFeature, refusal{
				feature: "NOT NULL", what: what,
				why:  "The table forbids rows without a value there.",
				hint: []string{"ALTER TABLE ... ALTER COLUMN `" + f.Name + "` DROP NOT NULL."},
			})
		}
	}
	return nil
}

// bounds reports whether the column has a null count, and, unless all its
// values are null, a minimum and a maximum.
func (s Stats) bounds(column []string) bool {
	nulls, ok := s.Nulls(column...)
	if !ok {
		return false
	}
	if s.NumRecords != nil && nulls == *s.NumRecords {
		return true
	}
	return dig(s.Min, column) != nil && dig(s.Max, column) != nil
}

// clusteringColumns lists the columns that the table is clustered by, each as a
// path of physical names.
func (s *Snapshot) clusteringColumns() [][]string {
	if !s.Protocol.Supports("clustering") {
		return nil
	}
	var domain struct {
		Columns [][]string `json:"clusteringColumns"`
	}
	if json.Unmarshal([]byte(s.Domains["delta.clustering"]), &domain) != nil {
		return nil
	}
	return domain.Columns
}

// ClusteringColumns lists the top-level columns whose statistics every new
// file must have, whatever their place in the schema.
func (s *Snapshot) ClusteringColumns() []string {
	var out []string
	for _, c := range s.clusteringColumns() {
		if len(c) > 0 {
			out = append(out, s.logical(c)[0])
		}
	}
	return out
}

// tracksRows reports whether new rows get ids. They do as soon as the feature
// is listed, enabled or not.
func (s *Snapshot) tracksRows() bool {
	return s.Protocol.Supports("rowTracking") && !s.Metadata.on("delta.rowTrackingSuspended")
}

// number gives the new files their row ids, and says what the table has to
// remember of that. s is the state that the commit makes.
func (s *Snapshot) number(adds []Add) ([]Add, []Domain, error) {
	out := slices.Clone(adds)
	for i := range out {
		// Left from an attempt that lost, they would be wrong.
		out[i].BaseRowID, out[i].DefaultRowCommitVersion = nil, nil
		if out[i].PartitionValues == nil {
			out[i].PartitionValues = map[string]*string{}
		}
	}
	if !s.tracksRows() || len(out) == 0 {
		return out, nil, nil
	}
	high, err := s.rowMark()
	if err != nil {
		return nil, nil, err
	}
	for i, a := range out {
		st, err := a.ParseStats()
		if err != nil {
			return nil, nil, err
		}
		if st.NumRecords == nil || *st.NumRecords < 0 {
			return nil, nil, fmt.Errorf("data file %q does not tell its number of rows, which row tracking needs", a.Path)
		}
		base, version := high+1, s.Version
		out[i].BaseRowID, out[i].DefaultRowCommitVersion = &base, &version
		high += *st.NumRecords
	}
	config, err := encode(struct {
		High int64 `json:"rowIdHighWaterMark"`
	}{high})
	if err != nil {
		return nil, nil, err
	}
	return out, []Domain{{Domain: rowTracking, Configuration: string(config)}}, nil
}
