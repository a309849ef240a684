package cast

import "cdcseed/engine/schema"

// form is what a copy's column holds, told from its annotation and, without
// one, from its physical type.
type form uint8

const (
	unknown form = iota // nested, or an annotation that no cast knows
	boolean
	integer
	decimal
	half
	single
	double
	text
	bytes
	fixed
	uuid
	date
	daytime
	stamp
	int96
	empty // of the type that has NULL alone
)

func formOf(c schema.CopyColumn) form {
	switch c.Logical {
	case "":
		return physicalForm(c.Physical)
	case "STRING", "ENUM", "JSON":
		return text
	case "BSON":
		return bytes
	case "UUID":
		return uuid
	case "DATE":
		return date
	case "DECIMAL":
		return decimal
	case "TIME":
		return daytime
	case "TIMESTAMP":
		return stamp
	case "INT":
		return integer
	case "FLOAT16":
		return half
	case "NULL":
		return empty
	}
	return unknown
}

func physicalForm(physical string) form {
	switch physical {
	case "BOOLEAN":
		return boolean
	case "INT32", "INT64":
		return integer
	case "INT96":
		return int96
	case "FLOAT":
		return single
	case "DOUBLE":
		return double
	case "BYTE_ARRAY":
		return bytes
	case "FIXED_LEN_BYTE_ARRAY":
		return fixed
	case "PARTITION":
		return text
	}
	return unknown
}

// intBits is the width of an integer column.
func intBits(c schema.CopyColumn) int {
	switch {
	case c.Bits > 0:
		return c.Bits
	case c.Physical == "INT64":
		return 64
	default:
		return 32
	}
}
