package cast

// Code names one way from a copy's column to a target's column. The list is
// closed: plans, previews and later executors know exactly these.
type Code string

// The casts. What each does to a value, in the words of its Text.
const (
	Same           Code = "same"
	Widen          Code = "widen"
	NarrowChecked  Code = "narrow_checked"
	DecimalRescale Code = "decimal_rescale"
	DecimalRound   Code = "decimal_round"
	IntToDecimal   Code = "int_to_decimal"
	DecimalToInt   Code = "decimal_to_int"
	DoubleToDec    Code = "double_to_decimal"
	DoubleToInt    Code = "double_to_int"
	IntToFloat     Code = "int_to_float"
	IntToFloatNear Code = "int_to_float_near"
	DecimalToFloat Code = "decimal_to_float"
	DoubleToFloat  Code = "double_to_float"
	TextToInt      Code = "text_to_int"
	TextToDecimal  Code = "text_to_decimal"
	TextToFloat    Code = "text_to_float"
	TextToBool     Code = "text_to_bool"
	IntToBool      Code = "int_to_bool"
	BytesToBool    Code = "bytes_to_bool"
	TextToDate     Code = "text_to_date"
	TextToStamp    Code = "text_to_timestamp"
	DateToStamp    Code = "date_to_timestamp"
	StampToDate    Code = "timestamp_to_date"
	MillisToMicros Code = "millis_to_micros"
	NanosToMicros  Code = "nanos_to_micros"
	InstantToWall  Code = "instant_to_wall"
	WallToInstant  Code = "wall_to_instant"
	Int96ToWall    Code = "int96_to_wall"
	Int96ToInstant Code = "int96_to_instant"
	DatetimeTick   Code = "datetime_tick"
	MinuteOnly     Code = "smalldatetime_minute"
	TimeToText     Code = "time_to_text"
	TextToTime     Code = "text_to_time"
	StampToTime    Code = "timestamp_to_time_text"
	GUIDText       Code = "guid_text"
	GUIDBytes      Code = "guid_bytes"
	GUIDOrder      Code = "guid_order"
	PadChar        Code = "pad_char"
	AnsiChar       Code = "ansi_char"
	PadBinary      Code = "pad_binary"
	AnsiBinary     Code = "ansi_binary"
	BytesToText    Code = "bytes_to_text"
	FixedBytes     Code = "fixed_bytes"
	RowversionRaw  Code = "rowversion_bytes"
	RowversionInt  Code = "rowversion_int"
	RowversionText Code = "rowversion_text"
	MissingNull    Code = "missing_null"
	AbsentNull     Code = "absent_null"
	ComputedNull   Code = "computed_null"
	EmptyNull      Code = "empty_null"
)

// About says what a cast may do to values.
type About struct {
	Code    Code     `json:"code"`
	Text    string   `json:"text"`    // for people
	Asks    bool     `json:"asks"`    // the pair of types itself may lose something: no seed without an answer
	Answers []Answer `json:"answers"` // the answers that it takes, if any; without one it stops at the first value that does not fit
}

// Describe says what c may do; false for a code that is none.
func Describe(c Code) (About, bool) {
	for _, a := range Codes() {
		if a.Code == c {
			return a, true
		}
	}
	return About{}, false
}

// Codes is the closed list of casts.
func Codes() []About { return append(numberCodes(), otherCodes()...) }

