/* cdcseed: mapping_after */
SELECT TOP (1) CONVERT(varchar(22), m.start_lsn, 1) AS lsn,
       m.tran_end_time
FROM cdc.lsn_time_mapping AS m
WHERE m.start_lsn > CONVERT(binary(10), @lsn, 1)
ORDER BY m.start_lsn;
