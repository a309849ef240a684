// Package schema holds tables and columns as values: what SQL Server says they
// are, and what the stream makes of them. It knows no SQL text, no Arrow and no casting.
package schema

import (
	"fmt"

	"cdcseed/engine/verdict"
)

// SQLType is a column's type as SQL Server's catalogue tells it; an alias type
// stands as its base type.
type SQLType struct {
	Name      string `json:"name"`                // lower case: int, nvarchar, datetime2 ...
	Precision int    `json:"precision,omitempty"` // digits, of decimal and numeric
	Scale     int    `json:"scale,omitempty"`     // fraction digits, of decimal, numeric, time, datetime2, datetimeoffset
	Length    int    `json:"length,omitempty"`    // bytes, of character and binary types; -1 is max
	CodePage  int    `json:"code_page,omitempty"` // of char, varchar and text; 65001 is UTF-8
	AnsiPad   bool   `json:"ansi_pad,omitempty"`  // sys.columns.is_ansi_padded: values were padded when stored
	Collation string `json:"collation,omitempty"` // of text: how the source compares it; empty where that is not known
}

// String is the type as one writes it in T-SQL.
func (t SQLType) String() string {
	switch t.Name {
	case "decimal", "numeric":
		return fmt.Sprintf("%s(%d,%d)", t.Name, t.Precision, t.Scale)
	case "time", "datetime2", "datetimeoffset":
		return fmt.Sprintf("%s(%d)", t.Name, t.Scale)
	case "char", "varchar", "binary", "varbinary":
		return t.Name + t.lengthText(1)
	case "nchar", "nvarchar":
		return t.Name + t.lengthText(2)
	default:
		return t.Name
	}
}

func (t SQLType) lengthText(unit int) string {
	if t.Length < 0 {
		return "(max)"
	}
	return fmt.Sprintf("(%d)", t.Length/unit)
}

// Target is the stream's type for t (contract 3). A type that the stream has
// no type for is refused as verdict.ColumnUnmapped.
func (t SQLType) Target() (Type, error) {
	switch t.Name {
	case "bit":
		return Type{Kind: Boolean}, nil
	case "tinyint", "smallint":
		return Type{Kind: Short}, nil
	case "int":
		return Type{Kind: Integer}, nil
	case "bigint":
		return Type{Kind: Long}, nil
	case "real":
		return Type{Kind: Float}, nil
	case "float":
		return Type{Kind: Double}, nil
	case "decimal", "numeric":
		return DecimalOf(t.Precision, t.Scale), nil
	case "money":
		return DecimalOf(19, 4), nil
	case "smallmoney":
		return DecimalOf(10, 4), nil
	case "date":
		return Type{Kind: Date}, nil
	case "datetime", "datetime2", "smalldatetime":
		return Type{Kind: TimestampNTZ}, nil
	case "datetimeoffset":
		return Type{Kind: Timestamp}, nil
	case "time", "char", "varchar", "nchar", "nvarchar", "text", "ntext", "xml", "uniqueidentifier":
		return Type{Kind: String}, nil
	case "binary", "varbinary", "image", "timestamp", "rowversion":
		return Type{Kind: Binary}, nil
	default:
		return Type{}, &verdict.Error{
			Code: verdict.ColumnUnmapped,
			What: fmt.Sprintf("the stream has no type for SQL Server type %q", t.Name),
			Why:  "The stream itself fails to load a table with such a column unless its columns are listed without it.",
			Hint: []string{"Capture the table again without that column, or seed a table that the stream can read."},
		}
	}
}
