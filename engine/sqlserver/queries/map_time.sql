/* cdcseed: map_time */
SELECT CONVERT(varchar(22), sys.fn_cdc_map_time_to_lsn(N'largest less than or equal', CONVERT(datetime, CONVERT(datetime2(0), @local, 126))), 1) AS lsn;
