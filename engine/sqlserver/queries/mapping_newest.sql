/* cdcseed: mapping_newest */
SELECT TOP (1) CONVERT(varchar(22), m.start_lsn, 1) AS lsn,
       m.tran_end_time
FROM cdc.lsn_time_mapping AS m
ORDER BY m.start_lsn DESC;
