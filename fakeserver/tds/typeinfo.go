package tds

// collation is SQL_Latin1_General_CP1_CI_AS: LCID 1033, ignoring case, kana
// and width, sort id 52.
const collation = "\x09\x04\xd0\x00\x34"

const collationSize = len(collation)

// collationUTF8 is the bit of the fourth byte that says the bytes are UTF-8.
const collationUTF8 = 0x04

// typeInfo appends a type as COLMETADATA and RETURNVALUE carry it.
func typeInfo(b []byte, t Type) []byte {
	b = append(b, byte(t.ID))
	switch t.ID {
	case GUIDType, IntNType, BitNType, FltNType, MoneyNType, DateTimNType:
		b = append(b, byte(t.Size))
	case DecimalNType, NumericNType:
		b = append(b, byte(t.Size), t.Prec, t.Scale)
	case TimeNType, DateTime2NType, DateTimeOffType:
		b = append(b, t.Scale)
	case BigVarBinType, BigBinaryType:
		b = u16(b, uint16(t.Size)) // (max), -1, becomes 0xffff
	case BigVarCharType, BigCharType, NVarCharType, NCharType:
		b = append(u16(b, uint16(t.Size)), collation...)
	case XMLType:
		b = append(b, 0) // no schema
	case ImageType, VariantType:
		b = u32(b, uint32(t.Size))
	case TextType, NTextType:
		b = append(u32(b, uint32(t.Size)), collation...)
	case UDTType:
		b = u16(b, uint16(t.Size))
		b = bVarchar(b, "master") // the system CLR types live there
		b = bVarchar(b, "sys")
		b = bVarchar(b, t.CLR)
		b = usVarchar(b, clrAssembly(t.CLR))
	}
	return b
}

// clrAssembly is the qualified name of the assembly that holds a system CLR type.
func clrAssembly(name string) string {
	class := map[string]string{"hierarchyid": "SqlHierarchyId", "geometry": "SqlGeometry", "geography": "SqlGeography"}[name]
	return "Microsoft.SqlServer.Types." + class +
		", Microsoft.SqlServer.Types, Version=11.0.0.0, Culture=neutral, PublicKeyToken=89845dcd8080cc91"
}
