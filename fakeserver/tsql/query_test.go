package tsql

import "testing"

func TestTables(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SELECT o.Id, v.x FROM Orders o CROSS APPLY (VALUES (o.Id * 10), (o.Id)) v(x) WHERE o.Id = 2", "2 20; 2 2"},
		{"SELECT x.k FROM Orders o CROSS APPLY (SELECT o.Id AS k UNION ALL SELECT -o.Id) x WHERE o.Id < 3 ORDER BY k", "-2; -1; 1; 2"},
		{"SELECT COUNT(*) FROM (Orders o JOIN Customers c ON c.Id = o.CustomerId) JOIN Customers d ON d.Id = c.Id", "3"},
		{"SELECT COUNT(*) FROM Customers d LEFT JOIN (Orders o JOIN Customers c ON c.Id = o.CustomerId) ON d.Id = c.Id", "4"},
		{"SELECT a.Id, b.Id FROM Orders a LEFT JOIN Orders b ON b.Id = a.Id + 1 LEFT JOIN Orders c ON c.Id = b.Id + 1 WHERE c.Id IS NULL", "3 4; 4 NULL"},
		{"SELECT t.k FROM dbo.numbers(2) AS t(k)", "1; 2"},
		{"SELECT dbo.Orders.Id FROM dbo.Orders WHERE dbo.Orders.Id = 1", "1"},
		{"SELECT Name FROM Customers c WHERE EXISTS (SELECT * FROM Customers d WHERE d.Id = c.Id + 10)", "Ann; Bob"},
		{"SELECT (SELECT COUNT(*) FROM Orders o WHERE o.CustomerId = c.Id AND o.Id > (SELECT MIN(Id) FROM Orders)) FROM Customers c", "1; 1; 0"},
		{"SELECT Id FROM Orders o WHERE Price = (SELECT MAX(p.Price) FROM Orders p WHERE p.CustomerId = o.CustomerId)", "1; 2"},
		{"SELECT TOP 1 Id FROM Orders WHERE CustomerId IN (SELECT c.Id FROM Customers c WHERE c.Id = Orders.CustomerId) ORDER BY Id DESC", "3"},
		{"DECLARE @n int = 2; SELECT TOP (@n) Id FROM Orders ORDER BY Id; SELECT TOP (0) Id FROM Orders", "1; 2 | "},
		{"WITH a AS (SELECT 1 x UNION ALL SELECT 2), b AS (SELECT p.x, q.x y FROM a p, a q) SELECT SUM(x * y) FROM b", "9"},
	} {
		expectRows(t, c.text, c.want)
	}
}

func TestGroups(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SELECT AVG(Id), AVG(CAST(Id AS float)), SUM(CAST(Id AS float)), AVG(CAST(Id AS money)), SUM(CAST(Id AS bigint)) FROM Orders", "2 2.5 10 2.50 10"},
		{"SELECT MIN(Name), MAX(Day), MIN(CAST(Name AS varbinary(2))) FROM Orders", "Apple 2026-11-03 0x4100"},
		{"SELECT CASE WHEN Id > 2 THEN 'b' ELSE 'a' END k, COUNT(*) FROM Orders GROUP BY CASE WHEN Id > 2 THEN 'b' ELSE 'a' END ORDER BY k", "a 2; b 2"},
		{"SELECT UPPER(Name) FROM Orders GROUP BY UPPER(Name) ORDER BY UPPER(Name) DESC", "CHERRY; BANANA; APPLE; NULL"},
		{"SELECT o.CustomerId FROM Orders o GROUP BY CustomerId ORDER BY COUNT(*) DESC, MAX(o.Id) DESC", "10; NULL; 20"},
		{"SELECT Day, RANK() OVER (ORDER BY COUNT(*) DESC), DENSE_RANK() OVER (ORDER BY COUNT(*) DESC) FROM Orders GROUP BY Day ORDER BY Day", "2026-11-01 2 2; 2026-11-02 1 1; 2026-11-03 2 2"},
		{"SELECT 1 FROM Orders HAVING COUNT(*) > 3", "1"},
		{"SELECT COUNT(*) FROM Empty HAVING COUNT(*) > 0", ""},
		{"SELECT (SELECT c.Name FROM Customers c WHERE c.Id = o.CustomerId), COUNT(*) FROM Orders o GROUP BY o.CustomerId ORDER BY o.CustomerId", "NULL 1; Ann 2; Bob 1"},
		{"SELECT STRING_AGG(CAST(Id AS varchar(5)), '-') FROM Orders WHERE Id > 1", "2-3-4"},
	} {
		expectRows(t, c.text, c.want)
	}
}

