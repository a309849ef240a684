/* cdcseed: mapping_from */
SELECT CONVERT(varchar(22), MIN(m.start_lsn), 1) AS lsn
FROM cdc.lsn_time_mapping AS m
WHERE m.tran_end_time > CONVERT(datetime, CONVERT(datetime2(0), @local, 126));
