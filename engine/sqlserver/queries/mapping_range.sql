/* cdcseed: mapping_range */
SELECT m.start_lsn,
       m.tran_end_time
FROM cdc.lsn_time_mapping AS m
WHERE m.start_lsn >= CONVERT(binary(10), @first, 1)
  AND m.start_lsn <= CONVERT(binary(10), @last, 1)
ORDER BY m.start_lsn;