func TestConditions(t *testing.T) {
	for _, c := range []struct{ when, want string }{
		{"'a%b' LIKE 'a!%b' ESCAPE '!'", "1"},
		{"'axb' LIKE 'a!%b' ESCAPE '!'", "0"},
		{"'x[y' LIKE '%[[]y'", "1"},
		{"'b' LIKE '[^a-c]'", "0"},
		{"'d' LIKE '[^a-c]'", "1"},
		{"'aaab' LIKE '%a%ab'", "1"},
		{"'' LIKE '%'", "1"},
		{"'ab' LIKE 'a_'", "1"},
		{"'a' LIKE 'a_'", "0"},
		{"NULL LIKE 'a'", "0"},
		{"'AB' COLLATE Latin1_General_BIN2 LIKE 'a%'", "0"},
		{"'ab' NOT LIKE 'b%'", "1"},
		{"']' LIKE '[]]'", "1"},
		{"'a' LIKE '[a'", "0"},
		{"CAST(1 AS bit) > CAST(0 AS bit)", "1"},
		{"CAST(1 AS bit) = 'true'", "1"},
		{"$1.5 > 1", "1"},
		{"1.50 = 1.5", "1"},
		{"1e0 = 1", "1"},
		{"0x01 < 0x0100", "0"},
		{"0x01 < 0x02", "1"},
		{"0x0001 > 0x00", "1"},
		{"'2026-01-01' = CAST('2026-01-01' AS date)", "1"},
		{"CAST('2026-01-01 01:00 +01:00' AS datetimeoffset) = CAST('2026-01-01' AS datetime2)", "1"},
		{"NOT NULL = 1", "0"},
		{"NULL = 1 OR 1 = 1", "1"},
		{"NULL = 1 AND 1 = 0", "0"},
		{"NOT (NULL = 1 AND 1 = 0)", "1"},
		{"1 NOT IN (2, NULL)", "0"},
		{"1 IN (NULL, 1)", "1"},
		{"2 NOT BETWEEN 3 AND 4", "1"},
		{"NULL IS NULL", "1"},
		{"1 IS NOT NULL", "1"},
		{"1 !< 1", "1"},
		{"1 !> 0", "0"},
		{"CAST(5 AS sql_variant) = 5", "1"},
		{"'a' < N'B'", "1"},
		{"'abc  ' = 'ABC'", "1"},
		{"CAST('6F9619FF-8B86-D011-B42D-00C04FC964FF' AS uniqueidentifier) = '6f9619ff-8b86-d011-b42d-00c04fc964ff'", "1"},
	} {
		expectRows(t, "SELECT IIF("+c.when+", 1, 0)", c.want)
	}
}

