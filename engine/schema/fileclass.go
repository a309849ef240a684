package schema

import "fmt"

// CopyColumn is a top-level column of a copy's file as its Parquet footer
// tells it, or a partition column of a Delta table or a Hive folder.
type CopyColumn struct {
	Name      string `json:"name"`              // logical, as the copy spells it
	Physical  string `json:"physical"`          // BOOLEAN INT32 INT64 INT96 FLOAT DOUBLE BYTE_ARRAY FIXED_LEN_BYTE_ARRAY; GROUP where nested; PARTITION; Absent
	Length    int    `json:"length,omitempty"`  // bytes, of FIXED_LEN_BYTE_ARRAY
	Logical   string `json:"logical,omitempty"` // STRING ENUM JSON BSON UUID DATE DECIMAL TIME TIMESTAMP INT FLOAT16 INTERVAL NULL, or empty
	Precision int    `json:"precision,omitempty"`
	Scale     int    `json:"scale,omitempty"`
	Unit      string `json:"unit,omitempty"`     // MILLIS MICROS NANOS, of TIME and TIMESTAMP
	UTC       bool   `json:"utc,omitempty"`      // isAdjustedToUTC: the value is an instant
	Bits      int    `json:"bits,omitempty"`     // 8 16 32 64, of INT
	Unsigned  bool   `json:"unsigned,omitempty"` // of INT
}

// Absent is the Physical of a Delta table's column that a file lacks, being
// older than the column: its value there is NULL by the table's own definition.
const Absent = "ABSENT"

// FileClass is what a group of a copy's files have in common: one physical
// schema and one kind of writer. Casting rules are made for a class, never for a file.
type FileClass struct {
	ID      string       `json:"id"`     // "c1", "c2" ... in order of first appearance
	Writer  string       `json:"writer"` // the footers' created_by, shortened to what decides reading
	Columns []CopyColumn `json:"columns"`
	// Legacy says that dates and timestamps may be in the hybrid Julian
	// calendar of Spark before 3.0 and must be rebased or refused (cases 42).
	Legacy bool  `json:"legacy,omitempty"`
	Files  int   `json:"files"`
	Rows   int64 `json:"rows"`

	First []string `json:"-"` // keys of its first files, MostNamed at most: what a refusal calls them by
}

// MostNamed is how many files of a class are named.
const MostNamed = 5

// String is the column's type as people read it: int64, timestamp(us, UTC), decimal(18,2).
func (c CopyColumn) String() string {
	switch c.Logical {
	case "DECIMAL":
		return fmt.Sprintf("decimal(%d,%d)", c.Precision, c.Scale)
	case "TIMESTAMP":
		if c.UTC {
			return "timestamp UTC, " + unitWord[c.Unit]
		}
		return "timestamp without zone, " + unitWord[c.Unit]
	case "TIME":
		return "time, " + unitWord[c.Unit]
	case "INT":
		if c.Unsigned {
			return fmt.Sprintf("uint%d", c.Bits)
		}
		return fmt.Sprintf("int%d", c.Bits)
	case "STRING", "ENUM", "JSON":
		return "string"
	case "DATE":
		return "date"
	case "UUID":
		return "uuid"
	case "FLOAT16":
		return "float16"
	case "BSON":
		return "bson"
	case "INTERVAL":
		return "interval"
	case "NULL":
		return "null"
	}
	switch c.Physical {
	case "BOOLEAN":
		return "boolean"
	case "INT32":
		return "int32"
	case "INT64":
		return "int64"
	case "INT96":
		return "timestamp INT96"
	case "FLOAT":
		return "float"
	case "DOUBLE":
		return "double"
	case "FIXED_LEN_BYTE_ARRAY":
		return fmt.Sprintf("fixed binary(%d)", c.Length)
	case "BYTE_ARRAY":
		return "binary"
	case Absent:
		return "absent in files older than the column"
	case "PARTITION":
		return "partition text"
	default:
		return "nested"
	}
}

var unitWord = map[string]string{"MILLIS": "ms", "MICROS": "us", "NANOS": "ns"}
