package tsql

import "cdcseed/fakeserver/tds"

// rank is data type precedence: of two operands the one of lower rank is
// converted to the type of the other.
func rank(t tds.Type) int {
	switch t.ID {
	case tds.VariantType:
		return 30
	case tds.XMLType:
		return 29
	case tds.DateTimeOffType:
		return 28
	case tds.DateTime2NType:
		return 27
	case tds.DateTimNType:
		return 25 + t.Size/8
	case tds.DateNType:
		return 24
	case tds.TimeNType:
		return 23
	case tds.FltNType:
		return 21 + t.Size/8
	case tds.NumericNType, tds.DecimalNType:
		return 20
	case tds.MoneyNType:
		return 18 + t.Size/8
	case tds.IntNType:
		return 12 + t.Size/2
	case tds.BitNType:
		return 11
	case tds.NTextType, tds.TextType, tds.ImageType:
		return 10
	case tds.GUIDType:
		return 8
	case tds.NVarCharType:
		return 7
	case tds.NCharType:
		return 6
	case tds.BigVarCharType:
		return 5
	case tds.BigCharType:
		return 4
	case tds.BigVarBinType:
		return 3
	case tds.BigBinaryType:
		return 2
	}
	return 0
}

// common is the type that holds the values of both: what CASE, COALESCE and
// UNION give.
func common(a, b tds.Type) tds.Type {
	if rank(a) < rank(b) {
		a, b = b, a
	}
	switch {
	case isString(a) && isString(b), isBinary(a) && isBinary(b):
		return commonLength(a, b)
	case isDecimal(a) && isNumber(b) && b.ID != tds.FltNType:
		b = asDecimal(b)
		s := max(a.Scale, b.Scale)
		whole := max(a.Prec-a.Scale, b.Prec-b.Scale)
		if whole+s > 38 {
			s = 38 - min(38, whole)
		}
		return tds.Decimal(min(38, whole+s), s)
	case isTime(a) && isTime(b):
		return commonFraction(a, b)
	}
	return a
}

func commonLength(a, b tds.Type) tds.Type {
	if a.Size == maxLength || b.Size == maxLength {
		return withLength(a, maxLength)
	}
	n := max(length(a), length(b))
	if a.ID == b.ID && length(a) == length(b) {
		return a
	}
	return withLength(a, n)
}

// commonFraction widens a to the fraction digits of b, so that a comparison
// with the exact value of a datetime (a third of a millisecond) stays exact.
func commonFraction(a, b tds.Type) tds.Type {
	digits := func(t tds.Type) byte {
		switch {
		case t.ID == tds.DateTimNType && t.Size == 8:
			return 7
		case t.ID == tds.DateTimNType, t.ID == tds.DateNType:
			return 0
		}
		return t.Scale
	}
	s := max(digits(a), digits(b))
	switch a.ID {
	case tds.DateTimeOffType:
		return tds.DateTimeOffset(s)
	case tds.DateTime2NType:
		return tds.DateTime2(s)
	case tds.TimeNType:
		return tds.TimeN(s)
	}
	return a
}

// asDecimal is the decimal type that holds every value of a number type.
func asDecimal(t tds.Type) tds.Type {
	switch t.ID {
	case tds.IntNType:
		if t.Prec > 0 { // of a constant
			return tds.Decimal(t.Prec, 0)
		}
		switch t.Size {
		case 1:
			return tds.Decimal(3, 0)
		case 2:
			return tds.Decimal(5, 0)
		case 4:
			return tds.Decimal(10, 0)
		}
		return tds.Decimal(19, 0)
	case tds.BitNType:
		return tds.Decimal(1, 0)
	case tds.MoneyNType:
		if t.Size == 4 {
			return tds.Decimal(10, 4)
		}
		return tds.Decimal(19, 4)
	}
	return t
}

// castable says whether CAST from one type to another is defined at all.
func castable(from, to tds.Type) bool {
	switch {
	case from.ID == tds.NullType, isString(from), from.ID == tds.VariantType:
		return from.ID != tds.VariantType || to.ID != tds.XMLType && !isLegacyLOB(to)
	case to.ID == tds.VariantType:
		return from.ID != tds.XMLType && !isLegacyLOB(from) && from.Size != maxLength
	case from.ID == tds.XMLType:
		return isString(to) || isBinary(to) || to.ID == tds.XMLType
	case isLegacyLOB(from):
		return isString(to) || isBinary(to) && from.ID == tds.ImageType || from.ID == to.ID
	case isLegacyLOB(to):
		return isBinary(from) && to.ID == tds.ImageType
	case to.ID == tds.XMLType:
		return isBinary(from)
	case isString(to), isBinary(to):
		return true
	case isBinary(from):
		return to.ID != tds.FltNType
	case to.ID == tds.GUIDType || from.ID == tds.GUIDType:
		return to.ID == from.ID
	case from.ID == tds.DateNType && to.ID == tds.TimeNType, from.ID == tds.TimeNType && to.ID == tds.DateNType:
		return false
	case isTime(from) && isTime(to):
		return true
	case isTime(from):
		return from.ID == tds.DateTimNType
	case isTime(to):
		return to.ID == tds.DateTimNType
	}
	return true
}

// implicit says whether a value changes type without being asked to.
func implicit(from, to tds.Type) bool {
	switch {
	case !castable(from, to):
		return false
	case isString(from) && isBinary(to):
		return false
	case from.ID == tds.VariantType:
		return to.ID == tds.VariantType
	case from.ID == tds.XMLType:
		return to.ID == tds.XMLType
	case isTime(from) && isNumber(to):
		return false
	}
	return true
}

// clash is the error for an implicit conversion that does not exist.
func clash(from, to tds.Type) error {
	if castable(from, to) {
		return Errorf(257, 16, "Implicit conversion from data type %s to %s is not allowed. "+
			"Use the CONVERT function to run this query.", TypeName(from), TypeName(to))
	}
	return Errorf(206, 16, "Operand type clash: %s is incompatible with %s", TypeName(from), TypeName(to))
}
