package fakeserver_test

import (
	"strings"
	"testing"
)

// wrongStatements are mistakes by the number that SQL Server gives them, one a
// line.
func wrongStatements() map[int32]string {
	return map[int32]string{
		// The syntax.
		102: `SELECT 1 +
			SELECT (1 = 1)
			SELECT Id FROM
			SELECT Id,, Name FROM dbo.Orders
			SELECT Id FROM dbo.Orders WHERE Id == 1
			SELECT Id FROM dbo.Orders LIMIT 10
			SELECT Id FROM dbo.Orders WHERE Id IN ()
			SELECT Id FROM dbo.Orders WHERE Id IN (1, 2
			SELECT Id FROM dbo.Orders ORDER BY Id,
			SELECT Id FROM dbo.Orders ORDER Id
			SELECT Id FROM dbo.Orders GROUP Id
			SELECT Id FROM (SELECT Id FROM dbo.Orders)
			SELECT CAST(1, int)
			SELECT 1::int
			SELECT TOP Id FROM dbo.Orders
			SELECT Id FROM dbo.Orders WHERE Id = ?
			SELECT Id FROM dbo.Orders)
			SELECT Id FROM dbo.Orders o JOIN dbo.Types t
			SELECT Id FROM dbo.Orders ORDER BY Id OFFSET 5
			SELECT Id FROM dbo.Orders WITH (NOLOCK
			SELECT 1 AS a b
			SELECT Id FROM dbo.Orders LEFT dbo.Types ON 1 = 1
			SELECT GETDATE() AT TIME 'UTC'
			WITH q AS (SELECT 1 AS a)
			DECLARE @a
			DECLARE @a int SET @a
			EXEC sp_cdc_help_jobs 1,
			BEGIN SELECT 1
			BEGIN TRY SELECT 1 END TRY
			BEGIN END
			BEGIN TRY END TRY BEGIN CATCH SELECT 1 END CATCH
			SELECT 1 END
			WAITFOR '00:00:01'
			SET NOCOUNT 1
			SELECT CONVERT(int)
			DECLARE @a int; SELECT (SELECT @a = 1)
			SELECT SUM(*) FROM dbo.Orders
			SELECT Id FROM dbo.Orders WHERE Name LIKE`,
		105: `SELECT 'a
			SELECT N'it''s FROM dbo.Orders
			SELECT [Id FROM dbo.Orders
			SELECT "Id FROM dbo.Orders`,
		113: `SELECT 1 /* a comment
			SELECT 1 /* one /* two */`,
		117: `SELECT 1 FROM a.b.c.d.e.f`,
		153: `SELECT Id FROM dbo.Orders ORDER BY Id FETCH NEXT 5 ROWS ONLY`,
		155: `SELECT DATEADD(decades, 1, GETDATE())
			SELECT DATEPART(y2k, GETDATE())
			SELECT DATEDIFF(fortnight, GETDATE(), GETDATE())`,
		156: `SELECT FROM dbo.Orders
			SELECT Id FROM dbo.Order
			SELECT Id AS from FROM dbo.Orders
			SELECT Id FROM dbo.Orders WHERE WHERE Id = 1
			SELECT Id FROM dbo.Orders WHERE Id BETWEEN 1 OR 2
			SELECT CASE WHEN Id = 1 THEN 2 FROM dbo.Orders
			SELECT CASE END
			SELECT COUNT(* FROM dbo.Orders
			SELECT Id FROM dbo.Orders HAVING Id = 1 WHERE Id = 2
			SELECT ROW_NUMBER() OVER ORDER BY Id FROM dbo.Orders
			SELECT * FROM (WITH q AS (SELECT 1 AS a) SELECT a FROM q) AS x
			WITH q (SELECT 1 AS a) SELECT a FROM q
			IF 1 = 1 ELSE SELECT 1
			SELECT Id FROM dbo.Orders UNION ORDER BY 1`,
		168:  `SELECT 1e400`,
		179:  `EXEC sys.sp_cdc_get_captured_columns N'dbo_Orders' OUTPUT`,
		191:  `SELECT ` + strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300),
		195:  "SELECT nothing(1)\nSELECT GETDATES()\nSELECT fn_cdc_get_max_lsn()\nSET NOCOUNTS ON\nSELECT IFNULL(1, 2)\nSELECT NVL(1, 2)\nSELECT SUBSTR('a', 1)",
		319:  `SELECT 1 WITH q AS (SELECT 1 AS a) SELECT a FROM q`,
		1007: `SELECT 123456789012345678901234567890123456789`,
		1087: `SELECT * FROM @t`,
		4145: `SELECT Id FROM dbo.Orders WHERE Id
			SELECT Id FROM dbo.Orders WHERE (1)
			SELECT Id FROM dbo.Orders WHERE 1 AND Id = 1
			SELECT Id FROM dbo.Orders WHERE NOT Id
			SELECT o.Id FROM dbo.Orders o JOIN dbo.Types t ON t.c_int
			SELECT CASE WHEN 1 THEN 2 END
			SELECT Id FROM dbo.Orders GROUP BY Id HAVING COUNT(*)
			IF 1 SELECT 1`,
	}
}

