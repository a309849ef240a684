package tds

// TypeID is the TDS type token of a column or parameter.
type TypeID byte

// The type tokens (MS-TDS 2.2.5.4). Those of fixed length cannot be NULL; those
// ending in N can.
const (
	NullType        TypeID = 0x1f
	Int1Type        TypeID = 0x30
	BitType         TypeID = 0x32
	Int2Type        TypeID = 0x34
	Int4Type        TypeID = 0x38
	DateTim4Type    TypeID = 0x3a
	Flt4Type        TypeID = 0x3b
	MoneyType       TypeID = 0x3c
	DateTimeType    TypeID = 0x3d
	Flt8Type        TypeID = 0x3e
	Money4Type      TypeID = 0x7a
	Int8Type        TypeID = 0x7f
	GUIDType        TypeID = 0x24
	IntNType        TypeID = 0x26
	BitNType        TypeID = 0x68
	DecimalNType    TypeID = 0x6a
	NumericNType    TypeID = 0x6c
	FltNType        TypeID = 0x6d
	MoneyNType      TypeID = 0x6e
	DateTimNType    TypeID = 0x6f
	DateNType       TypeID = 0x28
	TimeNType       TypeID = 0x29
	DateTime2NType  TypeID = 0x2a
	DateTimeOffType TypeID = 0x2b
	BigVarBinType   TypeID = 0xa5
	BigVarCharType  TypeID = 0xa7
	BigBinaryType   TypeID = 0xad
	BigCharType     TypeID = 0xaf
	NVarCharType    TypeID = 0xe7
	NCharType       TypeID = 0xef
	XMLType         TypeID = 0xf1
	UDTType         TypeID = 0xf0
	TVPType         TypeID = 0xf3
	TextType        TypeID = 0x23
	ImageType       TypeID = 0x22
	NTextType       TypeID = 0x63
	VariantType     TypeID = 0x62
)

// framing is how a value's length and NULL are written in a row.
type framing int

const (
	noLength    framing = iota // the type has one length and no NULL
	byteLength                 // one byte, 0 for NULL
	shortLength                // two bytes, 0xffff for NULL
	chunked                    // PLP: a total, then chunks
	textPointer                // the old large types
	longLength                 // four bytes, 0 for NULL
	unknown                    // not a type this package sends or reads
)

// framing of a value of type t.
func (t Type) framing() framing {
	switch t.ID {
	case NullType, Int1Type, BitType, Int2Type, Int4Type, Int8Type, Flt4Type, Flt8Type,
		MoneyType, Money4Type, DateTimeType, DateTim4Type:
		return noLength
	case GUIDType, IntNType, BitNType, DecimalNType, NumericNType, FltNType, MoneyNType,
		DateTimNType, DateNType, TimeNType, DateTime2NType, DateTimeOffType:
		return byteLength
	case BigVarBinType, BigVarCharType, NVarCharType, BigBinaryType, BigCharType, NCharType:
		if t.Size == maxSize {
			return chunked
		}
		return shortLength
	case XMLType, UDTType:
		return chunked
	case TextType, NTextType, ImageType:
		return textPointer
	case VariantType:
		return longLength
	}
	return unknown
}
