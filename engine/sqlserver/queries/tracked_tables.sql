/* cdcseed: tracked_tables */
SELECT SCHEMA_NAME(t.schema_id) AS schema_name,
       t.name AS table_name
FROM sys.tables AS t
WHERE t.is_tracked_by_cdc = 1;
