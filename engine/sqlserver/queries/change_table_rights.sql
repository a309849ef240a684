/* cdcseed: change_table_rights */
SELECT HAS_PERMS_BY_NAME(N'cdc.' + QUOTENAME(@instance + N'_CT'), N'OBJECT', N'SELECT') AS may_read;
