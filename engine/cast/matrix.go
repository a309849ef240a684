package cast

import (
	"slices"

	"cdcseed/engine/schema"
)

// entry is one line of the matrix: which forms of a copy's column go to which
// targets by which cast. The first line that fits a pair is the pair's.
type entry struct {
	from []form
	kind schema.Kind // of the stream's type
	sql  []string    // SQL Server types; nil is every one that the stream gives this kind
	when func(schema.CopyColumn, schema.TargetColumn) bool
	code Code
}

func (e entry) fits(f form, from schema.CopyColumn, to schema.TargetColumn) bool {
	return slices.Contains(e.from, f) && e.kind == to.Type.Kind &&
		(e.sql == nil || slices.Contains(e.sql, to.SQL.Name)) && (e.when == nil || e.when(from, to))
}

// pair finds the cast from a copy's column to a target's. There is none where
// it answers false: then no answer helps either.
func pair(from schema.CopyColumn, to schema.TargetColumn) (Code, bool) {
	f := formOf(from)
	if f == unknown {
		return "", false
	}
	if f == empty {
		return EmptyNull, true
	}
	for _, e := range matrix() {
		if e.fits(f, from, to) {
			return e.code, true
		}
	}
	return "", false
}

// matrix is every cast that there is. What it does not name has none: a guess
// would write values that the stream never writes.
func matrix() []entry { return slices.Concat(numberMatrix(), timeMatrix(), textMatrix()) }

func numberMatrix() []entry {
	floating := []form{half, single, double}
	var out []entry
	for _, whole := range []schema.Kind{schema.Short, schema.Integer, schema.Long} {
		out = append(out,
			entry{[]form{integer}, whole, nil, sameWidth, Same},
			entry{[]form{integer}, whole, nil, narrower, Widen},
			entry{[]form{integer}, whole, nil, nil, NarrowChecked},
			entry{[]form{decimal}, whole, nil, noFraction, NarrowChecked},
			entry{[]form{decimal}, whole, nil, nil, DecimalToInt},
			entry{floating, whole, nil, nil, DoubleToInt},
			entry{[]form{text}, whole, nil, nil, TextToInt},
		)
	}
	for _, near := range []schema.Kind{schema.Float, schema.Double} {
		out = append(out,
			entry{[]form{integer}, near, nil, heldExactly, IntToFloat},
			entry{[]form{integer}, near, nil, nil, IntToFloatNear},
			entry{[]form{decimal}, near, nil, nil, DecimalToFloat},
			entry{[]form{text}, near, nil, nil, TextToFloat},
		)
	}
	return append(out,
		entry{[]form{half}, schema.Float, nil, nil, Widen},
		entry{[]form{single}, schema.Float, nil, nil, Same},
		entry{[]form{double}, schema.Float, nil, nil, DoubleToFloat},
		entry{[]form{half, single}, schema.Double, nil, nil, Widen},
		entry{[]form{double}, schema.Double, nil, nil, Same},

		entry{[]form{boolean}, schema.Boolean, nil, nil, Same},
		entry{[]form{integer}, schema.Boolean, nil, nil, IntToBool},
		entry{[]form{text}, schema.Boolean, nil, nil, TextToBool},
		entry{[]form{bytes}, schema.Boolean, nil, nil, BytesToBool},
		entry{[]form{fixed}, schema.Boolean, nil, oneByte, BytesToBool},

		entry{[]form{decimal}, schema.Decimal, nil, moreFraction, DecimalRound},
		entry{[]form{decimal}, schema.Decimal, nil, lessFraction, DecimalRescale},
		entry{[]form{decimal}, schema.Decimal, nil, morePrecise, NarrowChecked},
		entry{[]form{decimal}, schema.Decimal, nil, samePrecision, Same},
		entry{[]form{decimal}, schema.Decimal, nil, nil, Widen},
		entry{[]form{integer}, schema.Decimal, nil, nil, IntToDecimal},
		entry{floating, schema.Decimal, nil, nil, DoubleToDec},
		entry{[]form{text}, schema.Decimal, nil, nil, TextToDecimal},
	)
}

