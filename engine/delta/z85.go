package delta

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// z85Digits are the digits of ZeroMQ's base 85 in their order.
const z85Digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"

// z85 decodes text in which five characters stand for four bytes.
func z85(text string) ([]byte, error) {
	if len(text)%5 != 0 {
		return nil, fmt.Errorf("%d characters of base 85, which come in fives", len(text))
	}
	out := make([]byte, 0, len(text)/5*4)
	for from := 0; from < len(text); from += 5 {
		var n uint64
		for i := from; i < from+5; i++ {
			d := strings.IndexByte(z85Digits, text[i])
			if d < 0 {
				return nil, fmt.Errorf("%q is no digit of base 85", text[i])
			}
			n = n*85 + uint64(d)
		}
		if n > math.MaxUint32 {
			return nil, fmt.Errorf("%q is no four bytes in base 85", text[from:from+5])
		}
		out = binary.BigEndian.AppendUint32(out, uint32(n))
	}
	return out, nil
}
