/* cdcseed: cdc_enabled */
SELECT is_cdc_enabled
FROM sys.databases
WHERE database_id = DB_ID();
