/* cdcseed: source_columns */
SELECT c.column_id,
       c.name,
       CONVERT(int, c.max_length) AS max_length,
       CONVERT(int, COLLATIONPROPERTY(c.collation_name, 'CodePage')) AS code_page,
       c.collation_name,
       c.is_ansi_padded,
       c.is_nullable,
       c.is_computed
FROM sys.columns AS c
WHERE c.object_id = OBJECT_ID(QUOTENAME(@schema) + N'.' + QUOTENAME(@table));
