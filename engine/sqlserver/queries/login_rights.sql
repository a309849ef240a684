/* cdcseed: login_rights */
SELECT USER_NAME() AS user_name,
       IS_ROLEMEMBER(N'db_owner') AS is_owner,
       HAS_PERMS_BY_NAME(QUOTENAME(DB_NAME()), N'DATABASE', N'VIEW DATABASE STATE') AS database_state,
       HAS_PERMS_BY_NAME(NULL, NULL, N'VIEW SERVER STATE') AS server_state;
