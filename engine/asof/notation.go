package asof

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"cdcseed/engine/lsn"
	"cdcseed/engine/verdict"
)

// How an LSN was written.
const (
	NotationNormal       = "0x and 20 hexadecimal digits"
	NotationBareHex      = "20 hexadecimal digits"
	NotationColonHex     = "hexadecimal file:block:slot, as fn_dblog prints it"
	NotationColonDecimal = "decimal file:block:slot, as the error log prints it"
	NotationBackup       = "decimal number, as backup headers print it"
)

// Position is an LSN and the notation it was typed in.
type Position struct {
	LSN       lsn.LSN
	Notation  string
	Exclusive bool // the position is the first one that is not in the copy
}

var (
	hexDigits = regexp.MustCompile(`^[0-9A-Fa-f]+$`)
	decDigits = regexp.MustCompile(`^[0-9]+$`)
	colonText = regexp.MustCompile(`^\(?(0[xX])?([0-9A-Fa-f]+):([0-9A-Fa-f]+):([0-9A-Fa-f]+)\)?$`)
)

// ParseLSN reads an LSN in the notations that consoles, logs and backup headers
// print. Nothing is padded, and where a text has two readings it is refused
// with both of them: verdict.AsOfInvalid.
func ParseLSN(text string) (Position, error) {
	if digits, ok := cutPrefix0x(text); ok && !strings.Contains(text, ":") {
		l, err := lsn.Parse("0x" + digits)
		if err != nil {
			return Position{}, notNormal(text, digits)
		}
		return checked(text, Position{LSN: l, Notation: NotationNormal})
	}
	if m := colonText.FindStringSubmatch(text); m != nil {
		return parseColons(text, m[1] != "", m[2:])
	}
	if decDigits.MatchString(text) || len(text) == lsn.Digits && hexDigits.MatchString(text) {
		return parseDigits(text)
	}
	if hexDigits.MatchString(text) {
		return Position{}, notNormal(text, text)
	}
	return Position{}, invalid(text, fmt.Sprintf("%q is neither a time nor an LSN", text), nil)
}

func cutPrefix0x(s string) (string, bool) {
	if d, ok := strings.CutPrefix(s, "0x"); ok {
		return d, true
	}
	return strings.CutPrefix(s, "0X")
}

// parseColons reads file:block:slot. It is surely hexadecimal with 0x before
// it, with a letter in it, or padded to 8:8:4 digits as fn_dblog pads.
func parseColons(text string, prefixed bool, parts []string) (Position, error) {
	hex, hexOK := fromParts(parts, 16, [3]int{8, 8, 4})
	padded := len(parts[0]) == 8 && len(parts[1]) == 8 && len(parts[2]) == 4
	if prefixed || padded || !decDigits.MatchString(strings.Join(parts, "")) {
		if !hexOK {
			return Position{}, invalid(text, fmt.Sprintf("%q does not fit an LSN: 8, 8 and 4 hexadecimal digits at most", text), nil)
		}
		return checked(text, Position{LSN: hex, Notation: NotationColonHex})
	}
	dec, decOK := fromParts(parts, 10, [3]int{10, 10, 5})
	return oneOf(text, hexOK, Position{LSN: hex, Notation: NotationColonHex}, decOK, Position{LSN: dec, Notation: NotationColonDecimal})
}

// parseDigits reads a text of digits alone: the number of a backup header, or
// a normal form that lost its 0x.
func parseDigits(text string) (Position, error) {
	var hex lsn.LSN
	hexOK := len(text) == lsn.Digits
	if hexOK {
		var err error
		hex, err = lsn.Parse("0x" + text)
		hexOK = err == nil
	}
	dec, decOK := fromNumber(text)
	return oneOf(text, hexOK, Position{LSN: hex, Notation: NotationBareHex},
		decOK, Position{LSN: dec, Notation: NotationBackup, Exclusive: true})
}

// oneOf takes the only reading there is.
func oneOf(text string, hexOK bool, hex Position, decOK bool, dec Position) (Position, error) {
	switch {
	case hexOK && decOK && hex.LSN != dec.LSN:
		return Position{}, &verdict.Error{
			Code:  verdict.AsOfInvalid,
			What:  fmt.Sprintf("%q can be read as two LSNs", text),
			Facts: verdict.Facts("as hexadecimal", hex.LSN, "as decimal", dec.LSN),
			Why:   "The later of them would lose changes if the other one was meant.",
			Hint:  []string{"Type the right one in its normal form: --as-of " + hex.LSN.String() + " or --as-of " + dec.LSN.String()},
		}
	case decOK:
		return checked(text, dec)
	case hexOK:
		return checked(text, hex)
	}
	return Position{}, notNormal(text, text)
}

func fromParts(parts []string, base int, widths [3]int) (lsn.LSN, bool) {
	var n [3]uint64
	for i, bits := range []int{32, 32, 16} {
		v, err := strconv.ParseUint(parts[i], base, bits)
		if err != nil || len(parts[i]) > widths[i] {
			return lsn.LSN{}, false
		}
		n[i] = v
	}
	return compose(n[0], n[1], n[2]), true
}

// fromNumber reads the numeric(25,0) of backup headers: the file's number, ten
// digits of the block, five of the slot.
func fromNumber(text string) (lsn.LSN, bool) {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok || len(text) > 25 {
		return lsn.LSN{}, false
	}
	slot, block := new(big.Int), new(big.Int)
	n.DivMod(n, big.NewInt(100_000), slot)
	n.DivMod(n, big.NewInt(10_000_000_000), block)
	if n.Sign() == 0 || n.Cmp(big.NewInt(math.MaxUint32)) > 0 || block.Cmp(big.NewInt(math.MaxUint32)) > 0 || slot.Cmp(big.NewInt(math.MaxUint16)) > 0 {
		return lsn.LSN{}, false
	}
	return compose(n.Uint64(), block.Uint64(), slot.Uint64()), true
}

func compose(file, block, slot uint64) lsn.LSN {
	var l lsn.LSN
	binary.BigEndian.PutUint32(l[:], uint32(file))
	binary.BigEndian.PutUint32(l[4:], uint32(block))
	binary.BigEndian.PutUint16(l[8:], uint16(slot))
	return l
}

// checked refuses the zero LSN, which is how SQL Server says that it has none.
func checked(text string, p Position) (Position, error) {
	if p.LSN.IsZero() {
		return Position{}, invalid(text, "the zero LSN is no position: SQL Server answers it where it has none", nil)
	}
	return p, nil
}

func notNormal(text, digits string) error {
	return invalid(text, fmt.Sprintf("%q is not an LSN: it has %d characters where the normal form has %d digits, and nothing is padded",
		text, len(digits), lsn.Digits), nil)
}
