package tsql

import (
	"errors"
	"testing"

	"cdcseed/fakeserver/tds"
)

// addSeeds gives a fuzz target the kept texts, right and wrong, whatever the
// engine asks, and a few that have much in them.
func addSeeds(f *testing.F) {
	f.Helper()
	for _, text := range []string{
		"SELECT TOP (2) a.b, [c d] AS x FROM t WITH (NOLOCK) WHERE ((a) = 1 OR b LIKE 'x%' ESCAPE '!') ORDER BY 1",
		"WITH q AS (SELECT 1 a) SELECT * FROM q CROSS APPLY f(q.a) y; IF 1=1 BEGIN TRY SELECT 1 END TRY BEGIN CATCH THROW END CATCH",
		"DECLARE @a decimal(10,2) = $1.5; EXEC @r = p @x = N'é', 0xF; SET @a += CASE WHEN 1 IN (1,2) THEN 1 END",
		"SELECT o.Id, c.Name FROM Orders o LEFT JOIN Customers c ON c.Id = o.CustomerId WHERE o.Price BETWEEN 1 AND 2.5",
		"SELECT CustomerId, COUNT(*), SUM(Price) FROM Orders GROUP BY CustomerId HAVING COUNT(*) > 1 ORDER BY 2 DESC OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY",
		"SELECT Id FROM Orders UNION SELECT n FROM dbo.numbers(3) EXCEPT SELECT 2",
		"SELECT CONVERT(varchar(30), CAST('2026-10-25 02:30' AS datetime2(3)) AT TIME ZONE 'UTC', 126), DATEADD(ns, 150, Day) FROM Orders",
		"SELECT ROW_NUMBER() OVER (PARTITION BY CustomerId ORDER BY Id DESC), LAG(Id, 1, -1) OVER (ORDER BY Id) FROM Orders",
		"DECLARE @t nvarchar(50) = N'SELECT @a + 1'; EXEC sp_executesql @t, N'@a int', @a = 5; EXEC ('SELECT 7')",
		"SELECT CONVERT(binary(10), '0x00AB', 1), SUBSTRING('abc', -1, 9), QUOTENAME('a]b'), HASHBYTES('SHA2_256', N'x')",
		"BEGIN TRAN; SAVE TRAN s; ROLLBACK TRAN s; COMMIT; SET XACT_ABORT ON; PRINT 'a'; RAISERROR('x %d', 16, 1, 5)",
		"SELECT STRING_AGG(Name, N',') WITHIN GROUP (ORDER BY Id) FROM Orders; USE [Sales DB]; RETURN",
	} {
		f.Add(text)
	}
	for _, g := range grammarTexts(f) {
		f.Add(g.Text)
	}
}

// FuzzParse: whatever comes in, the parser answers, always the same, and a
// refusal says where it is.
func FuzzParse(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		err := Parse(text)
		if err == nil {
			return
		}
		var e *tds.Error
		if !errors.As(err, &e) {
			t.Fatalf("%v is not a *tds.Error", err)
		}
		lines := int32(1)
		for _, c := range text {
			if c == '\n' {
				lines++
			}
		}
		if e.Number <= 0 || e.Class < 11 || e.Line < 1 || e.Line > lines || e.Message == "" {
			t.Fatalf("%+v is no error of a text of %d lines", e, lines)
		}
		if again := Parse(text); again == nil || again.Error() != err.Error() {
			t.Fatalf("first %v, then %v", err, again)
		}
	})
}

// FuzzRun: what parses compiles and runs, or fails with a number, and ends
// when its context does.
func FuzzRun(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		if b, err := parseBatch(text); err == nil && len(b.list) > 0 {
			runBriefly(t, text)
		}
	})
}
