package fakeserver

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"cdcseed/fakeserver/tds"
)

// dataType is a column's declared type.
type dataType struct {
	name      string // as sys.types spells it
	wire      tds.Type
	length    int // characters of (n)char types, bytes of binary ones, -1 for max
	precision int
	scale     int
}

// systemType is a row of sys.types.
type systemType struct {
	name           string
	systemID       int64
	userID         int64
	maxLength      int64
	precision      int64
	scale          int64
	hasCollation   bool
	nullableByName bool
}

var systemTypes = []systemType{
	{"image", 34, 34, 16, 0, 0, false, true},
	{"text", 35, 35, 16, 0, 0, true, true},
	{"uniqueidentifier", 36, 36, 16, 0, 0, false, true},
	{"date", 40, 40, 3, 10, 0, false, true},
	{"time", 41, 41, 5, 16, 7, false, true},
	{"datetime2", 42, 42, 8, 27, 7, false, true},
	{"datetimeoffset", 43, 43, 10, 34, 7, false, true},
	{"tinyint", 48, 48, 1, 3, 0, false, true},
	{"smallint", 52, 52, 2, 5, 0, false, true},
	{"int", 56, 56, 4, 10, 0, false, true},
	{"smalldatetime", 58, 58, 4, 16, 0, false, true},
	{"real", 59, 59, 4, 24, 0, false, true},
	{"money", 60, 60, 8, 19, 4, false, true},
	{"datetime", 61, 61, 8, 23, 3, false, true},
	{"float", 62, 62, 8, 53, 0, false, true},
	{"sql_variant", 98, 98, 8016, 0, 0, false, true},
	{"ntext", 99, 99, 16, 0, 0, true, true},
	{"bit", 104, 104, 1, 1, 0, false, true},
	{"decimal", 106, 106, 17, 38, 38, false, true},
	{"numeric", 108, 108, 17, 38, 38, false, true},
	{"smallmoney", 122, 122, 4, 10, 4, false, true},
	{"bigint", 127, 127, 8, 19, 0, false, true},
	{"hierarchyid", 240, 128, 892, 0, 0, false, true},
	{"geometry", 240, 129, -1, 0, 0, false, true},
	{"geography", 240, 130, -1, 0, 0, false, true},
	{"varbinary", 165, 165, 8000, 0, 0, false, true},
	{"varchar", 167, 167, 8000, 0, 0, true, true},
	{"binary", 173, 173, 8000, 0, 0, false, true},
	{"char", 175, 175, 8000, 0, 0, true, true},
	{"timestamp", 189, 189, 8, 0, 0, false, false},
	{"nvarchar", 231, 231, 8000, 0, 0, true, true},
	{"nchar", 239, 239, 8000, 0, 0, true, true},
	{"xml", 241, 241, -1, 0, 0, false, true},
	{"sysname", 231, 256, 256, 0, 0, true, false},
}

func systemTypeByName(name string) (systemType, bool) {
	for _, t := range systemTypes {
		if t.name == name {
			return t, true
		}
	}
	return systemType{}, false
}

var typeText = regexp.MustCompile(`(?i)^\s*([a-z_0-9]+)\s*(?:\(\s*(max|\d{1,4})\s*(?:,\s*(\d{1,2})\s*)?\)\s*)?$`)

// parseDataType reads SQL type text, with SQL Server's own defaults and limits.
func parseDataType(text string) (dataType, error) {
	unknown := fmt.Errorf("%q is not a type the fake server knows", text)
	m := typeText.FindStringSubmatch(text)
	if m == nil {
		return dataType{}, unknown
	}
	name := strings.ToLower(m[1])
	switch name {
	case "rowversion":
		name = "timestamp"
	case "integer":
		name = "int"
	}
	st, ok := systemTypeByName(name)
	if !ok {
		return dataType{}, unknown
	}
	t := dataType{name: name, precision: int(st.precision), scale: int(st.scale)}
	var err error
	switch name {
	case "decimal", "numeric":
		err = t.setDecimal(m[2], m[3])
	case "time", "datetime2", "datetimeoffset":
		err = t.setScale(m[2], m[3])
	case "char", "varchar", "nchar", "nvarchar", "binary", "varbinary":
		err = t.setLength(m[2], m[3])
	case "float":
		err = t.setFloat(m[2], m[3])
	default:
		if m[2] != "" {
			err = fmt.Errorf("type %s takes no length", name)
		}
		t.setFixed()
	}
	if err != nil {
		return dataType{}, fmt.Errorf("%q: %w", text, err)
	}
	return t, nil
}