func TestOddValues(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SELECT CAST(1 AS bit) & 1, CAST(1 AS bit) | CAST(0 AS bit), CAST(1 AS bit) ^ CAST(1 AS bit)", "1 1 0"},
		{"SELECT CAST('2026-01-31' AS datetime) + 1, CAST('2026-01-31' AS datetime) - 0.5, CAST(CAST('1900-01-03' AS datetime) AS int)", "2026-02-01 00:00:00.000 2026-01-30 12:00:00.000 2"},
		{"SELECT CAST(1.5 AS datetime), CAST(0x0000000100000000 AS datetime), CAST('1900-01-02' AS datetime) + CAST('12:00' AS datetime)", "1900-01-02 12:00:00.000 1900-01-02 00:00:00.000 1900-01-02 12:00:00.000"},
		{"SELECT 9 % 4.5, 10.5 % 3, 1e0 / 4, 2e0 * 3 - 1, $10 / 4, -$1.5, - 2.5e0", "0.0 1.5 0.25 5 2.50 -1.50 -2.5"},
		{"SELECT CAST(0x610062006300 AS nvarchar(5)), CAST(N'abc' AS binary(2)), CAST(1.25e0 AS binary(8)), CAST($1 AS binary(8))", "abc 0x6100 0x3FF4000000000000 0x0000000000002710"},
		{"SELECT CONVERT(varchar(30), 0.1e0, 3), CONVERT(varchar(30), 1e30), CONVERT(varchar(30), 1.5e0, 1)", "1.0000000000000001e-001 1e+030 1.5000000e+000"},
		{"SELECT CONVERT(datetime, '03/04/2026'), CONVERT(datetime, '03/04/2026', 103), CONVERT(datetime, 'Mar 4 2026  3:04PM'), CONVERT(datetime, '20260304 01:02:03.004'), CAST('' AS datetime)", "2026-03-04 00:00:00.000 2026-04-03 00:00:00.000 2026-03-04 15:04:00.000 2026-03-04 01:02:03.003 1900-01-01 00:00:00.000"},
		{"SELECT CONVERT(varchar(8), CAST('12:34:56.7' AS time(1)), 108), CAST(CAST('12:34:56.7' AS time(1)) AS varchar(20)), CONVERT(time(0), CAST('2026-01-01 12:34:56' AS datetime))", "12:34:56 12:34:56.7 12:34:56"},
		{"SELECT CONVERT(varchar(30), NULL, 126), CONVERT(varchar(30), CAST('2026-01-01' AS date), NULL)", "NULL NULL"},
		{"SELECT ABS(-5), ABS(2.5), ABS(CAST(NULL AS int)), 0x0F + 0x01", "5 2.5 NULL 0x0F01"},
		{"SELECT @@VERSION, @@LOCK_TIMEOUT, @@DATEFIRST, XACT_STATE(), ERROR_NUMBER()", "sample -1 7 0 NULL"},
		{"SET LOCK_TIMEOUT 5000; SELECT @@LOCK_TIMEOUT", "5000"},
		{"DECLARE @p nvarchar(10) = N'x'; EXEC sp_echo @a = @p, @b = -1, @c = word, @d = NULL, @e = DEFAULT", "x -1 word NULL"},
		{"SELECT DATEADD(yy, 1, '2024-02-29'), DATEADD(qq, -1, CAST('2026-03-31' AS date)), DATEADD(wk, 1, CAST('2026-03-31' AS date))", "2025-02-28 00:00:00.000 2025-12-31 2026-04-07"},
		{"SELECT DATENAME(month, '2026-03-01'), DATEPART(dayofyear, '2026-02-01'), DATEPART(week, '2026-01-04'), DATEDIFF(quarter, '2026-03-31', '2026-04-01'), DATEDIFF(month, '2026-03-31', '2026-04-01')", "March 32 2 1 1"},
		{"BEGIN TRY THROW 50005, N'mine', 7 END TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_MESSAGE(), ERROR_STATE(), ERROR_LINE(), ERROR_PROCEDURE() END CATCH", "50005 mine 7 1 NULL"},
	} {
		expectRows(t, c.text, c.want)
	}
}

func TestMoreErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		want int32
	}{
		{"SELECT CAST('1e3' AS decimal(9,2))", 8114},
		{"SELECT CAST('1.5' AS int)", 245},
		{"SELECT CAST('300' AS tinyint)", 244},
		{"SELECT CAST('99999999999999999999' AS bigint)", 8115},
		{"SELECT CAST(1e300 AS int)", 8115},
		{"SELECT CAST('2026-02-30' AS date)", 241},
		{"SELECT CAST('1700-01-01' AS datetime)", 242},
		{"SELECT CAST('2026-01-01 00:00:00.1234' AS datetime)", 241},
		{"SELECT CAST('2026-01-01 00:00 +01:00' AS datetime)", 241},
		{"SELECT CAST('1800-01-01' AS smalldatetime)", 242},
		{"SELECT CONVERT(varchar(30), GETDATE(), 999)", 281},
		{"SELECT CONVERT(varchar(30), GETDATE(), 'x')", 8116},
		{"SELECT CONVERT(binary(2), '0xZZ', 1)", 8114},
		{"SELECT CONVERT(binary(2), 'FF', 1)", 8114},
		{"SELECT CONVERT(binary(2), 'FF', 9)", 281},
		{"SELECT CAST(12345 AS nvarchar(2))", 8115},
		{"SELECT CAST(CAST('6F9619FF-8B86-D011-B42D-00C04FC964FF' AS uniqueidentifier) AS varchar(10))", 8170},
		{"SELECT -CAST(-2147483648 AS int)", 8115},
		{"SELECT ~1.5", 8117},
		{"SELECT -'a'", 8117},
		{"SELECT 1.5 & 1", 402},
		{"SELECT CAST(1 AS bit) + CAST(1 AS bit)", 8117},
		{"SELECT 1e308 * 10", 8115},
		{"SELECT 1e0 / 0", 8134},
		{"SELECT 1 % 0", 8134},
		{"SELECT 5e0 % 2", 402},
		{"SELECT CAST(9223372036854775807 AS bigint) * 2", 8115},
		{"SELECT GETDATE() * 2", 8117},
		{"SELECT DATEADD(year, 9999, GETDATE())", 517},
		{"SELECT DATEADD(hour, 1, CAST('2026-01-01' AS date))", 9810},
		{"SELECT DATEPART(tz, GETDATE())", 9810},
		{"SELECT DATEDIFF(ms, '2026-01-01', '2026-12-01')", 535},
		{"SELECT SWITCHOFFSET(CAST('2026-01-01' AS datetimeoffset), '+25:00')", 9812},
		{"SELECT LEFT('a', -1)", 537},
		{"SELECT SUBSTRING('a', 1, -1)", 537},
		{"SELECT 'a' LIKE 'b'", 156},
		{"SELECT 1 WHERE 'a' LIKE 'b' ESCAPE 'xx'", 506},
		{"SELECT TOP (-1) 1", 127},
		{"DECLARE @n int; SELECT TOP (@n) 1", 1014},
		{"SELECT Id FROM Orders ORDER BY Id OFFSET -1 ROWS", 10742},
		{"SELECT Id FROM Orders ORDER BY Id OFFSET 1.5 ROWS", 10743},
		{"DECLARE @n int; SELECT Id FROM Orders ORDER BY Id OFFSET @n ROWS", 10743},
		{"DECLARE @n int = -1; SELECT Id FROM Orders ORDER BY Id OFFSET 0 ROWS FETCH NEXT @n ROWS ONLY", 127},
		{"SELECT TOP ('a') 1", 1060},
		{"SELECT Id FROM Orders ORDER BY Id OFFSET 0 ROWS FETCH NEXT 0 ROWS ONLY", 10744},
		{"SELECT TOP 1 Id FROM Orders ORDER BY Id OFFSET 0 ROWS", 10741},
		{"SELECT LAG(Id, -1) OVER (ORDER BY Id) FROM Orders", 8730},
		{"SELECT LAG(Id) OVER (PARTITION BY Id) FROM Orders", 4112},
		{"SELECT COUNT(*) OVER (ORDER BY Id) FROM Orders", NotSimulated},
		{"SELECT LEN('a') OVER (ORDER BY Id) FROM Orders", 4113},
		{"SELECT MAX(Id) WITHIN GROUP (ORDER BY Id) FROM Orders", 10757},
		{"SELECT SUM(Name) FROM Orders", 8117},
		{"SELECT SUM(*) FROM Orders", 102},
		{"SELECT COUNT((SELECT 1)) FROM Orders", 130},
		{"SELECT 1 FROM Orders o JOIN Customers c ON MAX(o.Id) = 1", 1015},
		{"WITH q AS (SELECT 1 a UNION ALL SELECT a + 1 FROM q) SELECT a FROM q", NotSimulated},
		{"WITH q AS (SELECT Nope FROM Orders) SELECT 1", 207},
		{"SELECT (SELECT @a = 1)", 137},
		{"DECLARE @a int; SELECT (SELECT @a = 1)", 102},
		{"DECLARE @a int; SELECT @a = 1 UNION SELECT 2", 102},
		{"SELECT COALESCE(NULL, NULL)", 4127},
		{"SELECT NULLIF(NULL, 1)", 4151},
		{"SELECT ISNULL(1)", 174},
		{"SELECT COALESCE(1)", 174},
		{"SELECT CASE WHEN 1 = 1 THEN 1 ELSE CAST('2026-01-01' AS date) END", 206},
		{"SELECT 1 COLLATE Latin1_General_BIN2", 447},
		{"SELECT Id FROM Orders ORDER BY 'x'", 408},
		{"SELECT DISTINCT doc FROM Empty", 421},
		{"SELECT doc FROM Empty UNION SELECT doc FROM Empty", 421},
		{"SELECT 1 FROM Empty WHERE doc = '<a/>'", 402},
		{"SELECT * FROM (VALUES (1), (1, 2)) x(a)", 10709},
		{"SELECT * FROM (VALUES (1)) x", 8155},
		{"RETURN 1", 178},
		{"WAITFOR DELAY 'x'", 148},
		{"RAISERROR('x', 20, 1)", 2754},
		{"THROW 1, 'x', 1", 35100},
		{"EXEC sp_executesql", 201},
		{"EXEC sp_executesql 'SELECT 1'", 214},
		{"SAVE TRAN x", 628},
		{"USE", 102},
		{"DECLARE @t nvarchar(100) = N'EXEC (@t)'; EXEC (@t)", 137},
		{"SET DATEFORMAT dmy", NotSimulated},
		{"SELECT ERROR_NUMBER(1)", 174},
		{"SELECT 1 FROM (SELECT 1 AS a) AS x(b, c)", 8159},
	} {
		expectError(t, c.text, c.want)
	}
}

