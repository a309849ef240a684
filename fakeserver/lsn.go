package fakeserver

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
)

// LSN is a log sequence number: ten bytes, big-endian. Its text is 0x and 20
// upper-case hexadecimal digits; a world file may write fewer digits after
// 0x, which are then the last ones.
type LSN [10]byte

// ParseLSN reads the text form.
func ParseLSN(s string) (LSN, error) {
	var l LSN
	digits, ok := strings.CutPrefix(strings.ToLower(s), "0x")
	if !ok || digits == "" || len(digits) > 20 {
		return l, fmt.Errorf("LSN %q is not 0x and 1 to 20 hexadecimal digits", s)
	}
	b, err := hex.DecodeString(strings.Repeat("0", 20-len(digits)) + digits)
	if err != nil {
		return l, fmt.Errorf("LSN %q is not 0x and 1 to 20 hexadecimal digits", s)
	}
	copy(l[:], b)
	return l, nil
}

func (l LSN) String() string { return "0x" + strings.ToUpper(hex.EncodeToString(l[:])) }

// MarshalText writes the 22-character form.
func (l LSN) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads what ParseLSN reads.
func (l *LSN) UnmarshalText(b []byte) (err error) {
	*l, err = ParseLSN(string(b))
	return err
}

func (l LSN) compare(m LSN) int { return bytes.Compare(l[:], m[:]) }
func (l LSN) less(m LSN) bool   { return l.compare(m) < 0 }
func (l LSN) isZero() bool      { return l == LSN{} }

// add is l moved by n, wrapping at either end as binary arithmetic does.
func (l LSN) add(n int64) LSN {
	low := binary.BigEndian.Uint64(l[2:])
	high := binary.BigEndian.Uint16(l[:2])
	sum := low + uint64(n)
	switch {
	case n > 0 && sum < low:
		high++
	case n < 0 && sum > low:
		high--
	}
	binary.BigEndian.PutUint64(l[2:], sum)
	binary.BigEndian.PutUint16(l[:2], high)
	return l
}

// nextCommit is the LSN of a commit that follows l: a later log block, and
// the first record in it.
func (l LSN) nextCommit() LSN {
	n := l.add(0x100000)
	binary.BigEndian.PutUint16(n[8:], 1)
	return n
}

func (l LSN) bytes() []byte { return append([]byte{}, l[:]...) }
