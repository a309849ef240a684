package parquetfile

import "testing"

// Levels that end early make the library's decoder wait for ever, so they must
// be found before it sees them.
func TestLevelRuns(t *testing.T) {
	for _, c := range []struct {
		name    string
		data    []byte
		highest int16
		n       int32
		ok      bool
	}{
		{"run of 100", []byte{0xc8, 0x01, 1}, 1, 100, true},
		{"run of 8", []byte{8 << 1, 1}, 1, 8, true},
		{"run of 8 for 9", []byte{8 << 1, 1}, 1, 9, false},
		{"two runs", []byte{8 << 1, 1, 4 << 1, 0}, 1, 12, true},
		{"packed group", []byte{1<<1 | 1, 0xff}, 1, 8, true},
		{"packed group, two bits", []byte{1<<1 | 1, 0xff, 0xff}, 3, 8, true},
		{"packed group without padding", []byte{2<<1 | 1, 0xff}, 1, 8, true},
		{"packed group cut", []byte{2<<1 | 1, 0xff}, 1, 9, false},
		{"empty", nil, 1, 1, false},
		{"empty run", []byte{0, 1, 0, 1}, 1, 1, false},
		{"no value behind the header", []byte{8 << 1}, 1, 8, false},
		{"header that never ends", []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 1, 8, false},
		{"huge group", []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0}, 1, 8, false},
		{"no levels needed", nil, 0, 8, true},
		{"no values", nil, 1, 0, true},
	} {
		if err := levelRuns(c.data, c.highest, c.n); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
