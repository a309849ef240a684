/* cdcseed: min_lsn */
SELECT CONVERT(varchar(22), sys.fn_cdc_get_min_lsn(@instance), 1) AS min_lsn;