func timeMatrix() []entry {
	wall := schema.TimestampNTZ
	return []entry{
		{[]form{date}, schema.Date, nil, nil, Same},
		{[]form{stamp, int96}, schema.Date, nil, nil, StampToDate},
		{[]form{text}, schema.Date, nil, nil, TextToDate},

		{[]form{int96}, wall, nil, nil, Int96ToWall},
		{[]form{date}, wall, nil, nil, DateToStamp},
		{[]form{text}, wall, nil, nil, TextToStamp},
		{[]form{stamp}, wall, nil, isInstant, InstantToWall},
		{[]form{stamp}, wall, []string{"datetime"}, nil, DatetimeTick},
		{[]form{stamp}, wall, []string{"smalldatetime"}, nil, MinuteOnly},
		{[]form{stamp}, wall, nil, inMillis, MillisToMicros},
		{[]form{stamp}, wall, nil, inNanos, NanosToMicros},
		{[]form{stamp}, wall, nil, nil, Same},

		{[]form{int96}, schema.Timestamp, nil, nil, Int96ToInstant},
		{[]form{date}, schema.Timestamp, nil, nil, WallToInstant},
		{[]form{text}, schema.Timestamp, nil, nil, TextToStamp},
		{[]form{stamp}, schema.Timestamp, nil, isWall, WallToInstant},
		{[]form{stamp}, schema.Timestamp, nil, inMillis, MillisToMicros},
		{[]form{stamp}, schema.Timestamp, nil, inNanos, NanosToMicros},
		{[]form{stamp}, schema.Timestamp, nil, nil, Same},

		{[]form{daytime}, schema.String, []string{"time"}, nil, TimeToText},
		{[]form{stamp, int96}, schema.String, []string{"time"}, nil, StampToTime},
		{[]form{text}, schema.String, []string{"time"}, nil, TextToTime},
	}
}

// textMatrix names no number and no date as the source of a text: theirs has
// lost what the source's text had, such as zeros, blanks and its form.
func textMatrix() []entry {
	guid, padded, rowversion := []string{"uniqueidentifier"}, []string{"char", "nchar"}, []string{"timestamp", "rowversion"}
	free := []string{"varchar", "nvarchar", "text", "ntext", "xml"}
	blobs := []string{"varbinary", "image"}
	return []entry{
		{[]form{text}, schema.String, guid, nil, GUIDText},
		{[]form{uuid}, schema.String, guid, nil, GUIDBytes},
		{[]form{bytes}, schema.String, guid, nil, GUIDOrder},
		{[]form{fixed}, schema.String, guid, sixteenBytes, GUIDOrder},
		{[]form{text, bytes}, schema.String, padded, unpadded, AnsiChar},
		{[]form{text, bytes}, schema.String, padded, nil, PadChar},
		{[]form{text}, schema.String, free, nil, Same},
		{[]form{bytes}, schema.String, free, nil, BytesToText},

		{[]form{bytes}, schema.Binary, rowversion, nil, RowversionRaw},
		{[]form{fixed}, schema.Binary, rowversion, eightBytes, RowversionRaw},
		{[]form{integer}, schema.Binary, rowversion, wideInteger, RowversionInt},
		{[]form{text}, schema.Binary, rowversion, nil, RowversionText},
		{[]form{bytes, fixed, uuid}, schema.Binary, []string{"binary"}, unpadded, AnsiBinary},
		{[]form{bytes, fixed, uuid}, schema.Binary, []string{"binary"}, nil, PadBinary},
		{[]form{bytes}, schema.Binary, blobs, nil, Same},
		{[]form{fixed, uuid}, schema.Binary, blobs, nil, FixedBytes},
	}
}
