package cast

import (
	"slices"

	"cdcseed/engine/schema"
)

// Passage is how a pair of types gets through its cast, before any value was seen.
type Passage string

// The passages, from the best to the worst.
const (
	AsBytes       Passage = "bytes"         // the copy's bytes are the target's
	Reinterpreted Passage = "reinterpreted" // the copy's bytes under another annotation, or another zone flag
	Lossless      Passage = "lossless"      // other bytes, the same value, whatever the value is
	CanFail       Passage = "can_fail"      // the same value as the stream spells it; some are none of the target's: refused
	Lossy         Passage = "lossy"         // some values come out changed, by an answer or as the stream changes them
	Impossible    Passage = "refused"       // no cast leads there
)

// Demand is what a cast looks at in every value, whichever way it passes.
type Demand string

// The demands. Of the first three a file's statistics can prove that every value
// meets them; of the others only the values can.
const (
	InRange  Demand = "range"    // the target's range of numbers, days or times
	Declared Demand = "declared" // the range that the copy's own type declares, which a file may break
	NotNull  Demand = "null"     // the source's column is NOT NULL
	Finite   Demand = "finite"   // neither NaN nor infinity
	Digits   Demand = "digits"   // no more fraction digits than the type holds, a tick of datetime, a whole minute
	Length   Demand = "length"   // no longer than declared
	UTF8     Demand = "utf8"     // text
	Form     Demand = "form"     // text or bytes that can be read as the type
	OneDate  Demand = "date"     // the same date in every row
	Padding  Demand = "padding"  // as long as declared
	Zone     Demand = "zone"     // a clock time that the zone had, and had once
)

// Passage is how the rule's values get through. A zone that keeps every digit,
// UTC or wall-clock, makes another zone flag of what is else a shift.
func (r Rule) Passage(to schema.TargetColumn) Passage {
	if r.Legacy || r.Encoding != "" {
		return CanFail
	}
	switch r.Code {
	case Same, Widen:
		return r.plainPassage(to)
	case MissingNull, AbsentNull, ComputedNull, EmptyNull, IntToFloat, IntToDecimal, DecimalRescale, DateToStamp, TimeToText, MillisToMicros,
		GUIDBytes, FixedBytes, PadBinary, RowversionRaw, RowversionInt:
		return r.unless(to, Lossless)
	case InstantToWall, WallToInstant:
		if r.keepsDigits() && formOf(*r.Source) == stamp && r.Source.Unit == "MICROS" && !r.asks(to, Digits) {
			return Reinterpreted
		}
		return Lossy
	case Int96ToWall, Int96ToInstant, NanosToMicros, DatetimeTick, MinuteOnly,
		DecimalRound, DecimalToInt, DoubleToDec, DoubleToInt, IntToFloatNear, DecimalToFloat, DoubleToFloat,
		TextToInt, TextToDecimal, TextToFloat, TextToDate, TextToStamp, TextToTime, StampToDate, StampToTime:
		return Lossy
	case BytesToText:
		return Reinterpreted
	}
	return CanFail
}

// unless is a passage that leaves every value alone, or a worse one where a
// demand shows that some values are none of the target's.
func (r Rule) unless(to schema.TargetColumn, whole Passage) Passage {
	worst := whole
	for _, d := range r.Demands(to) {
		switch d {
		case NotNull, Declared:
		case Digits:
			return Lossy
		default:
			worst = CanFail
		}
	}
	return worst
}

// keepsDigits reports whether the zone answered leaves every digit of a time
// where it is.
func (r Rule) keepsDigits() bool { return r.Zone == WallClock || isUTC(r.Zone) }

// plainPassage is that of the casts that keep the value: bytes, another
// annotation, or another width.
func (r Rule) plainPassage(to schema.TargetColumn) Passage {
	from := *r.Source
	switch {
	case r.asks(to, Digits):
		return Lossy
	case from.Physical == "PARTITION", !samePhysical(from, to.Type): // a partition's value stands beside the file
		return r.unless(to, Lossless)
	case sameAnnotation(from, to.Type):
		return AsBytes
	}
	return Reinterpreted
}

// samePhysical reports whether the target's column may be stored as the copy's
// is: Delta lets a decimal be a number of 32 or 64 bits or of fixed bytes. Spark
// reads fixed bytes of 9 to 15 wrong where the precision needs 8 at most.
func samePhysical(from schema.CopyColumn, to schema.Type) bool {
	if from.Logical == "DECIMAL" {
		switch from.Physical {
		case "INT32":
			return to.Precision <= 9
		case "INT64":
			return to.Precision <= 18
		case "FIXED_LEN_BYTE_ARRAY":
			return from.Length >= decimalBytes(to.Precision) && (to.Precision > 18 || from.Length <= 8)
		}
		return false
	}
	return from.Physical == map[schema.Kind]string{
		schema.Boolean: "BOOLEAN", schema.Short: "INT32", schema.Integer: "INT32", schema.Long: "INT64",
		schema.Float: "FLOAT", schema.Double: "DOUBLE", schema.Date: "INT32", schema.TimestampNTZ: "INT64",
		schema.Timestamp: "INT64", schema.String: "BYTE_ARRAY", schema.Binary: "BYTE_ARRAY",
	}[to.Kind]
}

// decimalBytes is the fewest bytes that hold every decimal of a precision.
func decimalBytes(precision int) int {
	return []int{1, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 6, 6, 7, 7, 8, 8, 9, 9, 9, 10, 10, 11, 11, 11, 12, 12, 13, 13, 13, 14, 14, 15, 15, 16, 16, 16}[precision]
}

// sameAnnotation reports whether the copy's footer says of the column what the
// target's would say.
func sameAnnotation(from schema.CopyColumn, to schema.Type) bool {
	switch to.Kind {
	case schema.Short:
		return from.Logical == "INT" && from.Bits == 16 && !from.Unsigned
	case schema.Integer:
		return from.Logical == "" || from.Bits == 32 && !from.Unsigned
	case schema.Long:
		return from.Logical == "" || !from.Unsigned
	case schema.Decimal:
		return from.Precision == to.Precision
	case schema.String:
		return from.Logical == "STRING"
	case schema.Binary:
		return from.Logical == ""
	}
	return true
}

// asks reports whether the rule makes a demand.
func (r Rule) asks(to schema.TargetColumn, d Demand) bool { return slices.Contains(r.Demands(to), d) }
