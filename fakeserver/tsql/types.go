package tsql

import (
	"fmt"

	"cdcseed/fakeserver/tds"
)

// TypeName is the bare SQL name of a type, such as "decimal".
func TypeName(t tds.Type) string {
	switch t.ID {
	case tds.IntNType:
		return sized(t.Size, "tinyint", "smallint", "int", "bigint")
	case tds.BitNType:
		return "bit"
	case tds.FltNType:
		return sized(t.Size, "", "", "real", "float")
	case tds.MoneyNType:
		return sized(t.Size, "", "", "smallmoney", "money")
	case tds.DateTimNType:
		return sized(t.Size, "", "", "smalldatetime", "datetime")
	case tds.DecimalNType:
		return "decimal"
	case tds.NumericNType:
		return "numeric"
	case tds.DateNType:
		return "date"
	case tds.TimeNType:
		return "time"
	case tds.DateTime2NType:
		return "datetime2"
	case tds.DateTimeOffType:
		return "datetimeoffset"
	case tds.GUIDType:
		return "uniqueidentifier"
	case tds.XMLType:
		return "xml"
	case tds.VariantType:
		return "sql_variant"
	}
	return stringTypeName(t)
}

func stringTypeName(t tds.Type) string {
	switch t.ID {
	case tds.BigVarCharType:
		return "varchar"
	case tds.BigCharType:
		return "char"
	case tds.NVarCharType:
		return "nvarchar"
	case tds.NCharType:
		return "nchar"
	case tds.BigVarBinType:
		return "varbinary"
	case tds.BigBinaryType:
		return "binary"
	case tds.TextType:
		return "text"
	case tds.NTextType:
		return "ntext"
	case tds.ImageType:
		return "image"
	}
	return fmt.Sprintf("type 0x%02x", byte(t.ID))
}

func sized(n int, one, two, four, eight string) string {
	switch n {
	case 1:
		return one
	case 2:
		return two
	case 4:
		return four
	}
	return eight
}

func isInt(t tds.Type) bool { return t.ID == tds.IntNType }

func isDecimal(t tds.Type) bool { return t.ID == tds.NumericNType || t.ID == tds.DecimalNType }

func isBinary(t tds.Type) bool { return t.ID == tds.BigVarBinType || t.ID == tds.BigBinaryType }

// isWide tells UTF-16 text from text in the code page.
func isWide(t tds.Type) bool { return t.ID == tds.NVarCharType || t.ID == tds.NCharType }

func isString(t tds.Type) bool {
	return isWide(t) || t.ID == tds.BigVarCharType || t.ID == tds.BigCharType
}

func isLegacyLOB(t tds.Type) bool {
	return t.ID == tds.TextType || t.ID == tds.NTextType || t.ID == tds.ImageType
}

func isNumber(t tds.Type) bool {
	switch t.ID {
	case tds.IntNType, tds.BitNType, tds.FltNType, tds.MoneyNType, tds.NumericNType, tds.DecimalNType:
		return true
	}
	return false
}

func isTime(t tds.Type) bool {
	switch t.ID {
	case tds.DateTimNType, tds.DateNType, tds.TimeNType, tds.DateTime2NType, tds.DateTimeOffType:
		return true
	}
	return false
}

// length is how many characters (or bytes of binary) t holds, -1 for max.
func length(t tds.Type) int {
	if isWide(t) && t.Size > 0 {
		return t.Size / 2
	}
	return t.Size
}

// withLength is the string or binary type t made n long, max above its limit.
func withLength(t tds.Type, n int) tds.Type {
	limit := 8000
	if isWide(t) {
		limit = 4000
	}
	if n > limit {
		n = -1
	}
	switch t.ID {
	case tds.NVarCharType, tds.NCharType:
		return tds.NVarChar(n)
	case tds.BigVarCharType, tds.BigCharType:
		return tds.VarChar(n)
	}
	return tds.VarBinary(n)
}
