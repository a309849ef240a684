package tsql

import "testing"

// What SQL Server can do and is not played says so; it is not taken for a mistake.
func TestUnplayed(t *testing.T) {
	for _, text := range []string{
		"SELECT FORMAT(1, 'N')", "SELECT FIRST_VALUE(Id) OVER (ORDER BY Id) FROM Orders", "SELECT STUFF('abc', 1, 1, 'x')", "SELECT APPROX_COUNT_DISTINCT(Id) FROM Orders",
		"SELECT NEWID()", "SELECT JSON_VALUE('{}', '$.a')", "SELECT PARSE('1' AS int)", "SELECT NEXT VALUE FOR dbo.s", "SELECT @@FETCH_STATUS", "SELECT STDEV(DISTINCT Id) FROM Orders",
		"SELECT value FROM STRING_SPLIT('a,b', ',')", "SELECT * FROM OPENJSON('{}')", "SELECT * FROM OPENROWSET('a', 'b', 'c') AS x",
		"SELECT Id FROM Orders GROUP BY ROLLUP(Id)", "SELECT Id FROM Orders GROUP BY GROUPING SETS ((Id), ())", "SELECT Id FROM Orders GROUP BY Id WITH CUBE", "SELECT 1 FROM Orders GROUP BY ()",
		"SELECT Id FROM Orders WHERE Id IS NOT DISTINCT FROM 1", "SELECT Id FROM Orders WHERE CONTAINS(Name, 'x')", "SELECT Id FROM Orders WHERE Id >= ALL (SELECT 1)",
		"SELECT TOP (1) WITH TIES Id FROM Orders ORDER BY Id", "SELECT TOP (50) PERCENT Id FROM Orders", "SELECT SUM(Id) OVER (ORDER BY Id) FROM Orders",
		"SELECT ROW_NUMBER() OVER (ORDER BY Id ROWS UNBOUNDED PRECEDING) FROM Orders",
		"SELECT * FROM Orders TABLESAMPLE (10 PERCENT)", "SELECT * FROM Orders FOR SYSTEM_TIME ALL", "SELECT * FROM Orders PIVOT (COUNT(Id) FOR Name IN ([a])) p",
		"SELECT * FROM Orders WITH (INDEX(1))", "SELECT * FROM Orders a INNER REMOTE JOIN Customers b ON a.Id = b.Id", "SELECT 1 OPTION (USE HINT ('x'))", "SELECT 1 OPTION (QUERYTRACEON 1)",
		"SELECT 1 a FOR XML PATH('x'), ROOT('y')", "SELECT 1 FOR BROWSE", "SELECT 1 AS a INTO x",
		"SELECT {ts '2026-01-01 00:00:00'}", "SELECT {fn NOW()}", "{call sp_echo}", "x: SELECT 1", "EXECUTE AS USER = 'x'", "EXEC ('SELECT 1') AT other", "EXEC sp_echo WITH RESULT SETS NONE",
		"EXEC ('SELECT ?', 1)", "DECLARE @p sysname = N'sp_echo'; EXEC @p", "WITH q AS (SELECT 1 AS a) DELETE q", "SELECT CAST('/' AS hierarchyid)", "DECLARE @g geography",
		"RAISERROR('%5d', 16, 1, 5)", "RAISERROR(50001, 16, 1)", "SELECT 1 FROM Orders a JOIN Orders b JOIN Orders c ON 1 = 1 ON 1 = 1",
	} {
		expectError(t, text, NotSimulated)
	}
}
