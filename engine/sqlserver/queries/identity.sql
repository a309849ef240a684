/* cdcseed: identity */
SELECT CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')) AS server_name,
       CONVERT(nvarchar(128), SERVERPROPERTY('ProductVersion')) AS product_version,
       CONVERT(nvarchar(128), SERVERPROPERTY('ProductMajorVersion')) AS product_major,
       CONVERT(nvarchar(128), SERVERPROPERTY('Edition')) AS edition,
       CONVERT(int, SERVERPROPERTY('EngineEdition')) AS engine_edition,
       DB_NAME() AS database_name,
       CONVERT(int, DB_ID()) AS database_id,
       CONVERT(nvarchar(128), DATABASEPROPERTYEX(DB_NAME(), 'Updateability')) AS updateability,
       SUSER_SNAME() AS login_name;
