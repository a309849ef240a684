// Package lsn holds the log sequence number: a position in a SQL Server
// transaction log, ten bytes that compare as they stand.
package lsn

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
)

// LSN is a log sequence number. Its bytes are big-endian: four of the virtual
// log file, four of the log block and two of the slot, so byte order is log
// order. The zero LSN is no position: SQL Server answers it (or NULL) where it
// has none, and it is never taken for one here.
type LSN [10]byte

// Digits is the number of hexadecimal digits of an LSN's normal form.
const Digits = 20

// Parse reads the normal form: 0x and exactly 20 hexadecimal digits, in any
// letter case. It pads nothing; other notations are engine/asof's business.
func Parse(s string) (LSN, error) {
	var l LSN
	digits, ok := strings.CutPrefix(s, "0x")
	if !ok {
		digits, ok = strings.CutPrefix(s, "0X")
	}
	if !ok || len(digits) != Digits {
		return l, fmt.Errorf("%q is not an LSN: want 0x and %d hexadecimal digits", s, Digits)
	}
	if _, err := hex.Decode(l[:], []byte(digits)); err != nil {
		return LSN{}, fmt.Errorf("%q is not an LSN: %w", s, err)
	}
	return l, nil
}

// FromBytes takes the ten bytes that a binary(10) holds.
func FromBytes(b []byte) (LSN, error) {
	var l LSN
	if len(b) != len(l) {
		return l, fmt.Errorf("an LSN has %d bytes, not %d", len(l), len(b))
	}
	copy(l[:], b)
	return l, nil
}

// String is the normal form: 0x and 20 upper-case digits. Normal forms compare
// as text in log order, which is how the stream compares them.
func (l LSN) String() string { return fmt.Sprintf("0x%X", l[:]) }

// IsZero reports whether l is the zero LSN, which is no position.
func (l LSN) IsZero() bool { return l == LSN{} }

// Compare is negative where l is before m in the log, zero where they are the
// same position, positive where l is after m.
func (l LSN) Compare(m LSN) int { return bytes.Compare(l[:], m[:]) }

// Next is the position right after l, as sys.fn_cdc_increment_lsn counts: one
// more, with nothing between. The last LSN has no next and stays.
func (l LSN) Next() LSN {
	for i := len(l) - 1; i >= 0; i-- {
		l[i]++
		if l[i] != 0 {
			return l
		}
	}
	for i := range l {
		l[i] = 0xFF
	}
	return l
}

// MarshalText writes the normal form.
func (l LSN) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads the normal form.
func (l *LSN) UnmarshalText(b []byte) (err error) {
	*l, err = Parse(string(b))
	return err
}