func (t *dataType) setDecimal(p, s string) error {
	t.precision, t.scale = 18, 0
	if p != "" {
		t.precision = number(p)
	}
	if s != "" {
		t.scale = number(s)
	}
	if t.precision < 1 || t.precision > 38 || t.scale > t.precision {
		return fmt.Errorf("precision must be 1 to 38 and scale at most the precision")
	}
	t.wire = tds.Decimal(byte(t.precision), byte(t.scale))
	return nil
}

func (t *dataType) setScale(s, extra string) error {
	t.scale = 7
	if s != "" {
		t.scale = number(s)
	}
	if t.scale < 0 || t.scale > 7 || extra != "" {
		return fmt.Errorf("scale must be 0 to 7")
	}
	sc := byte(t.scale)
	digits := t.scale
	if digits > 0 {
		digits++ // the decimal point counts
	}
	switch t.name {
	case "time":
		t.wire, t.precision = tds.TimeN(sc), 8+digits
	case "datetime2":
		t.wire, t.precision = tds.DateTime2(sc), 19+digits
	default:
		t.wire, t.precision = tds.DateTimeOffset(sc), 26+digits
	}
	return nil
}

func (t *dataType) setLength(n, extra string) error {
	t.length = 1
	if n != "" {
		t.length = number(n)
	}
	limit := 8000
	if t.name == "nchar" || t.name == "nvarchar" {
		limit = 4000
	}
	variable := strings.Contains(t.name, "var")
	if t.length == 0 || t.length > limit || t.length < 0 && !variable || extra != "" {
		return fmt.Errorf("length must be 1 to %d", limit)
	}
	switch t.name {
	case "char":
		t.wire = tds.Char(t.length)
	case "varchar":
		t.wire = tds.VarChar(t.length)
	case "nchar":
		t.wire = tds.NChar(t.length)
	case "nvarchar":
		t.wire = tds.NVarChar(t.length)
	case "binary":
		t.wire = tds.Binary(t.length)
	default:
		t.wire = tds.VarBinary(t.length)
	}
	return nil
}

func (t *dataType) setFloat(n, extra string) error {
	bits := 53
	if n != "" {
		bits = number(n)
	}
	if bits < 1 || bits > 53 || extra != "" {
		return fmt.Errorf("float takes 1 to 53 bits")
	}
	t.wire, t.precision = tds.Float, 53
	if bits <= 24 {
		t.name, t.wire, t.precision = "real", tds.Real, 24
	}
	return nil
}

// setFixed gives the wire type of a type without parameters. CLR types cross
// as varbinary(max): no driver in use here decodes them.
func (t *dataType) setFixed() {
	t.wire = map[string]tds.Type{
		"image": tds.Image, "text": tds.Text, "ntext": tds.NText, "uniqueidentifier": tds.UniqueID, "date": tds.Date,
		"tinyint": tds.TinyInt, "smallint": tds.SmallInt, "int": tds.Int, "bigint": tds.BigInt, "bit": tds.Bit,
		"smalldatetime": tds.SmallDateTime, "datetime": tds.DateTime, "real": tds.Real, "money": tds.Money,
		"smallmoney": tds.SmallMoney, "sql_variant": tds.SQLVariant, "xml": tds.XML, "timestamp": tds.Binary(8),
		"hierarchyid": tds.VarBinary(892), "geometry": tds.VarBinary(-1), "geography": tds.VarBinary(-1),
		"sysname": tds.NVarChar(128),
	}[t.name]
	if t.name == "sysname" {
		t.length = 128
	}
}

// number is the value of digits that the expression has matched; max is -1.
func number(s string) int {
	if strings.EqualFold(s, "max") {
		return -1
	}
	n, _ := strconv.Atoi(s) // at most four digits: it cannot be out of range
	return n
}

// maxLength is sys.columns.max_length: bytes, -1 for max.
func (t dataType) maxLength() int64 {
	switch t.name {
	case "decimal", "numeric", "time", "datetime2", "datetimeoffset", "char", "varchar", "nchar", "nvarchar", "binary", "varbinary":
		return int64(t.wire.Size)
	case "float":
		return 8
	}
	st, _ := systemTypeByName(t.name)
	return st.maxLength
}

// baseName is the system type below an alias such as sysname.
func (t dataType) baseName() string {
	if t.name == "sysname" {
		return "nvarchar"
	}
	return t.name
}

func (t dataType) isText() bool {
	st, _ := systemTypeByName(t.name)
	return st.hasCollation
}

func (t dataType) isRowVersion() bool { return t.name == "timestamp" }
