package cast

// two reads two digits at k; bad gathers a value above 9 where one is no digit.
func two(s string, k int, bad *byte) int64 {
	a, b := s[k]-'0', s[k+1]-'0'
	if a > 9 || b > 9 {
		*bad = 10
	}
	return int64(a)*10 + int64(b)
}

// shortDate reads YYYY-MM-DD and nothing else. False is no verdict: see readStamp.
func shortDate(s string) (day int64, ok bool) {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return 0, false
	}
	var bad byte
	y, m, d := two(s, 0, &bad)*100+two(s, 2, &bad), two(s, 5, &bad), two(s, 8, &bad)
	if bad > 9 || m < 1 || m > 12 || d < 1 || d > 28 && d > monthDays(y, m) {
		return 0, false
	}
	return daysOf(y, m, d), true
}

// shortStamp reads YYYY-MM-DD, perhaps with a blank or T and what shortDaytime
// reads. False is no verdict: see readStamp.
func shortStamp(s string) (day, nanos int64, ok bool) {
	if len(s) < 10 {
		return 0, 0, false
	}
	day, ok = shortDate(s[:10])
	if !ok || len(s) == 10 {
		return day, 0, ok
	}
	if s[10] != ' ' && s[10] != 'T' {
		return 0, 0, false
	}
	nanos, _, ok = shortDaytime(s[11:])
	return day, nanos, ok
}

// shortDaytime reads HH:MM:SS, perhaps with a point and one to nine digits. False
// is no verdict: see readDaytime.
func shortDaytime(s string) (nanos int64, written int, ok bool) {
	if len(s) < 8 || len(s) > 18 || s[2] != ':' || s[5] != ':' {
		return 0, 0, false
	}
	var bad byte
	h, m, sec := two(s, 0, &bad), two(s, 3, &bad), two(s, 6, &bad)
	if bad > 9 || h > 23 || m > 59 || sec > 59 {
		return 0, 0, false
	}
	if len(s) > 8 {
		if s[8] != '.' || len(s) == 9 {
			return 0, 0, false
		}
		written = len(s) - 9
		for k := 9; k < len(s); k++ {
			d := s[k] - '0'
			if d > 9 {
				return 0, 0, false
			}
			nanos = nanos*10 + int64(d)
		}
		nanos *= int64(pow10(9 - written))
	}
	return nanos + ((h*60+m)*60+sec)*1_000_000_000, written, true
}
