package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine/verdict"
)

// A value that a sample did not see is refused while its file is made, with its
// row's key, and with how to have all such values counted first.
func TestRefusalWhileStagingHasTheKey(t *testing.T) {
	const rows, bad = 60_000, 18_000 // behind the rows that the sample takes from the beginning
	var b strings.Builder
	for i := range rows {
		amount := "1.00"
		if i == bad {
			amount = "1,234.50"
		}
		fmt.Fprintf(&b, `{"id": %d, "name": "n", "amount": %q}`+"\n", i+1, amount)
	}
	k := kitIn(t, scene{})
	k.newCopy([]arrow.Field{field("id", int32s), field("name", texts), field("amount", texts)}, "["+strings.ReplaceAll(strings.TrimSpace(b.String()), "\n", ",")+"]")
	p, err := k.build()
	k.must(err)
	k.request.Accept = unaccepted(p)
	_, err = k.seed()
	if !isCode(err, verdict.ValueRefused) {
		t.Fatal(err)
	}
	e := verdict.As(err)
	if !strings.Contains(e.Error(), fmt.Sprintf("1,234.50 (a.parquet row %d, id %d)", bad+1, bad+1)) || !strings.Contains(strings.Join(e.Hint, "\n"), "--check all counts all such values") {
		t.Errorf("%v\n%q", e, e.Hint)
	}
}
