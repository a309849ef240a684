package tsql

import (
	"strings"
	"testing"
)

func TestRaiserrorTexts(t *testing.T) {
	for _, c := range []struct {
		args, want string
		number     int32
	}{
		{"N'%s has %d rows', 5, 1, N'Orders', 7", "Orders has 7 rows", raised},
		{"'100%%: %i, %u, %o, %x, %X', 5, 1, -1, 8, 8, 255, 255", "100%: -1, 8, 10, ff, FF", raised},
		{"'%d', 5, 1", "(null)", raised},
		{"'%s', 5, 1, NULL", "(null)", raised},
		{"'%d', 5, 1, 'x'", "", 2786},
		{"'%s', 5, 1, 1", "", 2786},
		{"'%q', 5, 1, 1", "", 2787},
		{"'%', 5, 1, 1", "", 2787},
		{"'x', 5, 1" + strings.Repeat(", 1", 21), "", 2747},
	} {
		r, err := ask(t, "RAISERROR("+c.args+")")
		if err == nil {
			err = r.messages[0]
		}
		if got := numberOf(t, err); got != c.number || c.want != "" && !strings.HasSuffix(err.Error(), ": "+c.want) {
			t.Errorf("%s: %v, want %d %s", c.args, err, c.number, c.want)
		}
	}
}
