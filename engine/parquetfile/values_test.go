package parquetfile

import "testing"

// An index makes the library's decoder ask for room up to it, so one that lies
// far beyond the dictionary must be found before.
func TestIndices(t *testing.T) {
	for _, c := range []struct {
		name    string
		data    []byte
		size, n uint64
		ok      bool
	}{
		{"nothing", nil, 0, 8, true},
		{"narrow ones are the library's", []byte{16, 8 << 1, 0xff, 0xff}, 3, 8, true},
		{"a run in a large dictionary", []byte{20, 8 << 1, 0xff, 0xff, 0x0f}, 1 << 20, 8, true},
		{"a run beyond a large dictionary", []byte{20, 8 << 1, 0, 0, 0x10}, 1 << 20, 8, false},
		{"a run beyond a small one", []byte{30, 8 << 1, 3, 0, 0, 0}, 3, 8, false},
		{"a second run", []byte{30, 4 << 1, 2, 0, 0, 0, 4 << 1, 0, 0, 0, 0x3f}, 3, 8, false},
		{"a second run that nobody needs", []byte{30, 8 << 1, 2, 0, 0, 0, 4 << 1, 0, 0, 0, 0x3f}, 3, 8, true},
		{"without a dictionary", []byte{30, 8 << 1, 0, 0, 0, 0}, 0, 8, true},
		{"more bits than needed", append([]byte{17, 1<<1 | 1}, make([]byte, 17)...), 3, 8, true},
		{"more bits than needed, used", append([]byte{17, 1<<1 | 1}, append(make([]byte, 16), 1)...), 3, 8, false},
		{"used by padding", append([]byte{17, 1<<1 | 1}, append(make([]byte, 16), 0x80)...), 3, 7, true},
		{"a cut run", []byte{24, 2<<1 | 1, 2, 0, 0, 0, 0, 1}, 3, 16, false},
		{"too many bits", []byte{33, 8 << 1, 0, 0, 0, 0, 0}, 1, 8, false},
		{"an early end", []byte{30, 8 << 1, 2}, 3, 8, true},
		{"an empty run", []byte{30, 0, 0xff, 0xff, 0xff, 0xff}, 3, 8, true},
		{"a run of more groups than there can be", []byte{30, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 0, 0, 0}, 3, 8, true},
	} {
		if err := indices(c.data, c.size, c.n); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Delta-packed numbers that are fewer than they should make the library's
// decoder try for ever, and blocks as large as they say make it ask for room.
func TestDeltas(t *testing.T) {
	// Blocks of 16 in 2 parts: 3 values, from 5 on by 1 plus 1 or 0, and 18.
	three := []byte{16, 2, 3, 10, 2, 1, 0, 0b01}
	many := []byte{16, 2, 18, 10, 2, 1, 8, 0b1010, 1, 2, 3, 4, 5, 6, 7, 8, 2, 1, 0, 0b1}
	for _, c := range []struct {
		name     string
		data     []byte
		nullable bool
		n        uint64
		ok       bool
		rest     int
	}{
		{"three", three, false, 3, true, 0},
		{"three and others", append(three[:8:8], 1, 2), false, 3, true, 2},
		{"three for four", three, false, 4, false, 0},
		{"three for four that may be NULL", three, true, 4, true, 0},
		{"three for two", three, true, 2, false, 0},
		{"two blocks", many, false, 18, true, 0},
		{"two blocks cut", many[:19], false, 18, false, 0},
		{"a block cut", many[:9], false, 18, false, 0},
		{"too many bits", []byte{16, 2, 2, 10, 2, 65, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, false, 2, false, 0},
		{"no widths", three[:5], false, 3, false, 0},
		{"a last part without padding", []byte{64, 2, 2, 10, 2, 8, 0, 1}, false, 2, true, 0},
		{"one", []byte{16, 2, 1, 10}, false, 1, true, 0},
		{"none", []byte{16, 2, 0, 0}, true, 8, true, 0},
		{"none for some", []byte{16, 2, 0, 0}, false, 8, false, 0},
		{"nothing", nil, false, 1, false, 0},
		{"nothing but NULL", nil, true, 1, true, 0},
		{"no parts", []byte{16, 0, 1, 10}, false, 1, false, 0},
		{"more parts than bytes of numbers", []byte{16, 3, 1, 10}, false, 1, false, 0},
		{"parts of odd numbers", []byte{24, 2, 1, 10}, false, 1, false, 0},
		{"a large block", []byte{0xff, 0xff, 0xff, 0xff, 0x0f, 1, 1, 10}, false, 1, false, 0},
		{"a number that never ends", []byte{16, 2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0}, true, 8, false, 0},
	} {
		pages := &checkedPages{}
		if c.nullable {
			pages.def = 1
		}
		rest, err := pages.deltas(c.data, c.n)
		if (err == nil) != c.ok || len(rest) != c.rest {
			t.Errorf("%s: %d bytes are left, %v", c.name, len(rest), err)
		}
	}
}
