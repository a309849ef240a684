package tsql

import "testing"

func TestWordsThatChangeNoRow(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"DECLARE @a int = 1; SELECT @a += Id FROM Orders; SELECT @a", "11"},
		{"SELECT o.Id FROM Orders o INNER HASH JOIN Customers c ON c.Id = o.CustomerId ORDER BY 1", "1; 2; 3"},
		{"SELECT COUNT(*) FROM Orders o LEFT OUTER LOOP JOIN Customers c ON c.Id = o.CustomerId", "4"},
		{"SELECT COUNT(*) FROM Orders (NOLOCK)", "4"},
		{"SELECT COUNT(*) FROM Orders AS o (NOLOCK, TABLOCK)", "4"},
		{"EXEC sp_echo 1 WITH RECOMPILE", "1"},
		{"EXEC sp_echo WITH RECOMPILE; SELECT 2", " | 2"},
	} {
		expectRows(t, c.text, c.want)
	}
}
