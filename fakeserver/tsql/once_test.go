package tsql

import (
	"context"
	"strings"
	"testing"

	"cdcseed/fakeserver/tds"
)

// countingWorld has a function counted(x), which gives x and counts its calls.
type countingWorld struct {
	sampleWorld
	calls int
}

func (w *countingWorld) ScalarFunction(n Name, args []tds.Type) (tds.Type, func(context.Context, []Value) (any, error), error) {
	if !strings.EqualFold(n[0], "counted") {
		return w.sampleWorld.ScalarFunction(n, args)
	}
	return tds.Int, func(_ context.Context, a []Value) (any, error) {
		w.calls++
		return a[0].V, nil
	}, nil
}

// What depends on no row is found once; what does is found for each, and rows
// that cannot be partners are not tried.
func TestEvaluatedOnce(t *testing.T) {
	for _, c := range []struct {
		text, want string
		calls      int // at most
	}{
		{"SELECT COUNT(*) FROM numbers(500) a WHERE a.n > counted(3 + 4)", "493", 1},
		{"DECLARE @x int = 7; SELECT COUNT(*) FROM numbers(500) a WHERE a.n > counted(@x)", "493", 1},
		{"SELECT SUM(counted(2)) FROM numbers(500) a", "1000", 1},
		{"SELECT COUNT(*) FROM numbers(500) a WHERE a.n > (SELECT MAX(counted(b.n)) FROM numbers(5) b)", "495", 5},
		{"SELECT COUNT(*) FROM numbers(500) a WHERE EXISTS (SELECT 1 FROM numbers(5) b WHERE counted(b.n) = 5)", "500", 5},
		{"SELECT COUNT(*) FROM numbers(500) a WHERE a.n IN (SELECT counted(b.n) FROM numbers(5) b)", "5", 5},
		{"SELECT COUNT(*) FROM numbers(500) a WHERE a.n NOT IN (SELECT counted(b.n) FROM numbers(5) b)", "495", 5},
		{"SELECT COUNT(*) FROM numbers(500) a JOIN numbers(500) b ON counted(b.n) > 0 AND b.n = a.n", "500", 500},
		{"SELECT COUNT(*) FROM numbers(500) a LEFT JOIN numbers(100) b ON counted(b.n) > 0 AND a.n = b.n WHERE b.n IS NULL", "400", 100},
		{"SELECT COUNT(*) FROM numbers(100) a FULL JOIN numbers(500) b ON counted(b.n) > 0 AND a.n = b.n", "500", 100},
		{"SELECT COUNT(*) FROM numbers(500) a, numbers(500) b WHERE counted(b.n) > 0 AND b.n = a.n", "500", 500},
		{"SELECT COUNT(*) FROM Orders a JOIN Orders b ON counted(b.Id) > 0 AND a.Name = b.Name AND a.CustomerId = b.CustomerId", "3", 3},
		{"SELECT a.k, b.k FROM (VALUES ('A '), ('b'), (NULL)) a(k) JOIN (VALUES (N'a'), (N'B'), (N'c'), (NULL)) b(k) ON counted(1) = 1 AND a.k = b.k", "A  a; b B", 1},
		{"SELECT a.k FROM (VALUES ('A'), ('b')) a(k) JOIN (VALUES ('a'), ('b')) b(k) ON a.k = b.k COLLATE Latin1_General_BIN2", "b", 0},
		{"SELECT a.k FROM (VALUES (0x0100), (0x02)) a(k) JOIN (VALUES (0x01), (0x0002)) b(k) ON a.k = b.k", "0x0100", 0},
		{"SELECT a.k FROM (VALUES (1), (2)) a(k) JOIN (VALUES ('01'), ('3')) b(k) ON a.k = b.k", "1", 0},
		{"SELECT a.k FROM (VALUES (CAST(1 AS tinyint)), (2)) a(k) JOIN (VALUES (CAST(1 AS bigint)), (3)) b(k) ON a.k = b.k", "1", 0},
		// of each row
		{"SELECT COUNT(*) FROM numbers(5) a WHERE a.n = counted(a.n)", "5", 5},
		{"SELECT (SELECT MAX(counted(a.n)) FROM numbers(2) b) FROM numbers(3) a", "1; 2; 3", 6},
		{"SELECT (SELECT MAX(x.k) FROM (SELECT b.n * a.n AS k FROM numbers(2) b) x) FROM numbers(3) a", "2; 4; 6", 0},
		{"SELECT a.n FROM numbers(3) a WHERE EXISTS (SELECT 1 FROM numbers(3) b WHERE EXISTS (SELECT 1 FROM numbers(1) c WHERE c.n + 1 = a.n))", "2", 0},
		{"SELECT (SELECT b.n FROM numbers(3) b ORDER BY b.n OFFSET a.n - 1 ROWS FETCH NEXT 1 ROWS ONLY) FROM numbers(3) a", "1; 2; 3", 0},
		{"SELECT a.n FROM numbers(3) a WHERE a.n IN (SELECT 1 UNION ALL SELECT a.n - 1 + 1 WHERE a.n = 3)", "1; 3", 0},
		{"SELECT a.n, v.k FROM numbers(2) a CROSS APPLY (SELECT (SELECT MAX(b.n) FROM numbers(5) b WHERE b.n <= a.n) AS k) v", "1 1; 2 2", 0},
		// a variable that the statement itself changes
		{"DECLARE @x int = 1; SELECT @x = counted(@x) + @x FROM numbers(3) a; SELECT @x", "8", 3},
		{"DECLARE @x int = 1; SELECT @x = @x + (SELECT MAX(b.n) FROM numbers(2) b WHERE b.n <= @x) FROM numbers(2) a; SELECT @x", "4", 0},
	} {
		w := &countingWorld{}
		r := &recorder{}
		if err := NewSession(w, sampleNow).Run(t.Context(), &tds.Request{Kind: "batch", SQL: c.text}, r); err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := r.show(); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
		if w.calls > c.calls {
			t.Errorf("%s: %d calls, want at most %d", c.text, w.calls, c.calls)
		}
	}
}

// What is found once fails where it is first needed and not where no row comes.
func TestErrorsOfWhatIsEvaluatedOnce(t *testing.T) {
	for _, c := range []struct {
		text   string
		number int32
	}{
		{"SELECT 1 FROM numbers(0) a WHERE a.n = LEFT('x', -1)", 0},
		{"SELECT 1 FROM numbers(3) a WHERE a.n = 9 AND a.n = LEN(LEFT('x', -1))", 0},
		{"SELECT 1 FROM numbers(3) a WHERE a.n = LEN(LEFT('x', -1))", 537},
		{"SELECT 1 FROM numbers(3) a WHERE a.n = (SELECT b.n FROM numbers(2) b)", 512},
		{"SELECT 1 FROM numbers(3) a WHERE a.n = 9 AND a.n = (SELECT b.n FROM numbers(2) b)", 0},
		{"SELECT 1 FROM numbers(1) a WHERE a.n IN (SELECT 4 / (4 - b.n) FROM numbers(4) b)", 0},
		{"SELECT 1 FROM numbers(4) a WHERE a.n IN (SELECT 4 / (4 - b.n) FROM numbers(4) b)", 8134},
		{"SELECT 1 FROM numbers(4) a WHERE EXISTS (SELECT 4 / (4 - b.n) FROM numbers(4) b)", 0},
	} {
		if c.number != 0 {
			expectError(t, c.text, c.number)
			continue
		}
		if r, err := ask(t, c.text); err != nil || len(r.messages) > 0 {
			t.Errorf("%s: %v %v", c.text, err, r.messages)
		}
	}
}
