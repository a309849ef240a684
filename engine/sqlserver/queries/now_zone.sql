/* cdcseed: now_zone */
SELECT SYSUTCDATETIME() AS utc_now,
       GETDATE() AS server_now,
       CONVERT(datetime2(7), SYSUTCDATETIME() AT TIME ZONE 'UTC' AT TIME ZONE @zone) AS zone_now;
