package cast

import "cdcseed/engine/schema"

// pair finds the cast from a copy's column to a target's. There is none where
// it answers false: then no answer helps either.
func pair(from schema.CopyColumn, to schema.TargetColumn) (Code, bool) {
	f := formOf(from)
	if f == unknown {
		return "", false
	}
	switch to.Type.Kind {
	case schema.Boolean:
		return toBit(f)
	case schema.Short, schema.Integer, schema.Long:
		return toInteger(f, from, to)
	case schema.Float, schema.Double:
		return toFloat(f, from, to)
	case schema.Decimal:
		return toDecimal(f, from, to)
	case schema.Date:
		return toDate(f)
	case schema.TimestampNTZ:
		return toWall(f, from, to)
	case schema.Timestamp:
		return toInstant(f, from)
	case schema.String:
		return toText(f, from, to)
	case schema.Binary:
		return toBinary(f, from, to)
	}
	return "", false
}

func toBit(f form) (Code, bool) {
	switch f {
	case boolean:
		return Same, true
	case integer:
		return IntToBool, true
	case text:
		return TextToBool, true
	case bytes, fixed:
		return BytesToBool, true
	}
	return "", false
}

func toInteger(f form, from schema.CopyColumn, to schema.TargetColumn) (Code, bool) {
	switch f {
	case integer:
		return integerWidth(from, to), true
	case decimal:
		if from.Scale <= 0 {
			return NarrowChecked, true
		}
		return DecimalToInt, true
	case half, single, double:
		return DoubleToInt, true
	case text:
		return TextToInt, true
	}
	return "", false
}

func integerWidth(from schema.CopyColumn, to schema.TargetColumn) Code {
	room := map[schema.Kind]int{schema.Short: 16, schema.Integer: 32, schema.Long: 64}[to.Type.Kind]
	need := intBits(from)
	if from.Unsigned {
		need++
	}
	if to.SQL.Name == "tinyint" && (!from.Unsigned || intBits(from) > 8) {
		return NarrowChecked
	}
	switch {
	case need > room:
		return NarrowChecked
	case need == room:
		return Same
	default:
		return Widen
	}
}

func toFloat(f form, from schema.CopyColumn, to schema.TargetColumn) (Code, bool) {
	single32 := to.Type.Kind == schema.Float
	exact := 53
	if single32 {
		exact = 24
	}
	switch f {
	case half:
		return Widen, true
	case single:
		if single32 {
			return Same, true
		}
		return Widen, true
	case double:
		if single32 {
			return DoubleToFloat, true
		}
		return Same, true
	case integer:
		if intBits(from) <= exact {
			return IntToFloat, true
		}
		return IntToFloatNear, true
	case decimal:
		return DecimalToFloat, true
	case text:
		return TextToFloat, true
	}
	return "", false
}

func toDecimal(f form, from schema.CopyColumn, to schema.TargetColumn) (Code, bool) {
	switch f {
	case decimal:
		switch {
		case from.Scale > to.Type.Scale:
			return DecimalRound, true
		case from.Scale == to.Type.Scale && from.Precision == to.Type.Precision:
			return Same, true
		case from.Scale == to.Type.Scale && from.Precision < to.Type.Precision:
			return Widen, true
		case from.Scale == to.Type.Scale:
			return NarrowChecked, true
		default:
			return DecimalRescale, true
		}
	case integer:
		return IntToDecimal, true
	case half, single, double:
		return DoubleToDec, true
	case text:
		return TextToDecimal, true
	}
	return "", false
}
