package delta

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// takeRecord adds the actions of a checkpoint's rows: each row holds one
// action, in the column named for its kind.
func (c *Commit) takeRecord(rec arrow.Record) error {
	for i, f := range rec.Schema().Fields() {
		col, ok := rec.Column(i).(*array.Struct)
		if !ok {
			continue // no action is anything but a struct
		}
		fields := structOf(col)
		for row := range col.Len() {
			if col.IsNull(row) {
				continue
			}
			l, err := fields.action(f.Name, row)
			if err != nil {
				return err
			}
			if err := c.take(l); err != nil {
				return err
			}
		}
	}
	return nil
}

// action reads one row of an action's column. Any field may be missing from
// the file: it then has its zero value.
func (s structure) action(kind string, i int) (line, error) {
	switch kind {
	case "protocol":
		return line{Protocol: &Protocol{
			MinReaderVersion: int(s.int("minReaderVersion", i)), MinWriterVersion: int(s.int("minWriterVersion", i)),
			ReaderFeatures: s.texts("readerFeatures", i), WriterFeatures: s.texts("writerFeatures", i),
		}}, nil
	case "metaData":
		return line{Metadata: s.metadata(i)}, nil
	case "txn":
		return line{Txn: &Txn{AppID: s.text("appId", i), Version: s.int("version", i), LastUpdated: s.intOrNil("lastUpdated", i)}}, nil
	case "domainMetadata":
		return line{Domain: &Domain{Domain: s.text("domain", i), Configuration: s.text("configuration", i), Removed: s.bool("removed", i)}}, nil
	case "sidecar":
		return line{Sidecar: &sidecar{Path: s.text("path", i)}}, nil
	case "add":
		a, err := s.add(i)
		return line{Add: a}, err
	default:
		return line{}, nil
	}
}

func (s structure) metadata(i int) *Metadata {
	format, at := s.sub("format", i)
	return &Metadata{
		ID: s.text("id", i), Name: s.text("name", i), Description: s.text("description", i),
		Format:       Format{Provider: format.text("provider", at), Options: plain(format.textMap("options", at))},
		SchemaString: s.text("schemaString", i), PartitionColumns: s.texts("partitionColumns", i),
		Configuration: plain(s.textMap("configuration", i)), CreatedTime: s.int("createdTime", i),
	}
}

func (s structure) add(i int) (*Add, error) {
	a := &Add{
		Path: s.text("path", i), PartitionValues: s.textMap("partitionValues", i), Size: s.int("size", i),
		ModificationTime: s.int("modificationTime", i), DataChange: s.bool("dataChange", i), Stats: s.text("stats", i),
		Tags: s.textMap("tags", i), BaseRowID: s.intOrNil("baseRowId", i),
		DefaultRowCommitVersion: s.intOrNil("defaultRowCommitVersion", i), ClusteringProvider: s.text("clusteringProvider", i),
	}
	if dv, at := s.sub("deletionVector", i); dv.text("storageType", at) != "" {
		a.DeletionVector = &DeletionVector{
			StorageType: dv.text("storageType", at), PathOrInlineDv: dv.text("pathOrInlineDv", at),
			Offset: dv.intOrNil("offset", at), SizeInBytes: dv.int("sizeInBytes", at),
			Cardinality: dv.int("cardinality", at), MaxRowIndex: dv.intOrNil("maxRowIndex", at),
		}
	}
	// delta.checkpoint.writeStatsAsJson=false leaves only the struct.
	if parsed, ok := s.fields["stats_parsed"].(*array.Struct); ok && a.Stats == "" && parsed.IsValid(i) {
		text, err := statsText(parsed, i)
		if err != nil {
			return nil, err
		}
		a.Stats = text
	}
	return a, nil
}

// plain drops keys without a value, which a configuration never has.
func plain(in map[string]*string) map[string]string {
	out := make(map[string]string, len(in))
	for k, v := range in {
		if v != nil {
			out[k] = *v
		}
	}
	return out
}
