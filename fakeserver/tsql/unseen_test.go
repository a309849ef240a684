package tsql

import (
	"strings"
	"testing"

	"cdcseed/fakeserver/tds"
)

// TestImplicitTransactions goes by the documentation of SET IMPLICIT_TRANSACTIONS.
func TestImplicitTransactions(t *testing.T) {
	const count = "; SELECT @@TRANCOUNT"
	for _, c := range []struct{ text, want string }{
		{"SELECT 1, 'ABC'", "0"}, // not from a table
		{"SELECT Id FROM Orders WHERE Id = 9", "1"},
		{"SELECT Id FROM Orders WHERE Id = 9; SELECT Id FROM Orders WHERE Id = 9", "1"},
		{"SELECT x FROM (SELECT 1 AS x) a WHERE x = 2", "0"},
		{"SELECT Id FROM (SELECT Id FROM Orders) a WHERE Id = 9", "1"},
		{"SELECT x FROM (VALUES (1)) a (x) WHERE x = 2", "0"},
		{"SELECT 1 WHERE 1 = 2 UNION ALL SELECT Id FROM Orders WHERE Id = 9", "1"},
		{"BEGIN TRANSACTION", "2"},
		{"BEGIN TRANSACTION; COMMIT; COMMIT", "0"},
		{"BEGIN TRANSACTION; BEGIN TRANSACTION", "3"},
		{"SELECT Id FROM Orders WHERE Id = 9; BEGIN TRANSACTION", "2"},
		{"SELECT Id FROM Orders WHERE Id = 9; COMMIT; SELECT Id FROM Orders WHERE Id = 9", "1"},
		{"SELECT Id FROM Orders WHERE Id = 9; ROLLBACK", "0"},
		{"SELECT Id FROM Orders WHERE Id = 9; SET IMPLICIT_TRANSACTIONS OFF; COMMIT; SELECT Id FROM Orders WHERE Id = 9", "0"},
	} {
		r := &recorder{}
		err := newSample().Run(t.Context(), &tds.Request{Kind: "batch", SQL: "SET IMPLICIT_TRANSACTIONS ON; " + c.text + count}, r)
		if err != nil || r.show() != c.want && !strings.HasSuffix(r.show(), "; "+c.want) && !strings.HasSuffix(r.show(), " | "+c.want) {
			t.Errorf("%s: got %q, %v; want %q", c.text, r.show(), err, c.want)
		}
	}
	s, r := newSample(), &recorder{}
	for _, text := range []string{"SET IMPLICIT_TRANSACTIONS ON", "SELECT Id FROM Orders", "IF @@TRANCOUNT > 0 COMMIT TRAN"} {
		if err := s.Run(t.Context(), &tds.Request{Kind: "batch", SQL: text}, r); err != nil {
			t.Fatal(err)
		}
	}
	if log := strings.Join(r.log, " "); !strings.Contains(log, "begun") || !strings.Contains(log, "committed") || s.TranCount() != 0 {
		t.Errorf("the wire was told %s", log)
	}
}
