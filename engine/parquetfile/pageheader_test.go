package parquetfile

import (
	"slices"
	"testing"
)

func TestPageSum(t *testing.T) {
	crc := []byte{0x15, 0xfe, 0xff, 0xff, 0xff, 0x0f} // the step to the next field, then 2^31-1
	sizes := []byte{0x15, 0, 0x15, 0x10, 0x15, 0x10}
	deep := slices.Repeat([]byte{0x1c}, 100)
	for _, c := range []struct {
		name   string
		header []byte
		sum    uint32
		has    bool
		ok     bool
	}{
		{"with", slices.Concat(sizes, crc, []byte{0}), 0x7fffffff, true, true},
		{"negative", slices.Concat(sizes, []byte{0x15, 1, 0}), 0xffffffff, true, true},
		{"none", append(slices.Clone(sizes), 0), 0, false, true},
		{"none, and a struct", slices.Concat(sizes, []byte{0x2c, 0x15, 2, 0x18, 2, 'a', 'b', 0, 0}), 0, false, true},
		{"a field by its number", slices.Concat(sizes, []byte{0x05, 8, 2, 0}), 1, true, true},
		{"not in order", []byte{0x55, 2, 0x05, 8, 4, 0}, 2, true, true},
		{"of another type", slices.Concat(sizes, []byte{0x16, 2, 0}), 0, false, true},
		{"of all other types", []byte{
			0x51, 0x12, 0x13, 1, 0x14, 2, 0x16, 2, 0x17, 1, 2, 3, 4, 5, 6, 7, 8,
			0x19, 0x22, 1, 2, 0x1a, 0xf5, 1, 2, 0x1b, 0, 0x1b, 1, 0x85, 1, 'x', 4, 0,
		}, 0, false, true},
		{"ends early", slices.Concat(sizes, []byte{0x15}), 0, false, false},
		{"has no end", sizes, 0, false, false},
		{"a text longer than the header", []byte{0x18, 0xff, 0xff, 0xff, 0xff, 0x0f}, 0, false, false},
		{"a list longer than the header", []byte{0x19, 0xf5, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, 0, false, false},
		{"nested without end", deep, 0, false, false},
		{"a type that is none", []byte{0x1e, 0}, 0, false, false},
	} {
		sum, has, err := pageSum(c.header)
		if (err == nil) != c.ok || sum != c.sum || has != c.has {
			t.Errorf("%s: %08x, %t, %v", c.name, sum, has, err)
		}
	}
}