// wrongNames are names of things that are not there, or not there alone.
func wrongNames() map[int32]string {
	return map[int32]string{
		104: `SELECT 1 AS a UNION SELECT 2 ORDER BY b`,
		107: `SELECT x.* FROM dbo.Orders`,
		134: `DECLARE @a int, @A int`,
		137: `SELECT @a
			SET @a = 1
			SELECT Id FROM dbo.Orders WHERE Id = @id
			SELECT 1; SELECT @@NOTHING
			DECLARE @a int = @b
			EXEC sys.sp_cdc_get_captured_columns @capture_instance = @instance`,
		207: `SELECT Idd FROM dbo.Orders
			SELECT o.Idd FROM dbo.Orders o
			SELECT Id FROM dbo.Orders WHERE Nme = N'x'
			SELECT Id FROM dbo.Orders ORDER BY Nme
			SELECT COUNT(*) FROM dbo.Orders GROUP BY Nme
			SELECT Id FROM dbo.Orders WHERE Name = abc
			SELECT start_lsn, tran_end FROM cdc.lsn_time_mapping
			SELECT name FROM sys.tables WHERE is_tracked = 1
			WITH q AS (SELECT Id FROM dbo.Orders) SELECT Name FROM q
			SELECT x.b FROM (SELECT 1 AS a) x
			SELECT Id FROM dbo.Orders WHERE Id IN (SELECT Nope FROM dbo.Types)`,
		208: `SELECT 1 FROM dbo.Ordres
			SELECT 1 FROM Heap
			SELECT 1 FROM stage.Orders
			SELECT 1 FROM Nowhere.dbo.Orders
			SELECT 1 FROM Plain.dbo.Orders
			SELECT 1 FROM sys.tabels
			SELECT 1 FROM cdc.dbo_Nothing_CT
			SELECT 1 FROM cdc.fn_cdc_get_all_changes_dbo_Nothing(0x1, 0x2, N'all')
			SELECT 1 FROM cdc.fn_cdc_get_net_changes_dbo_Orders(0x1, 0x2, N'all')
			SELECT Id FROM dbo.Orders WHERE EXISTS (SELECT 1 FROM dbo.Nothing)
			WITH q AS (SELECT 1 AS a) SELECT a FROM r`,
		209: `SELECT Id FROM dbo.Orders a JOIN dbo.Orders b ON a.Id = b.Id
			SELECT A FROM stage.Heap a, stage.Heap b
			SELECT a.Id FROM dbo.Orders a JOIN dbo.Orders b ON Qty = 1
			SELECT Id AS x, Qty AS x FROM dbo.Orders ORDER BY x`,
		239:  "WITH q AS (SELECT 1 AS a), q AS (SELECT 2 AS a) SELECT a FROM q",
		911:  "USE Nowhere",
		942:  "USE Gone\nSELECT 1 FROM Gone.dbo.T",
		2812: "EXEC sys.sp_cdc_help_everything\nEXEC nothing\nEXEC dbo.sp_nothing @a = 1",
		4104: `SELECT x.Id FROM dbo.Orders o
			SELECT dbo.Orders.Id FROM dbo.Orders o
			SELECT Types.c_int FROM dbo.Orders
			SELECT o.Id FROM dbo.Orders o JOIN dbo.Types t ON z.c_int = o.Id
			SELECT o.Id FROM dbo.Orders o ORDER BY t.Id
			SELECT 1 FROM dbo.Orders o, (SELECT o.Id AS k) x`,
		4121: "SELECT dbo.nothing(1)\nSELECT sys.fn_cdc_get_maximum_lsn()\nSELECT cdc.fn_cdc_get_max_lsn()",
		7202: "SELECT 1 FROM other.Sales.dbo.Orders",
		8155: "SELECT * FROM (SELECT 1) x\nSELECT * FROM (VALUES (1)) x\nWITH q AS (SELECT COUNT(*) FROM dbo.Orders) SELECT * FROM q",
		8156: "SELECT * FROM (SELECT 1 a, 2 a) x\nWITH q AS (SELECT Id, Id FROM dbo.Orders) SELECT 1 FROM q",
		8158: "SELECT * FROM (SELECT 1 a, 2 b) x(a)",
		8159: "SELECT * FROM (SELECT 1 a) x(a, b)",
		9820: "SELECT GETDATE() AT TIME ZONE 'Europe/Berlin'\nSELECT GETDATE() AT TIME ZONE 'W. Europe'",
	}
}

