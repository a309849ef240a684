package cast

import "cdcseed/engine/schema"

// The conditions of the matrix. Each is true of a copy's column and a target's.

// signedBits is how many bits of a signed number hold the column's values.
func signedBits(from schema.CopyColumn) int {
	if from.Unsigned {
		return intBits(from) + 1
	}
	return intBits(from)
}

func bitsOf(to schema.TargetColumn) int {
	return map[schema.Kind]int{schema.Short: 16, schema.Integer: 32, schema.Long: 64}[to.Type.Kind]
}

// byteOnly reports that SQL Server's tinyint, 0 to 255, has less room than the
// column's type.
func byteOnly(from schema.CopyColumn, to schema.TargetColumn) bool {
	return to.SQL.Name == "tinyint" && (!from.Unsigned || intBits(from) > 8)
}

func sameWidth(from schema.CopyColumn, to schema.TargetColumn) bool {
	return signedBits(from) == bitsOf(to) && !byteOnly(from, to)
}

func narrower(from schema.CopyColumn, to schema.TargetColumn) bool {
	return signedBits(from) < bitsOf(to) && !byteOnly(from, to)
}

// heldExactly reports that the mantissa has room for every whole number.
func heldExactly(from schema.CopyColumn, to schema.TargetColumn) bool {
	if to.Type.Kind == schema.Float {
		return intBits(from) <= 24
	}
	return intBits(from) <= 53
}

func noFraction(from schema.CopyColumn, _ schema.TargetColumn) bool { return from.Scale <= 0 }

func moreFraction(from schema.CopyColumn, to schema.TargetColumn) bool {
	return from.Scale > to.Type.Scale
}

func lessFraction(from schema.CopyColumn, to schema.TargetColumn) bool {
	return from.Scale < to.Type.Scale
}

func morePrecise(from schema.CopyColumn, to schema.TargetColumn) bool {
	return from.Precision > to.Type.Precision
}

func samePrecision(from schema.CopyColumn, to schema.TargetColumn) bool {
	return from.Precision == to.Type.Precision
}

func isInstant(from schema.CopyColumn, _ schema.TargetColumn) bool { return from.UTC }

func isWall(from schema.CopyColumn, _ schema.TargetColumn) bool { return !from.UTC }

func inMillis(from schema.CopyColumn, _ schema.TargetColumn) bool { return from.Unit == "MILLIS" }

func inNanos(from schema.CopyColumn, _ schema.TargetColumn) bool { return from.Unit == "NANOS" }

func oneByte(from schema.CopyColumn, _ schema.TargetColumn) bool { return from.Length == 1 }

func sixteenBytes(from schema.CopyColumn, _ schema.TargetColumn) bool { return from.Length == 16 }

func eightBytes(from schema.CopyColumn, _ schema.TargetColumn) bool { return from.Length == 8 }

func wideInteger(from schema.CopyColumn, _ schema.TargetColumn) bool { return intBits(from) == 64 }

// unpadded reports whether SQL Server itself may have stored short values
// short: a nullable column that was made while ANSI_PADDING was off.
// Unicode columns are always padded.
func unpadded(_ schema.CopyColumn, to schema.TargetColumn) bool {
	return !to.SQL.AnsiPad && to.Nullable && to.SQL.Name != "nchar"
}