// TestShortcutsChangeNothing: the rows are the same whether WHERE can decide
// early or not, and whether a sort keeps all rows or the first few.
func TestShortcutsChangeNothing(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SELECT o.Id, c.Id FROM Orders o LEFT JOIN Customers c ON c.Id = o.CustomerId WHERE o.Id > 2 AND c.Id IS NULL", "4 NULL"},
		{"SELECT o.Id, c.Id FROM Orders o RIGHT JOIN Customers c ON c.Id = o.CustomerId WHERE o.Id IS NULL", "NULL 30"},
		{"SELECT o.Id, c.Id FROM Orders o FULL JOIN Customers c ON c.Id = o.CustomerId AND c.Id = 10 WHERE o.Id > 3 OR o.Id IS NULL ORDER BY c.Id", "4 NULL; NULL 20; NULL 30"},
		{"SELECT o.Id, x.Id FROM Orders o OUTER APPLY (SELECT p.Id FROM Orders p WHERE p.Id = o.Id + 1) x WHERE o.Id >= 3 AND 1 = 1", "3 4; 4 NULL"},
		// The row that cannot be divided by has no partner, so WHERE never sees it.
		{"SELECT o.Id FROM Orders o JOIN Customers c ON c.Id = o.CustomerId WHERE 10 / (o.Id - 4) < 0 ORDER BY 1", "1; 2; 3"},
		{"SELECT TOP (3) n FROM dbo.numbers(1000) ORDER BY n % 10, n DESC", "1000; 990; 980"},
		{"SELECT n FROM dbo.numbers(1000) ORDER BY n / 500 DESC OFFSET 2 ROWS FETCH NEXT 2 ROWS ONLY", "501; 502"},
		{"SELECT MAX(x.n) FROM (SELECT TOP (700) n FROM dbo.numbers(1000) ORDER BY n) x", "700"},
		{"SELECT TOP (1) n FROM dbo.numbers(1000) ORDER BY n DESC", "1000"},
		{"SELECT TOP (2) n FROM dbo.numbers(1000) ORDER BY n / 2000", "1; 2"},
	} {
		expectRows(t, c.text, c.want)
	}
}
