package asof_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"cdcseed/engine/asof"
	"cdcseed/engine/lsn"
	"cdcseed/engine/verdict"
)

// anyLSN is a position as databases have them: small files and slots mostly, and
// now and then numbers that need every digit.
func anyLSN(rng *rand.Rand) (l lsn.LSN, file, block uint32, slot uint16) {
	file, block, slot = 1+rng.Uint32N(99), rng.Uint32N(1_000_000), uint16(1+rng.UintN(200))
	if rng.IntN(3) == 0 {
		file, block, slot = 1+rng.Uint32N(1<<32-1), rng.Uint32(), uint16(rng.UintN(1<<16))
	}
	binary.BigEndian.PutUint32(l[:], file)
	binary.BigEndian.PutUint32(l[4:], block)
	binary.BigEndian.PutUint16(l[8:], slot)
	return l, file, block, slot
}

// Every notation of every LSN is read as that LSN, or refused with the readings
// that it has, the right one among them. Nothing is read as another LSN.
func TestNotationsOfAnyLSN(t *testing.T) {
	for _, seed := range asof.Seeds(t, 1, 2) {
		rng := rand.New(rand.NewPCG(seed, 6))
		sure, asked := map[string]int{}, map[string]int{}
		for range 4_000 {
			l, file, block, slot := anyLSN(rng)
			number := new(big.Int).Mul(big.NewInt(int64(file)), big.NewInt(10_000_000_000))
			number.Add(number, big.NewInt(int64(block))).Mul(number, big.NewInt(100_000)).Add(number, big.NewInt(int64(slot)))
			normal := l.String()
			for notation, text := range map[string]string{
				"normal":               normal,
				"normal, small":        strings.ToLower(normal),
				"without 0x":           normal[2:],
				"fn_dblog":             fmt.Sprintf("%08x:%08x:%04x", file, block, slot),
				"fn_dblog with 0x":     fmt.Sprintf("0x%08x:%08x:%04x", file, block, slot),
				"hex without zeros":    fmt.Sprintf("%X:%X:%X", file, block, slot),
				"error log":            fmt.Sprintf("%d:%d:%d", file, block, slot),
				"DBCC PAGE":            fmt.Sprintf("(%d:%d:%d)", file, block, slot),
				"backup header":        number.String(),
				"backup header, blank": " " + number.String() + " ",
			} {
				got, err := asof.Parse(text)
				if err != nil {
					asked[notation]++
					if !errors.Is(err, verdict.AsOfInvalid) || !strings.Contains(err.Error(), normal) || len(verdict.As(err).Facts) != 2 {
						t.Fatalf("seed %d: %s %q of %s: %v", seed, notation, text, normal, err)
					}
					continue
				}
				sure[notation]++
				if got.LSN == nil || *got.LSN != l || got.Exclusive != strings.HasPrefix(notation, "backup") {
					t.Fatalf("seed %d: %s %q of %s is read as %+v", seed, notation, text, normal, got)
				}
			}
		}
		for _, notation := range []string{"normal", "normal, small", "fn_dblog", "fn_dblog with 0x"} {
			if asked[notation] > 0 {
				t.Errorf("seed %d: %s is not always sure", seed, notation)
			}
		}
		if asked["error log"] == 0 || sure["error log"] == 0 || sure["backup header"] == 0 {
			t.Errorf("seed %d: sure %v, asked %v", seed, sure, asked)
		}
	}
}
