set ansi_nulls on
set ansi_null_dflt_on on
set ansi_padding on
set ansi_warnings on
set arithabort on
set concat_null_yields_null on
set datefirst 7
set dateformat mdy
set implicit_transactions off
set language us_english
set numeric_roundabort off
set quoted_identifier on
set transaction isolation level read committed
set xact_abort off
GO
SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRANSACTION; SELECT COUNT_BIG(*) FROM dbo.Orders; COMMIT TRANSACTION
GO
SET LOCK_TIMEOUT 5000
GO
SET NOCOUNT ON; SET XACT_ABORT ON
GO
BEGIN TRAN outer_one; SAVE TRAN point; ROLLBACK TRAN point; ROLLBACK TRAN outer_one
GO
USE [Sales];
GO
PRINT N'the text ' + CAST(1 AS nvarchar(10))
GO
WAITFOR DELAY '00:00:01'
GO
RAISERROR(N'it is %d', 16, 1, 5) WITH NOWAIT
GO
BEGIN TRY
    SELECT 1 / 0;
END TRY
BEGIN CATCH
    SELECT ERROR_NUMBER() AS n, ERROR_SEVERITY() AS severity, ERROR_MESSAGE() AS words;
    THROW;
END CATCH
GO
IF EXISTS (SELECT 1 FROM sys.databases WHERE name = N'msdb')
BEGIN
    SELECT j.retention FROM msdb.dbo.cdc_jobs AS j;
END
ELSE
    SELECT NULL AS retention
GO
DECLARE @id int, @lsn binary(10) = 0x00000027000001D80003; SET @id = DB_ID(); SELECT @id AS id, @lsn AS lsn
GO
EXEC sys.sp_cdc_help_change_data_capture @source_schema = N'dbo', @source_name = N'Orders'
GO
EXECUTE @status = sys.sp_cdc_get_captured_columns N'dbo_Orders'
GO
EXEC sp_executesql N'SELECT @a + @b', N'@a int, @b int', @a = 1, @b = -2
GO
EXEC sp_executesql @stmt = N'SET @a += 1', @params = N'@a int OUTPUT', @a = @n OUTPUT
GO
EXEC (N'SELECT 1')
GO
THROW 50001, N'mine', 1
GO
SELECT * FROM cdc.fn_cdc_get_all_changes_dbo_Orders(sys.fn_cdc_get_min_lsn('dbo_Orders'), sys.fn_cdc_get_max_lsn(), N'all update old')
GO
SELECT CONVERT(varchar(22), sys.fn_cdc_increment_lsn(CONVERT(binary(10), @lsn, 1)), 1)
GO
SELECT DATEDIFF(minute, SYSUTCDATETIME(), SYSDATETIME()), CURRENT_TIMEZONE_ID(), CURRENT_TIMESTAMP, SUSER_SNAME()
GO
SELECT c.[name], c.[precision], t.name FROM sys.columns AS c INNER JOIN sys.types AS t ON t.user_type_id = c.user_type_id WHERE c.object_id = OBJECT_ID(N'dbo.Orders') ORDER BY c.column_id
GO
SELECT i.name FROM sys.indexes AS i WHERE i.is_unique = 1 AND (i.is_primary_key = 1 OR i.name LIKE N'UQ[_]%' ESCAPE N'\') AND i.index_id NOT IN (0, 255)
GO
SELECT [__$start_lsn], [__$operation], [__$update_mask] FROM cdc.dbo_Orders_CT WITH (NOLOCK) WHERE [__$start_lsn] BETWEEN @first AND @last OPTION (MAXDOP 1)
