/* cdcseed: uncaptured_tables */
SELECT SCHEMA_NAME(t.schema_id) AS schema_name,
       t.name AS table_name
FROM sys.tables AS t
WHERE t.is_tracked_by_cdc = 0
  AND t.is_ms_shipped = 0
  AND SCHEMA_NAME(t.schema_id) <> N'cdc';
