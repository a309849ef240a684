SELECT CAST(CAST('2026-03-08 12:10:25.999 +01:00' AS datetimeoffset(3)) AS datetime)
GO
SELECT CAST('2007-05-08 12:35:29.1234567 +12:15' AS datetime2(7))
GO
SELECT CAST('2007-05-08 12:35:29.1234567 +12:15' AS date), CAST('2007-05-08 12:35:29.1234567 +12:15' AS time(7))
GO
SELECT CAST('2007-05-08 12:35:29.123' AS smalldatetime)
GO
SELECT CAST('2026-01-01 00:00:29.998' AS smalldatetime), CAST('2026-01-01 00:00:29.999' AS smalldatetime)
GO
SELECT CAST(CAST('2026-01-01 00:00:00.003' AS datetime) AS datetime2(7))
GO
SELECT IIF(CAST('2026-01-01 00:00:00.003' AS datetime) = CAST('2026-01-01 00:00:00.003' AS datetime2), 1, 0)
GO
SELECT IIF(CAST('2026-01-01 00:00:00.003' AS datetime) = '2026-01-01 00:00:00.003', 1, 0)
GO
SELECT CONVERT(varchar(30), CAST('2026-01-02 15:04:05.007' AS datetime), 126), CONVERT(varchar(30), CAST('2026-01-02 15:04:05' AS datetime), 126)
GO
SELECT CONVERT(varchar(30), CAST('2026-01-02 15:04:05.007' AS datetime), 121), CONVERT(varchar(8), CAST('2026-01-02' AS date), 112)
GO
SELECT CONVERT(varchar(30), CAST('2026-01-02 15:04:05' AS datetime)), CONVERT(varchar(30), CAST('2026-11-12 00:04:05' AS datetime), 100)
GO
SELECT CONVERT(varchar(40), CAST('2026-01-02 15:04:05.5 +02:00' AS datetimeoffset(1)), 127), CONVERT(varchar(40), CAST('2026-01-02 15:04:05.5 +02:00' AS datetimeoffset(1)), 126)
GO
SELECT CONVERT(varchar(20), CAST('2026-01-02' AS date), 101), CONVERT(varchar(20), CAST('2026-01-02' AS date), 104), CONVERT(varchar(20), CAST('2026-01-02' AS date), 3)
GO
SELECT CONVERT(binary(10), '0x00000027000001D80003', 1), CONVERT(varchar(42), 0x00AB, 1), CONVERT(varchar(42), 0x00AB, 2)
GO
SELECT CAST(258 AS binary(4)), CAST(258 AS varbinary(1)), CAST('ab' AS binary(4)), CAST(N'a' AS varbinary(4))
GO
SELECT CAST(0xFFFFFFFF AS int), CAST(0x0102 AS smallint), CAST(0xFF AS tinyint)
GO
SELECT CAST(0x78797A AS varchar(2)), CAST(CAST('6F9619FF-8B86-D011-B42D-00C04FC964FF' AS uniqueidentifier) AS binary(16))
GO
SELECT CAST(CAST(1.5 AS decimal(5,2)) AS varbinary(20))
GO
SELECT CAST(2.7 AS int), CAST(-2.7 AS int), CAST($2.5 AS int), CAST(1.005 AS decimal(5,2)), CAST('' AS int)
GO
SELECT CAST(1e0/3 AS varchar(20)), CAST($1234.567 AS varchar(20)), CONVERT(varchar(20), $1234.567, 1), CONVERT(varchar(20), $1234.567, 2)
GO
SELECT CAST(123456789 AS varchar(3)), CAST('true' AS bit), CAST(2 AS bit)
GO
SELECT TRY_CAST('x' AS int), TRY_CONVERT(datetime, 'x'), TRY_CAST('7' AS int)
GO
SELECT CAST(CAST(1 AS sql_variant) AS int), CAST(N'a' AS sql_variant)
GO
SELECT CAST(N'€Ж' AS varchar(5)), CAST('abc' AS char(5)) + '|'
GO
SELECT 7 / 2, 7 % 3, -7 / 2, 7 / 2.0, 2.0 / 3, 1.10 * 1.1
GO
SELECT 1 + 2 * 3 - 4, (1 + 2) * 3, 6 & 3, 6 | 3, 6 ^ 3, ~5, -(-3)
GO
SELECT 'a' + N'b' + NULL, N'a' + 'b', 0x01 + 0x02
GO
SELECT 1.5 + 1, 10.0 - 0.25, $1.50 * 2, 1e3 + 1
GO
SELECT IIF('a ' = 'A', 1, 0), IIF(0x0100 = 0x01, 1, 0), IIF(NULL = NULL, 1, 0)
GO
SELECT LEN('ab  '), LEN(N'é€'), DATALENGTH(N'ab '), DATALENGTH('ab '), DATALENGTH(0x0102), DATALENGTH(1)
GO
SELECT UPPER('aé'), LOWER('AB'), LTRIM('  a ') + '|', RTRIM(' a  ') + '|', LEFT('abc', 2), RIGHT('abc', 2), LEFT('a', 9)
GO
SELECT SUBSTRING('abcdef', 2, 3), SUBSTRING('abc', 0, 2), SUBSTRING('abc', -1, 9), SUBSTRING(0x010203, 2, 1), SUBSTRING('abc', 9, 1) + '|'
GO
SELECT CHARINDEX('B', 'abcb'), CHARINDEX('b', 'abcb', 3), CHARINDEX('x', 'abc'), REPLACE('aXbx', 'x', '-')
GO
SELECT CONCAT('a', NULL, 1, N'b'), QUOTENAME('a]b'), QUOTENAME('a''b', ''''), PARSENAME('[a b].c', 2), PARSENAME('c', 2)
GO
SELECT DATEADD(month, 1, '2026-01-31'), DATEADD(day, -1, CAST('2026-03-01' AS date)), DATEADD(ms, 3, CAST('2026-01-01' AS datetime))
GO
SELECT DATEADD(ns, 150, CAST('2026-01-01' AS datetime2(7))), DATEADD(hour, 1, CAST('2026-01-01 00:00 +01:00' AS datetimeoffset(0)))
GO
SELECT DATEDIFF(year, '2025-12-31', '2026-01-01'), DATEDIFF(minute, '00:00:59', '00:01:00'), DATEDIFF(day, '2026-01-02', '2026-01-01'), DATEDIFF(week, '2026-11-28', '2026-11-29')
GO
SELECT DATEDIFF(hour, CAST('2026-01-01 00:00 +01:00' AS datetimeoffset), CAST('2026-01-01 00:00 +00:00' AS datetimeoffset)), DATEDIFF_BIG(ns, CAST('2026-01-01' AS datetime2), CAST('2026-01-02' AS datetime2))
GO
SELECT DATEPART(tz, CAST('2026-01-01 00:00 -05:30' AS datetimeoffset)), DATENAME(TZOFFSET, CAST('2026-01-01 00:00 -05:30' AS datetimeoffset)), DATEPART(iso_week, '2026-01-01'), DATENAME(weekday, '2026-11-29'), DATEPART(dw, '2026-11-29')
GO
SELECT YEAR('2026-11-29'), MONTH('2026-11-29'), DAY('2026-11-29'), DATEPART(ms, CAST('2026-01-01 00:00:00.007' AS datetime)), DATEPART(quarter, '2026-11-29')
GO
SELECT SWITCHOFFSET(CAST('2026-01-01 12:00 +02:00' AS datetimeoffset(0)), '-05:00'), TODATETIMEOFFSET(CAST('2026-01-01 12:00' AS datetime2(0)), '-05:00'), SWITCHOFFSET(CAST('2026-01-01 12:00 +02:00' AS datetimeoffset(0)), 60)
GO
SELECT HASHBYTES('SHA2_256', 'abc')
GO
SELECT HASHBYTES('SHA2_256', N'abc')
GO
SELECT CAST(1 AS bit) & 1, CAST(1 AS bit) | CAST(0 AS bit), CAST(1 AS bit) ^ CAST(1 AS bit)
GO
SELECT CAST('2026-01-31' AS datetime) + 1, CAST('2026-01-31' AS datetime) - 0.5, CAST(CAST('1900-01-03' AS datetime) AS int)
GO
SELECT CAST(1.5 AS datetime), CAST(0x0000000100000000 AS datetime), CAST('1900-01-02' AS datetime) + CAST('12:00' AS datetime)
GO
SELECT 9 % 4.5, 10.5 % 3, 1e0 / 4, 2e0 * 3 - 1, $10 / 4, -$1.5, - 2.5e0
GO
SELECT CAST(0x610062006300 AS nvarchar(5)), CAST(N'abc' AS binary(2)), CAST(1.25e0 AS binary(8)), CAST($1 AS binary(8))
GO
SELECT CONVERT(varchar(30), 0.1e0, 3), CONVERT(varchar(30), 1e30), CONVERT(varchar(30), 1.5e0, 1)
GO
SELECT CONVERT(datetime, '03/04/2026'), CONVERT(datetime, '03/04/2026', 103), CONVERT(datetime, 'Mar 4 2026  3:04PM'), CONVERT(datetime, '20260304 01:02:03.004'), CAST('' AS datetime)
GO
SELECT CONVERT(varchar(8), CAST('12:34:56.7' AS time(1)), 108), CAST(CAST('12:34:56.7' AS time(1)) AS varchar(20)), CONVERT(time(0), CAST('2026-01-01 12:34:56' AS datetime))
GO
SELECT CONVERT(varchar(30), NULL, 126), CONVERT(varchar(30), CAST('2026-01-01' AS date), NULL)
GO
SELECT ABS(-5), ABS(2.5), ABS(CAST(NULL AS int)), 0x0F + 0x01
GO
SELECT @@VERSION, @@LOCK_TIMEOUT, @@DATEFIRST, XACT_STATE(), ERROR_NUMBER()
GO
SET LOCK_TIMEOUT 5000; SELECT @@LOCK_TIMEOUT
GO
DECLARE @p nvarchar(10) = N'x'; EXEC sp_echo @a = @p, @b = -1, @c = word, @d = NULL, @e = DEFAULT
GO
SELECT DATEADD(yy, 1, '2024-02-29'), DATEADD(qq, -1, CAST('2026-03-31' AS date)), DATEADD(wk, 1, CAST('2026-03-31' AS date))
GO
SELECT DATENAME(month, '2026-03-01'), DATEPART(dayofyear, '2026-02-01'), DATEPART(week, '2026-01-04'), DATEDIFF(quarter, '2026-03-31', '2026-04-01'), DATEDIFF(month, '2026-03-31', '2026-04-01')
GO
BEGIN TRY THROW 50005, N'mine', 7 END TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_MESSAGE(), ERROR_STATE(), ERROR_LINE(), ERROR_PROCEDURE() END CATCH
