/* cdcseed: scan_errors */
SELECT TOP (5) e.entry_time,
       e.error_number,
       m.text
FROM sys.dm_cdc_errors AS e
LEFT JOIN sys.messages AS m ON m.message_id = e.error_number AND m.language_id = 1033
ORDER BY e.entry_time DESC;
