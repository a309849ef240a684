package tsql

import (
	"testing"
	_ "time/tzdata"
)

func TestQueries(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SELECT 1", "1"},
		{"SELECT Id FROM Orders WHERE Name = N'APPLE'", "1"},
		{"SELECT Id FROM dbo.Orders WHERE Name COLLATE Latin1_General_BIN2 = N'APPLE'", ""},
		{"SELECT TOP (2) Id FROM Orders ORDER BY Id DESC", "4; 3"},
		{"SELECT Id, Price FROM Orders ORDER BY Price DESC, Id", "2 2.50; 1 1.50; 4 1.00; 3 NULL"},
		{"SELECT Id FROM Orders ORDER BY Id OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY", "2; 3"},
		{"SELECT o.Id, c.Name FROM Orders o JOIN Customers c ON c.Id = o.CustomerId ORDER BY 1", "1 Ann; 2 Bob; 3 Ann"},
		{"SELECT o.Id, c.Name FROM Orders o LEFT JOIN Customers c ON c.Id = o.CustomerId ORDER BY o.Id", "1 Ann; 2 Bob; 3 Ann; 4 NULL"},
		{"SELECT o.Id, c.Id FROM Orders o RIGHT JOIN Customers c ON c.Id = o.CustomerId ORDER BY c.Id, o.Id", "1 10; 3 10; 2 20; NULL 30"},
		{"SELECT o.Id, c.Id FROM Orders o FULL JOIN Customers c ON c.Id = o.CustomerId ORDER BY c.Id, o.Id", "4 NULL; 1 10; 3 10; 2 20; NULL 30"},
		{"SELECT COUNT(*) FROM Orders, Customers", "12"},
		{"SELECT c.Name, x.n FROM Customers c CROSS APPLY (SELECT COUNT(*) AS n FROM Orders o WHERE o.CustomerId = c.Id) x ORDER BY 1", "Ann 2; Bob 1; Cid 0"},
		{"SELECT c.Id, x.Id FROM Customers c OUTER APPLY (SELECT TOP (1) o.Id FROM Orders o WHERE o.CustomerId = c.Id ORDER BY o.Id DESC) x ORDER BY c.Id", "10 3; 20 2; 30 NULL"},
		{"SELECT o.Id, n.n FROM Orders o CROSS APPLY dbo.numbers(o.Id) n WHERE o.Id < 3", "1 1; 2 1; 2 2"},
		{"SELECT v.k, v.s FROM (VALUES (1, N'a'), (2, NULL)) AS v(k, s)", "1 a; 2 NULL"},
		{"SELECT CustomerId, COUNT(*) n, MAX(Name) FROM Orders GROUP BY CustomerId HAVING COUNT(*) > 1", "10 2 Cherry"},
		{"SELECT CustomerId, SUM(Price), AVG(Price), COUNT(Price) FROM Orders GROUP BY CustomerId ORDER BY CustomerId", "NULL 1.00 1.000000 1; 10 1.50 1.500000 1; 20 2.50 2.500000 1"},
		{"SELECT CustomerId + 1 FROM Orders WHERE CustomerId IS NOT NULL GROUP BY CustomerId + 1 ORDER BY CustomerId + 1 DESC", "21; 11"},
		{"SELECT COUNT(*), MIN(a), SUM(a) FROM Empty", "0 NULL NULL"},
		{"SELECT a FROM Empty GROUP BY a", ""},
		{"SELECT COUNT(DISTINCT CustomerId) FROM Orders", "2"},
		{"SELECT DISTINCT Day FROM Orders ORDER BY Day DESC", "2026-11-03; 2026-11-02; 2026-11-01"},
		{"SELECT STRING_AGG(Name, N',') WITHIN GROUP (ORDER BY Id DESC) FROM Orders", "Cherry,banana,Apple"},
		{"SELECT Id FROM Orders UNION SELECT CustomerId FROM Orders ORDER BY Id", "NULL; 1; 2; 3; 4; 10; 20"},
		{"SELECT 1 UNION ALL SELECT 1 UNION SELECT 2", "1; 2"},
		{"SELECT Id FROM Orders EXCEPT SELECT 2 INTERSECT SELECT 2", "1; 3; 4"},
		{"SELECT 1 AS a UNION ALL SELECT NULL", "1; NULL"},
		{"WITH q AS (SELECT Id, Price FROM Orders WHERE Price > 1), r(k) AS (SELECT Id FROM q) SELECT k FROM r ORDER BY k", "1; 2"},
		{"WITH q AS (SELECT ROW_NUMBER() OVER (PARTITION BY CustomerId ORDER BY Id DESC) rn, * FROM Orders) SELECT Id FROM q WHERE rn = 1 ORDER BY Id", "2; 3; 4"},
		{"SELECT Id, LAG(Id) OVER (ORDER BY Id), LEAD(Id, 2, -1) OVER (ORDER BY Id) FROM Orders ORDER BY Id", "1 NULL 3; 2 1 4; 3 2 -1; 4 3 -1"},
		{"SELECT Id FROM Orders o WHERE EXISTS (SELECT 1 FROM Customers c WHERE c.Id = o.CustomerId AND c.Name = 'bob')", "2"},
		{"SELECT Id FROM Orders WHERE CustomerId IN (SELECT Id FROM Customers)", "1; 2; 3"},
		{"SELECT Id FROM Orders WHERE CustomerId NOT IN (10, NULL)", ""},
		{"SELECT Id FROM Orders WHERE Id BETWEEN 2 AND 3 AND NOT (Id = 3 OR Id <> 2)", "2"},
		{"SELECT Id FROM Orders WHERE (((Id + 1)) * 2) = 4", "1"},
		{"SELECT Id FROM Orders WHERE Name LIKE N'%an%' OR Name LIKE N'[A-B]pp_e'", "1; 2"},
		{"SELECT IIF(Id > 2, 'big', 'small') FROM Orders", "small; small; big; big"},
		{"SELECT CASE CustomerId WHEN 10 THEN 1 WHEN 20 THEN 2.5 END FROM Orders", "1.0; 2.5; 1.0; NULL"},
		{"SELECT (SELECT MAX(Id) FROM Orders), COALESCE(NULL, NULL, 3), ISNULL(NULL, 'x'), NULLIF(1, 1)", "4 3 x NULL"},
		{"SELECT o.* FROM (SELECT Id FROM Orders) o WHERE o.Id = 1", "1"},
		{"SELECT COUNT(*) FROM (SELECT a.Id FROM Customers a, Customers b) x", "9"},
		{"DECLARE @a int = 1, @b varchar(3) = 'abcdef'; SET @a += 2; SELECT @a, @b", "3 abc"},
		{"DECLARE @n int; SELECT @n = Id FROM Orders ORDER BY Id; SELECT @n, @@ROWCOUNT", "4 4"},
		{"IF 1 = 2 SELECT 1 ELSE IF 1 = 1 BEGIN SELECT 2; SELECT 3 END", "2 | 3"},
		{"IF EXISTS (SELECT 1 FROM Empty) SELECT 1; SELECT 5", "5"},
		{"BEGIN TRY SELECT 1/0 END TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_SEVERITY() END CATCH", " | 8134 16"},
		{"EXEC sp_executesql N'SELECT @a + @b', N'@a int, @b int', @b = 2, @a = 40", "42"},
		{"EXEC ('SELECT 7')", "7"},
		{"sp_echo @x = 5, @y = N'a'", "5 a"},
		{"DECLARE @r int; EXEC @r = sp_echo 1; SELECT @r", "1 | 0"},
		{"SELECT DB_NAME(); USE [Sales DB]; SELECT DB_NAME()", "master | Sales DB"},
		{"SELECT Id FROM Orders WHERE 1 = 0 OR Id = '2'", "2"},
		{"BEGIN TRAN; BEGIN TRAN; SELECT @@TRANCOUNT; COMMIT; ROLLBACK; SELECT @@TRANCOUNT", "2 | 0"},
		{"SELECT 1 RETURN SELECT 2", "1"},
		{"SELECT sys.fn_one()", "0x00000000000000000000"},
		{"SELECT Id x FROM Orders WHERE Id = 1 ORDER BY x", "1"},
	} {
		expectRows(t, c.text, c.want)
	}
}

