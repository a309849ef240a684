/* cdcseed: column_rights */
SELECT c.name,
       HAS_PERMS_BY_NAME(QUOTENAME(@schema) + N'.' + QUOTENAME(@table), N'OBJECT', N'SELECT', c.name, N'COLUMN') AS may_read
FROM sys.columns AS c
WHERE c.object_id = OBJECT_ID(QUOTENAME(@schema) + N'.' + QUOTENAME(@table))
ORDER BY c.column_id;
