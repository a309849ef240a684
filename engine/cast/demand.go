package cast

import "cdcseed/engine/schema"

// Demands is what the rule's cast looks at in every value, apart from what it
// changes: in which ways a value of the copy may be none of the target's.
func (r Rule) Demands(to schema.TargetColumn) []Demand {
	var out []Demand
	if r.forbidsNull(to) {
		out = append(out, NotNull)
	}
	switch r.Code {
	case MissingNull, AbsentNull, ComputedNull, EmptyNull, IntToFloat, RowversionInt, GUIDBytes:
		return out
	case Same, Widen:
		return append(out, r.plainDemands(to)...)
	}
	switch to.Type.Kind {
	case schema.TimestampNTZ, schema.Timestamp:
		return append(out, r.stampDemands(to)...)
	case schema.String, schema.Binary:
		return append(out, r.textDemands(to)...)
	}
	return append(out, r.numberDemands(to)...)
}

// plainDemands are those of values that are written as they are.
func (r Rule) plainDemands(to schema.TargetColumn) []Demand {
	switch to.Type.Kind {
	case schema.Float, schema.Double:
		return []Demand{Finite}
	case schema.Decimal:
		return r.decimalDemands(to)
	case schema.Date:
		return []Demand{InRange}
	case schema.TimestampNTZ, schema.Timestamp:
		return r.stampDemands(to)
	case schema.String, schema.Binary:
		return r.textDemands(to)
	}
	return nil
}

func (r Rule) stampDemands(to schema.TargetColumn) []Demand {
	out := []Demand{InRange}
	if r.finerThan(to) {
		out = append(out, Digits)
	}
	switch r.Code {
	case TextToStamp:
		out = append(out, Form)
	case WallToInstant:
		if !r.keepsDigits() {
			out = append(out, Zone)
		}
	}
	return out
}

// finerThan reports whether the copy's times may have digits that the SQL type
// has not. What the stream cuts from its own values is no such digit.
func (r Rule) finerThan(to schema.TargetColumn) bool {
	have := 9
	switch {
	case r.Source == nil, formOf(*r.Source) == date:
		return false
	case formOf(*r.Source) == stamp:
		have = digitsOfUnit(*r.Source)
	}
	switch to.SQL.Name {
	case "datetime", "smalldatetime":
		return true
	}
	return have > to.SQL.Scale && !streamCuts(to.SQL)
}

// digitsOfUnit is the number of fraction digits that a time's unit can tell.
func digitsOfUnit(c schema.CopyColumn) int {
	return map[string]int{"MILLIS": 3, "MICROS": 6, "NANOS": 9}[c.Unit]
}

func (r Rule) textDemands(to schema.TargetColumn) []Demand {
	var out []Demand
	switch r.Code {
	case TimeToText:
		out = append(out, Declared)
		if to.SQL.Scale < digitsOfUnit(*r.Source) {
			out = append(out, Digits)
		}
		return out
	case StampToTime:
		return append(out, InRange, Digits, OneDate)
	case TextToTime:
		return append(out, Form, Digits)
	case GUIDText, RowversionText:
		return append(out, Form)
	case GUIDOrder, RowversionRaw:
		if r.Source.Length == 0 {
			out = append(out, Length)
		}
		return out
	}
	limit, _ := lengthOf(to.SQL)
	fixedBytes := r.Source.Length // 0 of every other physical type
	switch r.Code {
	case PadChar, PadBinary, AnsiChar, AnsiBinary:
		if limit > 0 && (fixedBytes == 0 || fixedBytes < limit) {
			out = append(out, Padding)
		}
	}
	if limit > 0 && (fixedBytes == 0 || fixedBytes > limit) {
		out = append(out, Length)
	}
	if to.Type.Kind == schema.String {
		out = append(out, UTF8)
	}
	return out
}

// decimalDemands are those of a number on its way to a decimal: of its range
// where the target has fewer digits before the point.
func (r Rule) decimalDemands(to schema.TargetColumn) []Demand {
	room := to.Type.Precision - to.Type.Scale
	money := to.SQL.Name == "money" || to.SQL.Name == "smallmoney" // a binary number inside: less than its digits
	if formOf(*r.Source) == decimal {
		if whole := r.Source.Precision - r.Source.Scale; whole > room || money && whole == room {
			return []Demand{InRange}
		}
		return []Demand{Declared}
	}
	most := map[int]int{8: 3, 16: 5, 32: 10, 64: 20}[intBits(*r.Source)] // digits of the largest number
	if most > room || money && most == room {
		return []Demand{InRange}
	}
	return nil
}

func (r Rule) numberDemands(to schema.TargetColumn) []Demand {
	switch r.Code {
	case TextToInt, TextToDecimal, TextToFloat, TextToDate:
		return []Demand{Form, InRange}
	case TextToBool, BytesToBool:
		return []Demand{Form}
	case DoubleToInt, DoubleToDec, DoubleToFloat:
		return []Demand{Finite, InRange}
	case IntToFloatNear, DecimalToFloat:
		return nil
	case IntToDecimal, DecimalRescale:
		return r.decimalDemands(to)
	}
	return []Demand{InRange}
}