// wrongShapes are statements whose parts do not go together.
func wrongShapes() map[int32]string {
	return map[int32]string{
		108:   "SELECT Id FROM dbo.Orders ORDER BY 2\nSELECT Id FROM dbo.Orders ORDER BY 0",
		116:   "SELECT (SELECT 1, 2)\nSELECT 1 WHERE 1 IN (SELECT 1, 2)",
		130:   "SELECT SUM(COUNT(*)) FROM dbo.Orders\nSELECT MAX((SELECT 1)) FROM dbo.Orders",
		141:   "DECLARE @a int; SELECT @a = 1, 2",
		144:   "SELECT COUNT(*) FROM dbo.Orders GROUP BY COUNT(*)\nSELECT 1 FROM dbo.Orders GROUP BY (SELECT 1)",
		145:   "SELECT DISTINCT Id FROM dbo.Orders ORDER BY Name",
		147:   "SELECT Id FROM dbo.Orders WHERE COUNT(*) > 1\nSELECT Id FROM dbo.Orders WHERE Id = MAX(Id)",
		178:   "RETURN 1",
		205:   "SELECT 1 UNION SELECT 1, 2\nSELECT Id FROM dbo.Orders EXCEPT SELECT Id, Name FROM dbo.Orders",
		263:   "SELECT *",
		321:   "SELECT Id FROM dbo.Orders WITH (NOLOK)\nSELECT Id FROM dbo.Orders WITH (NOLOCK, FAST)",
		408:   "SELECT Id FROM dbo.Orders ORDER BY 'Id'",
		512:   "SELECT (SELECT Id FROM dbo.Orders)\nSELECT Id FROM dbo.Orders WHERE Id = (SELECT A FROM stage.Heap)",
		1011:  "SELECT 1 FROM dbo.Orders a, dbo.Types a",
		1013:  "SELECT 1 FROM dbo.Orders, dbo.Orders",
		1033:  "SELECT * FROM (SELECT Id FROM dbo.Orders ORDER BY Id) x\nWITH q AS (SELECT Id FROM dbo.Orders ORDER BY Id) SELECT Id FROM q",
		1060:  "SELECT TOP ('a') Id FROM dbo.Orders\nSELECT TOP (1.5) Id FROM dbo.Orders",
		4108:  "SELECT Id FROM dbo.Orders WHERE ROW_NUMBER() OVER (ORDER BY Id) = 1",
		4109:  "SELECT SUM(ROW_NUMBER() OVER (ORDER BY Id)) FROM dbo.Orders",
		4112:  "SELECT RANK() OVER (PARTITION BY Id) FROM dbo.Orders",
		4113:  "SELECT LEN('a') OVER (ORDER BY Id) FROM dbo.Orders",
		8120:  "SELECT Id, COUNT(*) FROM dbo.Orders\nSELECT Id, Name FROM dbo.Orders GROUP BY Id\nSELECT * FROM dbo.Orders GROUP BY Id",
		8121:  "SELECT Id FROM dbo.Orders GROUP BY Id HAVING Name = N'a'",
		8127:  "SELECT Id FROM dbo.Orders GROUP BY Id ORDER BY Name",
		8133:  "SELECT CASE WHEN 1 = 1 THEN NULL END",
		10704: "THROW;",
		10709: "SELECT * FROM (VALUES (1), (1, 2)) x(a)",
		10742: "SELECT Id FROM dbo.Orders ORDER BY Id OFFSET -1 ROWS",
		10743: "SELECT Id FROM dbo.Orders ORDER BY Id OFFSET 1.5 ROWS",
		10741: "SELECT TOP (1) Id FROM dbo.Orders ORDER BY Id OFFSET 0 ROWS",
		10744: "SELECT Id FROM dbo.Orders ORDER BY Id OFFSET 0 ROWS FETCH NEXT 0 ROWS ONLY",
		10753: "SELECT ROW_NUMBER() FROM dbo.Orders",
		10759: "SELECT COUNT(DISTINCT Id) OVER () FROM dbo.Orders",
	}
}