func TestErrorsByNumber(t *testing.T) {
	for _, c := range []struct {
		text string
		want int32
	}{
		{"SELECT 1 +", 102}, {"SELECT FROM", 156}, {"SELECT 'a", 105}, {"SELECT /* a", 113},
		{"SELECT @x", 137}, {"SELECT 1; SET @y = 1", 137}, {"DECLARE @a int, @A int", 134}, {"SELECT @@NOPE", 137},
		{"SELECT Id FROM Orders WHERE COUNT(*) > 1", 147}, {"SELECT Id FROM Orders GROUP BY SUM(Id)", 144}, {"SELECT SUM(COUNT(*)) FROM Orders", 130},
		{"SELECT nope(1)", 195}, {"SELECT sys.nope(1)", 4121}, {"SELECT Nope FROM Orders", 207}, {"SELECT o.Nope FROM Orders o", 207},
		{"SELECT 1 FROM Nope", 208}, {"SELECT Id FROM Orders, Customers", 209}, {"SELECT x.Id FROM Orders o", 4104}, {"SELECT Orders.Id FROM Orders o", 4104},
		{"SELECT o.Id FROM Orders o JOIN Customers c ON z.Id = 1", 4104}, {"SELECT 1 FROM Orders o, dbo.numbers(o.Id) n", 4104},
		{"SELECT 1 FROM Orders o, (SELECT o.Id AS k) n", 4104}, {"SELECT 1 FROM Orders a JOIN Customers b ON a.Id = c.Id JOIN Customers c ON c.Id = b.Id", 4104},
		{"SELECT CAST('x' AS int)", 245}, {"SELECT CAST('x' AS datetime)", 241}, {"SELECT CAST('x' AS decimal(5,2))", 8114}, {"SELECT CAST(300 AS tinyint)", 8115},
		{"SELECT CAST(1000 AS decimal(3,0))", 8115}, {"SELECT 2147483647 + 1", 8115}, {"SELECT CAST('99999999999' AS int)", 248}, {"SELECT CAST('x' AS uniqueidentifier)", 8169},
		{"SELECT CAST(GETDATE() AS uniqueidentifier)", 529}, {"SELECT CAST(1 AS date)", 529}, {"DECLARE @b varbinary(5) = 'a'", 257}, {"DECLARE @d date = 1", 206},
		{"SELECT 1/0", 8134}, {"SELECT 1 FROM dbo.numbers()", 313}, {"SELECT 1 FROM Orders WITH (NOPE)", 321}, {"SELECT Id FROM Orders WHERE Id", 4145},
		{"SELECT Id, Name FROM Orders GROUP BY Id", 8120}, {"SELECT Id FROM Orders GROUP BY Id HAVING Name = 'a'", 8121}, {"SELECT Id FROM Orders GROUP BY Id ORDER BY Name", 8127}, {"SELECT Id, COUNT(*) FROM Orders", 8120},
		{"EXEC nope", 2812}, {"SELECT SUBSTRING(GETDATE(), 1, 2)", 8116}, {"SELECT LEN()", 174}, {"SELECT GETDATE() AT TIME ZONE 'Nowhere'", 9820},
		{"SELECT 1 AT TIME ZONE 'UTC'", 8116}, {"SELECT DATEADD(nope, 1, GETDATE())", 155}, {"SELECT DATEADD(1, 1, GETDATE())", 1023}, {"SELECT Secret FROM Customers", 230}, {"SELECT * FROM Customers", 230},
		{"SELECT 1 UNION SELECT 1, 2", 205}, {"SELECT 1 AS a UNION SELECT 2 ORDER BY b", 104}, {"SELECT (SELECT 1, 2)", 116}, {"SELECT (SELECT Id FROM Orders)", 512},
		{"SELECT Id FROM Orders ORDER BY 2", 108}, {"SELECT DISTINCT Id FROM Orders ORDER BY Name", 145}, {"SELECT * FROM (SELECT Id FROM Orders ORDER BY Id) x", 1033},
		{"SELECT * FROM (SELECT 1) x", 8155}, {"SELECT * FROM (SELECT 1 a, 2 a) x", 8156}, {"SELECT * FROM (SELECT 1 a, 2 b) x(a)", 8158}, {"WITH q(a, b) AS (SELECT 1) SELECT a FROM q", 8159},
		{"SELECT 1 FROM Orders a, Customers a", 1011}, {"SELECT 1 FROM Orders, Orders", 1013}, {"SELECT *", 263}, {"SELECT x.* FROM Orders", 107},
		{"SELECT ROW_NUMBER() FROM Orders", 10753}, {"SELECT Id FROM Orders WHERE ROW_NUMBER() OVER (ORDER BY Id) = 1", 4108}, {"DECLARE @a int; SELECT @a = 1, 2", 141},
		{"SELECT CASE WHEN 1 = 1 THEN NULL END", 8133}, {"SELECT 'a' COLLATE Nope_CI", 448}, {"SELECT doc FROM Empty ORDER BY doc", 305}, {"USE nope", 911}, {"THROW", 10704},
		{"SELECT 1 FROM Orders WHERE doc = 1", 207}, {"SELECT CAST(1 AS nope)", 243}, {"COMMIT", 3902}, {"ROLLBACK", 3903}, {"RAISERROR('x', 16, 1)", 50000}, {"THROW 50001, 'x', 1", 50001},
		{"SELECT 'a' - 1", 245}, {"SELECT 'a' - 'b'", 402}, {"SELECT CAST('2026-01-01' AS date) + 1", 206},
		{"UPDATE Orders SET Id = 1", NotSimulated}, {"CREATE TABLE t (a int)", NotSimulated}, {"SELECT CHECKSUM(1)", NotSimulated}, {"SELECT HASHBYTES('MD5', 'a')", NotSimulated},
		{"SELECT 1 FOR JSON PATH", NotSimulated}, {"SET QUOTED_IDENTIFIER OFF", NotSimulated}, {"SELECT doc.value('a','int') FROM Empty", NotSimulated}, {"WHILE 1 = 1 SELECT 1", NotSimulated},
	} {
		expectError(t, c.text, c.want)
	}
}
