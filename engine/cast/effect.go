package cast

// Effect is what happened to a value, or why it was not written.
type Effect string

// Effects that change a value as it is written.
const (
	Rounded     Effect = "rounded"      // answered: to the nearest
	CutOff      Effect = "cut"          // answered: digits or bytes dropped
	SubMicro    Effect = "sub_micro"    // stated: digits below the microsecond cut toward the past, as the stream does
	Normalised  Effect = "normalised"   // spelled as the stream spells it
	Padded      Effect = "padded"       // padded to the declared length
	Rebased     Effect = "rebased"      // a Julian date kept its digits
	ZoneDropped Effect = "zone_dropped" // answered wall-clock: the zone in the text was ignored
	Decoded     Effect = "decoded"      // answered: text of another encoding, now UTF-8
)

// Effects that are counted beside a value written as it is.
const (
	Shortened Effect = "shortened"  // the copy has fewer digits than the source's type
	OldTime   Effect = "old_time"   // before 1900 in a Julian file: may carry an old local-mean-time offset
	AfterGap  Effect = "after_gap"  // in the hour after a spring change: may have been one hour earlier
	InGap     Effect = "in_gap"     // a clock time that the zone skipped: taken with the offset before the change
	Ambiguous Effect = "ambiguous"  // a clock time that the zone had twice: the first one was taken
	LeftShort Effect = "left_short" // answered keep: shorter than the declared length
	UTF8Too   Effect = "utf8_too"   // decoded as answered, although the bytes are UTF-8 text as well
	Doubtful  Effect = "doubtful"   // a floating-point number where its type skips units of the target's last digit
)

// Reasons why a value is not written: refused, or NULL under that answer.
const (
	OutOfRange  Effect = "out_of_range"     // the target's type or SQL Server's cannot hold it
	Inexact     Effect = "inexact"          // it would change, and the answer is to stop
	Unparseable Effect = "unparseable"      // text that is no value of the type
	NotUTF8     Effect = "not_utf8"         // bytes that are no text
	TooLong     Effect = "too_long"         // longer than the declared length
	WrongLength Effect = "wrong_length"     // not the number of bytes that the type has
	NotFinite   Effect = "not_finite"       // NaN or infinity
	NotATick    Effect = "not_a_tick"       // a fraction that datetime never holds
	ZoneUnknown Effect = "zone_unknown"     // text carries a zone, or lacks one, and no zone was named
	DatesDiffer Effect = "dates_differ"     // a time column with more than one date
	BeyondScale Effect = "beyond_scale"     // more digits than the source's type holds
	ForbidsNull Effect = "null_in_not_null" // NULL although the source's column is NOT NULL
	Missing     Effect = "missing"          // a captured column that the copy's file has not
)

// effects is the closed list, in the order in which reports tell them: changes
// first, reasons last.
func effects() []struct {
	Effect Effect
	Text   string
} {
	return []struct {
		Effect Effect
		Text   string
	}{
		{Rounded, "rounded"},
		{CutOff, "cut"},
		{SubMicro, "digits below the microsecond cut, as the stream does"},
		{Normalised, "spelled as the stream spells it"},
		{Padded, "padded to the declared length"},
		{Rebased, "Julian dates that keep their digits"},
		{ZoneDropped, "the zone in the text was ignored"},
		{Decoded, "decoded to UTF-8"},
		{Shortened, "fewer digits than the source has"},
		{OldTime, "before 1900, may carry an old offset"},
		{AfterGap, "after a spring change, may have been one hour earlier"},
		{InGap, "a time that the zone skipped"},
		{Ambiguous, "a time that the zone had twice, the first was taken"},
		{LeftShort, "left shorter than the declared length"},
		{Doubtful, "so large that the copy's type skips numbers there: digits may have been lost in the copy"},
		{UTF8Too, "decoded, though UTF-8 text as they are: is the encoding right?"},
		{OutOfRange, "out of range"},
		{Inexact, "would change"},
		{Unparseable, "cannot be read"},
		{NotUTF8, "not UTF-8 text"},
		{TooLong, "longer than declared"},
		{WrongLength, "of the wrong length"},
		{NotFinite, "not a finite number"},
		{NotATick, "not a tick of datetime"},
		{ZoneUnknown, "need the copy's zone, which was not named"},
		{DatesDiffer, "of another date than the first"},
		{BeyondScale, "with more digits than the source's type"},
		{ForbidsNull, "NULL although the source's column is NOT NULL"},
		{Missing, "in files without the column"},
	}
}

// Text says the effect to people, after a count: "3 rounded".
func (e Effect) Text() string {
	for _, x := range effects() {
		if x.Effect == e {
			return x.Text
		}
	}
	return string(e)
}

// changes reports whether the written value differs from the copy's.
func (e Effect) changes() bool {
	switch e {
	case Rounded, CutOff, SubMicro, Normalised, Padded, Rebased, ZoneDropped, Decoded:
		return true
	}
	return false
}

// Loses reports whether the effect takes something from a value as it is written.
func (e Effect) Loses() bool { return e == Rounded || e == CutOff || e == ZoneDropped }

// Refuses reports whether the effect keeps a value from being written: it is
// refused, or NULL under that answer.
func (e Effect) Refuses() bool {
	switch e {
	case OutOfRange, Inexact, Unparseable, NotUTF8, TooLong, WrongLength, NotFinite, NotATick, ZoneUnknown, DatesDiffer, BeyondScale, ForbidsNull, Missing:
		return true
	}
	return false
}
