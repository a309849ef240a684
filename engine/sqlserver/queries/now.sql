/* cdcseed: now */
SELECT SYSUTCDATETIME() AS utc_now,
       GETDATE() AS server_now;
