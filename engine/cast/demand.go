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
	return append(out, r.numberDemands()...)
}

// plainDemands are those of values that are written as they are.
func (r Rule) plainDemands(to schema.TargetColumn) []Demand {
	switch to.Type.Kind {
	case schema.Float, schema.Double:
		return []Demand{Finite}
	case schema.Decimal, schema.Date:
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
	if to.SQL.Name == "datetime" || to.SQL.Name == "smalldatetime" || r.finerThan(to) {
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
	case r.Source == nil:
		return false
	case formOf(*r.Source) == date:
		have = 0
	case formOf(*r.Source) == stamp:
		have = map[string]int{"MILLIS": 3, "MICROS": 6, "NANOS": 9}[r.Source.Unit]
	}
	return have > to.SQL.Scale && !streamCuts(to.SQL)
}

func (r Rule) textDemands(to schema.TargetColumn) []Demand {
	var out []Demand
	switch r.Code {
	case TimeToText:
		out = append(out, InRange)
		if to.SQL.Scale < map[string]int{"MILLIS": 3, "MICROS": 6, "NANOS": 9}[r.Source.Unit] {
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
		return append(out, Length)
	case PadChar, PadBinary, AnsiChar, AnsiBinary:
		out = append(out, Padding)
	}
	if limit, _ := lengthOf(to.SQL); limit > 0 {
		out = append(out, Length)
	}
	if to.Type.Kind == schema.String {
		out = append(out, UTF8)
	}
	return out
}

func (r Rule) numberDemands() []Demand {
	switch r.Code {
	case TextToInt, TextToDecimal, TextToFloat, TextToDate:
		return []Demand{Form, InRange}
	case TextToBool, BytesToBool:
		return []Demand{Form}
	case DoubleToInt, DoubleToDec, DoubleToFloat:
		return []Demand{Finite, InRange}
	case IntToFloatNear, DecimalToFloat:
		return nil
	}
	return []Demand{InRange}
}