// wrongValues are values that a type, a function or an operator does not take.
func wrongValues() map[int32]string {
	return map[int32]string{
		131:  "DECLARE @a varchar(8001)\nSELECT CAST(1 AS nvarchar(4001))",
		174:  "SELECT LEN()\nSELECT LEN('a', 'b')\nSELECT ISNULL(1)\nSELECT OBJECT_NAME()\nSELECT DATEADD(day, 1)",
		192:  "SELECT CAST(1 AS decimal(5, 6))",
		201:  "EXEC sys.sp_cdc_get_captured_columns\nEXEC sp_executesql",
		206:  "SELECT CAST('2026-01-01' AS date) + 1\nDECLARE @d date = 1\nSELECT CASE WHEN 1 = 1 THEN 1 ELSE CAST('2026-01-01' AS date) END",
		214:  "EXEC sp_executesql 'SELECT 1'",
		241:  "SELECT CAST('2026-13-01' AS datetime2)\nSELECT CAST('yesterday' AS date)\nSELECT CAST('2026-01-01 00:00:00.1234' AS datetime)\nSELECT CAST('2026-01-01T00:00:00+01:00' AS datetime)\nSELECT DATEADD(day, 1, 'x')",
		242:  "SELECT CAST('1752-12-31' AS datetime)\nSELECT CAST('1899-12-31' AS smalldatetime)",
		243:  "SELECT CAST(1 AS integr)\nSELECT CONVERT(strng, 'a')",
		244:  "SELECT CAST('300' AS tinyint)\nSELECT CAST('40000' AS smallint)",
		245:  "SELECT CAST('x' AS int)\nSELECT 1 + 'a'\nSELECT Id FROM dbo.Orders WHERE Id = 'one'\nSELECT CAST('1.5' AS int)",
		248:  "SELECT CAST('99999999999' AS int)",
		257:  "DECLARE @b varbinary(5) = 'a'",
		281:  "SELECT CONVERT(varchar(30), GETDATE(), 999)\nSELECT CONVERT(binary(2), 'FF', 9)",
		313:  "SELECT sys.fn_cdc_get_min_lsn()\nSELECT 1 FROM cdc.fn_cdc_get_all_changes_dbo_Orders(0x1, 0x2)\nSELECT 1 FROM cdc.fn_cdc_get_all_changes_dbo_Orders(0x01, 0x02, N'all')\nSELECT 1 FROM cdc.fn_cdc_get_all_changes_dbo_Orders(NULL, NULL, N'all')",
		402:  "SELECT 'a' - 'b'\nSELECT 1.5 & 1\nSELECT 5e0 % 2\nSELECT 1 WHERE CAST('<a/>' AS xml) = 'a'",
		421:  "SELECT DISTINCT c_xml FROM dbo.Types",
		448:  "SELECT N'a' COLLATE Nowhere_CI_AS",
		506:  "SELECT 1 WHERE 'a' LIKE 'b' ESCAPE 'xx'",
		517:  "SELECT DATEADD(year, 9999, GETDATE())",
		529:  "SELECT CAST(1 AS date)\nSELECT CAST(GETDATE() AS uniqueidentifier)",
		535:  "SELECT DATEDIFF(ms, '2026-01-01', '2026-12-01')",
		537:  "SELECT LEFT('a', -1)\nSELECT SUBSTRING('a', 1, -1)",
		127:  "SELECT TOP (-1) Id FROM dbo.Orders\nDECLARE @n int = -5; SELECT TOP (@n) Id FROM dbo.Orders",
		291:  "SELECT CAST(1 AS int(4))\nSELECT CONVERT(datetime(3), 'x')",
		1001: "SELECT CAST('a' AS varchar(0))",
		1014: "DECLARE @n int; SELECT TOP (@n) Id FROM dbo.Orders",
		1023: "SELECT DATEADD(1, 1, GETDATE())\nSELECT DATEPART('day', GETDATE())",
		2715: "DECLARE @a strng",
		2716: "DECLARE @a int(4)",
		2717: "DECLARE @a nvarchar(4001)",
		2750: "DECLARE @a decimal(39)",
		8114: "SELECT CAST('x' AS decimal(5, 2))\nSELECT CAST('x' AS float)\nSELECT CONVERT(binary(2), '0xZZ', 1)\nSELECT CONVERT(binary(10), '00', 1)",
		8115: "SELECT 2147483647 + 1\nSELECT CAST(300 AS tinyint)\nSELECT CAST(1000 AS decimal(3, 0))\nSELECT CAST(1e300 AS int)\nSELECT CAST(12345 AS nvarchar(2))",
		8116: "SELECT 1 AT TIME ZONE 'UTC'\nSELECT SUBSTRING(GETDATE(), 1, 2)\nSELECT CONVERT(varchar(30), GETDATE(), 'x')",
		8117: "SELECT SUM(Name) FROM dbo.Orders\nSELECT -'a'\nSELECT GETDATE() * 2\nSELECT AVG(Name) FROM dbo.Orders",
		8134: "SELECT 1 / 0\nSELECT 1 % 0\nSELECT Id FROM dbo.Orders WHERE 1 / (Id - 1) = 1",
		8144: "SELECT sys.fn_cdc_get_max_lsn(1)\nEXEC sys.sp_cdc_get_captured_columns N'dbo_Orders', N'x'",
		8145: "EXEC sys.sp_cdc_get_captured_columns @instance = N'dbo_Orders'",
		8162: "DECLARE @n int; EXEC sp_executesql N'SELECT @a', N'@a int', @a = @n OUTPUT",
		8169: "SELECT CAST('x' AS uniqueidentifier)",
		8170: "SELECT CAST(CAST('6F9619FF-8B86-D011-B42D-00C04FC964FF' AS uniqueidentifier) AS varchar(10))",
		8178: "EXEC sp_executesql N'SELECT @a', N'@a int'",
		8730: "SELECT LAG(Id, -1) OVER (ORDER BY Id) FROM dbo.Orders",
		9810: "SELECT DATEADD(hour, 1, CAST('2026-01-01' AS date))\nSELECT DATEPART(tz, CAST('2026-01-01' AS date))",
		9812: "SELECT SWITCHOFFSET(CAST('2026-01-01' AS datetimeoffset), '+25:00')",
	}
}

// TestWrongStatements: nothing wrong succeeds, and the driver is told SQL
// Server's number of the mistake. Each is followed by a right one.
func TestWrongStatements(t *testing.T) {
	db := as(t, catalogue(t), "dba")
	n := 0
	for _, table := range []map[int32]string{wrongStatements(), wrongNames(), wrongShapes(), wrongValues()} {
		for number, texts := range table {
			for text := range strings.SplitSeq(texts, "\n") {
				n++
				wantError(t, db, strings.TrimSpace(text), number)
				want(t, db, "SELECT 1", "1")
			}
		}
	}
	if n < 150 {
		t.Errorf("%d wrong statements are too few", n)
	}
	t.Logf("%d wrong statements", n)
}