func numberCodes() []About {
	fits := []Answer{Stop, Null}
	lossy := []Answer{Stop, Round, Cut, Null}
	near := []Answer{Stop, Round, Null}
	return []About{
		{Same, "written as it is", false, fits},
		{Widen, "written in a wider type, nothing is lost", false, fits},
		{NarrowChecked, "every value is checked to fit", false, fits},
		{DecimalRescale, "zeros are added after the point, every value is checked to fit", false, fits},
		{DecimalRound, "digits after the point are dropped", true, lossy},
		{IntToDecimal, "a whole number as a decimal, checked to fit", false, fits},
		{DecimalToInt, "a decimal as a whole number", true, lossy},
		{DoubleToDec, "the shortest decimal text of the number, then digits are dropped", true, lossy},
		{DoubleToInt, "a floating-point number as a whole number", true, lossy},
		{IntToFloat, "a whole number that the type holds exactly", false, fits},
		{IntToFloatNear, "a whole number as the nearest floating-point number", true, near},
		{DecimalToFloat, "a decimal as the nearest floating-point number", true, near},
		{DoubleToFloat, "a double as the nearest single-precision number", true, near},
		{TextToInt, "text read as a whole number", false, lossy},
		{TextToDecimal, "text read as a decimal", false, lossy},
		{TextToFloat, "text read as the floating-point number that it stands for", false, near},
		{TextToBool, "0, 1, true or false", false, fits},
		{IntToBool, "0 is false, 1 is true, nothing else passes", false, fits},
		{BytesToBool, "one byte: 0 is false, 1 is true", false, fits},
	}
}

func otherCodes() []About {
	fits := []Answer{Stop, Null}
	cuts := []Answer{Stop, Cut, Null}
	lossy := []Answer{Stop, Round, Cut, Null}
	return []About{
		{TextToDate, "text read as a date, year first", false, cuts},
		{TextToStamp, "text read as date and time, year first", false, lossy},
		{DateToStamp, "midnight of the date", false, fits},
		{StampToDate, "the time of day is dropped", true, cuts},
		{MillisToMicros, "milliseconds to microseconds, nothing is lost", false, lossy},
		{NanosToMicros, "digits below the microsecond are cut toward the past, as the stream does", false, lossy},
		{InstantToWall, "a moment as what a clock in the zone shows", false, lossy},
		{WallToInstant, "what a clock in the zone shows as a moment", false, lossy},
		{Int96ToWall, "an INT96 timestamp as what a clock in the zone shows", false, lossy},
		{Int96ToInstant, "an INT96 timestamp as a moment", false, lossy},
		{DatetimeTick, "1/300 s ticks in the stream's spelling, .000 .003 .007", false, lossy},
		{MinuteOnly, "whole minutes, as smalldatetime holds", false, lossy},
		{TimeToText, "HH:MM:SS and nine digits, as the stream writes", false, cuts},
		{TextToTime, "text read as a time of day, nine digits as the stream writes", false, cuts},
		{StampToTime, "the time of day as text; the date must be the same in every row", false, cuts},
		{GUIDText, "upper case without braces, as the stream writes", false, fits},
		{GUIDBytes, "16 bytes in text order as upper-case text", false, fits},
		{GUIDOrder, "16 bytes whose order nothing tells", true, []Answer{TextOrder, SQLOrder}},
		{PadChar, "padded with blanks to the declared length", false, cuts},
		{AnsiChar, "the column was made with ANSI_PADDING off", true, []Answer{Pad, Keep}},
		{PadBinary, "padded with zero bytes to the declared length", false, cuts},
		{AnsiBinary, "the column was made with ANSI_PADDING off", true, []Answer{Pad, Keep}},
		{BytesToText, "bytes checked to be UTF-8 text", false, cuts},
		{FixedBytes, "bytes of fixed length, written as they are", false, cuts},
		{RowversionRaw, "the eight bytes", false, fits},
		{RowversionInt, "the number as eight bytes, highest first", false, fits},
		{RowversionText, "0x text or base64 as eight bytes", false, fits},
		{MissingNull, "the copy has no such column", true, []Answer{Stop, Null}},
		{AbsentNull, "NULL: the copy's table had no such column when the file was written", false, nil},
		{EmptyNull, "NULL: the copy's column has a type without any value", false, nil},
		{ComputedNull, "NULL: the stream writes NULL for computed columns too", false, nil},
	}
}
