/* cdcseed: scan_session */
SELECT TOP (1) s.session_id,
       s.start_time,
       s.end_time,
       s.scan_phase,
       s.error_count,
       s.latency,
       s.empty_scan_count
FROM sys.dm_cdc_log_scan_sessions AS s
WHERE s.session_id > 0
ORDER BY s.start_time DESC, s.session_id DESC;
