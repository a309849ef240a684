package cast

// finer is what a time has below the microsecond: nanoseconds, 0 to 999, and
// text's digits after the ninth, the last of which is not zero.
type finer struct {
	nanos int64
	tail  string
}

func (f finer) some() bool { return f.nanos != 0 || f.tail != "" }

// half reports half a microsecond or more.
func (f finer) half() bool { return f.nanos >= 500 }

// thirds is three times the tail, in whole nanoseconds: a tick of datetime is
// a third of 10 ms, so that whole thirds tell on which side of it a time lies.
func (f finer) thirds() int64 {
	carry := 0
	for k := len(f.tail) - 1; k >= 0; k-- {
		carry = (int(f.tail[k]-'0')*3 + carry) / 10
	}
	return int64(carry)
}
