package cast

// stampText is date and time as text told them.
type stampText struct {
	micros int64 // on the text's own clock, cut toward the past
	below  finer // digits below the microsecond
	timed  bool  // a time of day other than midnight
	zoned  bool
	offset int64 // microseconds east of UTC, where zoned
}

// readStamp reads YYYY-MM-DD, or YYYYMMDD, perhaps with a time after T or
// blanks, perhaps with Z or an offset. It takes no form that two countries read differently.
func readStamp(s string) (out stampText, ok bool) {
	s = trim(s)
	days, s, ok := readDate(s)
	if !ok {
		return out, false
	}
	out.micros = days * dayMicros
	if s == "" {
		return out, true
	}
	if s[0] == 'T' || s[0] == 't' {
		s = s[1:]
	} else {
		t := trim(s)
		if len(t) == len(s) {
			return out, false
		}
		s = t
	}
	t, s, ok := readDaytime(s)
	if !ok {
		return out, false
	}
	out.micros += t.nanos / 1000
	out.below = finer{nanos: t.nanos % 1000, tail: t.tail}
	out.timed = t.nanos != 0 || t.tail != ""
	s = trim(s)
	if s == "" {
		return out, true
	}
	out.zoned = true
	out.offset, ok = readOffset(s)
	return out, ok
}

func readDate(s string) (days int64, rest string, ok bool) {
	var y, m, d int64
	switch {
	case len(s) >= 10 && s[4] == '-' && s[7] == '-':
		y, m, d, rest = number(s[:4]), number(s[5:7]), number(s[8:10]), s[10:]
	case len(s) == 8:
		y, m, d = number(s[:4]), number(s[4:6]), number(s[6:8])
	default:
		return 0, s, false
	}
	if y < 0 || m < 1 || m > 12 || d < 1 || d > monthDays(y, m) {
		return 0, s, false
	}
	return daysOf(y, m, d), rest, true
}

func monthDays(y, m int64) int64 {
	switch m {
	case 2:
		if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// daytimeText is a time of day as text told it.
type daytimeText struct {
	nanos   int64  // since midnight
	written int    // fraction digits
	tail    string // digits after the ninth, up to the last that is not zero
}

// readDaytime reads HH:MM, HH:MM:SS or HH:MM:SS.f with any number of digits
// from the front of s.
func readDaytime(s string) (t daytimeText, rest string, ok bool) {
	if len(s) < 5 || s[2] != ':' {
		return t, s, false
	}
	h, m, sec := number(s[:2]), number(s[3:5]), int64(0)
	s = s[5:]
	if len(s) >= 3 && s[0] == ':' {
		sec, s = number(s[1:3]), s[3:]
		if s, ok = t.fraction(s); !ok {
			return t, s, false
		}
	}
	if h < 0 || h > 23 || m < 0 || m > 59 || sec < 0 || sec > 59 {
		return t, s, false
	}
	t.nanos += ((h*60+m)*60 + sec) * 1_000_000_000
	return t, s, true
}

func (t *daytimeText) fraction(s string) (rest string, ok bool) {
	if s == "" || s[0] != '.' {
		return s, true
	}
	k := 1
	for scale := int64(100_000_000); k < len(s) && s[k] >= '0' && s[k] <= '9'; k++ {
		d := int64(s[k] - '0')
		t.nanos += d * scale
		scale /= 10
		if k > 9 && d != 0 {
			t.tail = s[10 : k+1]
		}
	}
	t.written = k - 1
	return s[k:], k > 1
}

// readOffset reads Z, +HH, +HHMM or +HH:MM, up to 14 hours.
func readOffset(s string) (int64, bool) {
	if s == "Z" || s == "z" || s == "UTC" {
		return 0, true
	}
	if len(s) < 3 || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	h, m := number(s[1:3]), int64(0)
	switch {
	case len(s) == 3:
	case len(s) == 5:
		m = number(s[3:5])
	case len(s) == 6 && s[3] == ':':
		m = number(s[4:6])
	default:
		return 0, false
	}
	if h < 0 || m < 0 || m > 59 || h*60+m > 14*60 {
		return 0, false
	}
	off := (h*60 + m) * 60_000_000
	if s[0] == '-' {
		off = -off
	}
	return off, true
}

// number reads digits alone; -1 for anything else.
func number(s string) int64 {
	var v int64
	for k := 0; k < len(s); k++ {
		if s[k] < '0' || s[k] > '9' {
			return -1
		}
		v = v*10 + int64(s[k]-'0')
	}
	return v
}
