package tds

import "math"

// Type describes a SQL type. Its values in Go are, by ID:
//
//	integers               int64
//	bit                    bool
//	real, float            float64
//	decimal, numeric       *big.Int, the digits without the point
//	money, smallmoney      MoneyVal
//	uniqueidentifier       GUID
//	date and time types    time.Time, whose wall clock counts; for
//	                       datetimeoffset the instant and the offset
//	character types, xml   string (or []byte in the column's encoding)
//	binary types, CLR      []byte
//	sql_variant            Variant, or a bare value (see Variant)
//
// and nil for NULL. Parameters arrive in the same form.
type Type struct {
	ID          TypeID
	Size        int // in bytes; -1 means (max)
	Prec, Scale byte
	// CLR is the name of a CLR type such as "hierarchyid"; ID is then UDTType.
	CLR string
}

// maxSize is the Size of varchar(max) and its like.
const maxSize = -1

// The SQL types a server declares.
var (
	TinyInt       = Type{ID: IntNType, Size: 1}
	SmallInt      = Type{ID: IntNType, Size: 2}
	Int           = Type{ID: IntNType, Size: 4}
	BigInt        = Type{ID: IntNType, Size: 8}
	Bit           = Type{ID: BitNType, Size: 1}
	Real          = Type{ID: FltNType, Size: 4}
	Float         = Type{ID: FltNType, Size: 8}
	SmallMoney    = Type{ID: MoneyNType, Size: 4}
	Money         = Type{ID: MoneyNType, Size: 8}
	SmallDateTime = Type{ID: DateTimNType, Size: 4}
	DateTime      = Type{ID: DateTimNType, Size: 8}
	Date          = Type{ID: DateNType, Size: 3}
	UniqueID      = Type{ID: GUIDType, Size: 16}
	XML           = Type{ID: XMLType, Size: maxSize}
	SQLVariant    = Type{ID: VariantType, Size: 8009}
	Text          = Type{ID: TextType, Size: math.MaxInt32}
	NText         = Type{ID: NTextType, Size: math.MaxInt32 - 1}
	Image         = Type{ID: ImageType, Size: math.MaxInt32}
	HierarchyID   = Type{ID: UDTType, Size: 892, CLR: "hierarchyid"}
	Geometry      = Type{ID: UDTType, Size: maxSize, CLR: "geometry"}
	Geography     = Type{ID: UDTType, Size: maxSize, CLR: "geography"}
)

// Decimal is decimal(p,s), p from 1 to 38 and s from 0 to p.
func Decimal(p, s byte) Type { return Type{ID: NumericNType, Prec: p, Scale: s, Size: decSize(p)} }

// TimeN is time(scale), scale from 0 to 7 digits of a second.
func TimeN(scale byte) Type { return Type{ID: TimeNType, Scale: scale, Size: timeSize(scale)} }

// DateTime2 is datetime2(scale).
func DateTime2(scale byte) Type {
	return Type{ID: DateTime2NType, Scale: scale, Size: timeSize(scale) + 3}
}

// DateTimeOffset is datetimeoffset(scale).
func DateTimeOffset(scale byte) Type {
	return Type{ID: DateTimeOffType, Scale: scale, Size: timeSize(scale) + 5}
}

// VarChar is varchar(n), n in bytes, -1 for max.
func VarChar(n int) Type { return Type{ID: BigVarCharType, Size: n} }

// Char is char(n), n in bytes.
func Char(n int) Type { return Type{ID: BigCharType, Size: n} }

// VarBinary is varbinary(n), -1 for max.
func VarBinary(n int) Type { return Type{ID: BigVarBinType, Size: n} }

// Binary is binary(n).
func Binary(n int) Type { return Type{ID: BigBinaryType, Size: n} }

// NVarChar is nvarchar(n), n in UTF-16 units, -1 for max.
func NVarChar(n int) Type {
	if n < 0 {
		return Type{ID: NVarCharType, Size: maxSize}
	}
	return Type{ID: NVarCharType, Size: 2 * n}
}

// NChar is nchar(n), n in UTF-16 units.
func NChar(n int) Type { return Type{ID: NCharType, Size: 2 * n} }

// decSize is the length of a decimal on the wire: a sign and the digits.
func decSize(p byte) int {
	switch {
	case p <= 9:
		return 5
	case p <= 19:
		return 9
	case p <= 28:
		return 13
	}
	return 17
}

// timeSize is the length of a time of day with scale digits of a second.
func timeSize(scale byte) int {
	switch {
	case scale <= 2:
		return 3
	case scale <= 4:
		return 4
	}
	return 5
}
