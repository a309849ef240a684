package delta

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Metadata is the table's metaData action. A later one replaces an earlier one
// entirely, so a change starts from a copy and keeps what it does not know.
type Metadata struct {
	ID               string            // UUID, never changes
	Name             string            // empty where there is none
	Description      string            // the table's comment
	Format           Format            // parquet
	SchemaString     string            // the schema's JSON text
	PartitionColumns []string          // logical names
	Configuration    map[string]string // table properties
	CreatedTime      int64             // ms since 1970, or 0

	rest Object // members that the protocol does not name
}

// Format is how the data files are written.
type Format struct {
	Provider string            `json:"provider"`
	Options  map[string]string `json:"options"`
}

type metadataJSON struct {
	ID               string            `json:"id"`
	Name             string            `json:"name,omitempty"`
	Description      string            `json:"description,omitempty"`
	Format           Format            `json:"format"`
	SchemaString     string            `json:"schemaString"`
	PartitionColumns []string          `json:"partitionColumns"`
	Configuration    map[string]string `json:"configuration"`
	CreatedTime      int64             `json:"createdTime,omitempty"`
}

// MarshalJSON writes the fields in Spark's order, then what else there was.
func (m Metadata) MarshalJSON() ([]byte, error) {
	j := metadataJSON{m.ID, m.Name, m.Description, m.Format, m.SchemaString, m.PartitionColumns, m.Configuration, m.CreatedTime}
	if j.Format.Provider == "" {
		j.Format.Provider = "parquet"
	}
	if j.Format.Options == nil {
		j.Format.Options = map[string]string{}
	}
	if j.PartitionColumns == nil {
		j.PartitionColumns = []string{}
	}
	if j.Configuration == nil {
		j.Configuration = map[string]string{}
	}
	data, err := encode(j)
	if err != nil || m.rest.Len() == 0 {
		return data, err
	}
	var o Object
	if err := o.UnmarshalJSON(data); err != nil {
		return nil, err
	}
	o.members = append(o.members, m.rest.members...)
	return o.MarshalJSON()
}

// UnmarshalJSON reads the action.
func (m *Metadata) UnmarshalJSON(data []byte) error {
	var j metadataJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	var rest Object
	if err := rest.UnmarshalJSON(data); err != nil {
		return err
	}
	for _, known := range []string{
		"id", "name", "description", "format", "schemaString", "partitionColumns", "configuration", "createdTime",
	} {
		rest.take(known)
	}
	*m = Metadata{j.ID, j.Name, j.Description, j.Format, j.SchemaString, j.PartitionColumns, j.Configuration, j.CreatedTime, rest}
	return nil
}

// WithSchema is m with another schema; everything else stays. Where m maps its
// columns, new ones get ids and physical names.
func (m Metadata) WithSchema(s Schema) Metadata {
	if m.Mapping().On() {
		return m.mapNew(s)
	}
	m.SchemaString = s.String()
	return m
}

// WithProperty is m with one table property set; everything else stays.
func (m Metadata) WithProperty(key, value string) Metadata {
	config := maps.Clone(m.Configuration)
	if config == nil {
		config = map[string]string{}
	}
	config[key] = value
	m.Configuration = config
	return m
}

// on reports whether a table property is true.
func (m Metadata) on(key string) bool { return strings.EqualFold(m.Configuration[key], "true") }

// follows checks that m may replace old without losing anything of it.
func (m Metadata) follows(old Metadata) error {
	if m.ID != old.ID {
		return fmt.Errorf("the table id may not change from %q to %q", old.ID, m.ID)
	}
	if !slices.Equal(m.PartitionColumns, old.PartitionColumns) {
		return fmt.Errorf("the partition columns may not change from %q to %q", old.PartitionColumns, m.PartitionColumns)
	}
	for key := range old.Configuration {
		if _, kept := m.Configuration[key]; !kept {
			return fmt.Errorf("the table property %q may not get lost", key)
		}
	}
	for _, key := range m.rest.diff(old.rest) {
		return fmt.Errorf("the metaData member %q may not get lost", key)
	}
	return m.remaps(old)
}

// diff lists keys of old that o lacks.
func (o Object) diff(old Object) []string {
	var out []string
	for _, key := range old.Keys() {
		if _, ok := o.Get(key); !ok {
			out = append(out, key)
		}
	}
	return out
}
