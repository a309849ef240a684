package delta

import (
	"fmt"
	"slices"
	"strings"
)

// Protocol says what a reader and a writer of the table must be able to do.
// Feature lists count from reader version 3 and writer version 7 on; below,
// the numbers imply features. A list that is nil is not written.
type Protocol struct {
	MinReaderVersion int      `json:"minReaderVersion"`
	MinWriterVersion int      `json:"minWriterVersion"`
	ReaderFeatures   []string `json:"readerFeatures,omitzero"`
	WriterFeatures   []string `json:"writerFeatures,omitzero"`
}

// NTZ is the feature without which a table may hold no timestamp_ntz.
const NTZ = "timestampNtz"

// ntzAlias is a name that some writers once gave to NTZ. It is read, never written.
const ntzAlias = "timestampWithoutTimezone"

// implied lists what a legacy writer version brings, and from which one on.
var implied = []struct {
	writer  int
	feature string
}{
	{2, "invariants"},
	{2, "appendOnly"},
	{3, "checkConstraints"},
	{4, "changeDataFeed"},
	{4, "generatedColumns"},
	{5, "columnMapping"},
	{6, "identityColumns"},
}

// Writer lists the features that a writer must honour, implied ones included.
func (p Protocol) Writer() []string {
	if p.MinWriterVersion >= 7 {
		return p.WriterFeatures
	}
	var out []string
	for _, f := range implied {
		if p.MinWriterVersion >= f.writer {
			out = append(out, f.feature)
		}
	}
	return out
}

// Reader lists the features that a reader must honour, implied ones included.
func (p Protocol) Reader() []string {
	switch {
	case p.MinReaderVersion >= 3:
		return p.ReaderFeatures
	case p.MinReaderVersion == 2:
		return []string{"columnMapping"}
	default:
		return nil
	}
}

// Supports reports whether writers of the table must honour the feature.
func (p Protocol) Supports(feature string) bool {
	return slices.Contains(p.Writer(), feature) || feature == NTZ && slices.Contains(p.Writer(), ntzAlias)
}

// String is the protocol as the documentation writes it: 3/7 [timestampNtz].
func (p Protocol) String() string {
	s := fmt.Sprintf("%d/%d", p.MinReaderVersion, p.MinWriterVersion)
	if p.MinWriterVersion >= 7 {
		s += " [" + strings.Join(p.WriterFeatures, ",") + "]"
	}
	return s
}

// known reports whether the pair of numbers means anything. Reader 3 has
// lists, and lists need writer 7; a (5,7) has been seen, and is refused.
func (p Protocol) known() bool {
	return p.MinReaderVersion >= 1 && p.MinReaderVersion <= 3 && p.MinWriterVersion >= 1 && p.MinWriterVersion <= 7 &&
		(p.MinReaderVersion < 3 || p.MinWriterVersion == 7)
}

// loses is a feature of p that next no longer has.
func (p Protocol) loses(next Protocol) (string, bool) {
	for _, f := range p.Writer() {
		if !slices.Contains(next.Writer(), f) {
			return f, true
		}
	}
	for _, f := range p.Reader() {
		if !slices.Contains(next.Reader(), f) {
			return f, true
		}
	}
	return "", false
}

// NTZProtocol is the protocol of a new table with timestamp_ntz columns, as Spark writes it.
func NTZProtocol() Protocol { return UpgradeNTZ(Protocol{MinReaderVersion: 1, MinWriterVersion: 2}) }

// MappedProtocol is the protocol of a new table with timestamp_ntz columns that
// maps its columns, as Spark writes it.
func MappedProtocol() Protocol {
	return Protocol{
		MinReaderVersion: 3, MinWriterVersion: 7,
		ReaderFeatures: []string{NTZ, MappingFeature},
		WriterFeatures: []string{NTZ, MappingFeature, "invariants", "appendOnly"},
	}
}

// UpgradeNTZ adds the timestampNtz feature and keeps every other one: what the
// old numbers implied is listed by name. Readers that know no feature lists
// can then no longer read the table. A protocol that has it is returned as it is.
func UpgradeNTZ(p Protocol) Protocol {
	if p.Supports(NTZ) {
		return p
	}
	readers, writers := slices.Clone(p.Reader()), slices.Clone(p.Writer())
	return Protocol{
		MinReaderVersion: 3, MinWriterVersion: 7,
		ReaderFeatures: append([]string{NTZ}, readers...),
		WriterFeatures: append([]string{NTZ}, writers...),
	}
}
