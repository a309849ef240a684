/* cdcseed: drops */
WITH low AS (
    SELECT TOP (1) m.start_lsn
    FROM cdc.lsn_time_mapping AS m
    WHERE m.tran_end_time <= DATEADD(hour, -3, CONVERT(datetime, @local, 126))
    ORDER BY m.tran_end_time DESC, m.start_lsn DESC
),
dropped AS (
    SELECT d.start_lsn,
           CONVERT(datetime2(3), d.tran_end_time) AS t
    FROM cdc.lsn_time_mapping AS d
    CROSS APPLY (SELECT TOP (1) b.tran_end_time
                 FROM cdc.lsn_time_mapping AS b
                 WHERE b.start_lsn < d.start_lsn
                 ORDER BY b.start_lsn DESC) AS before_it
    WHERE d.start_lsn > COALESCE((SELECT low.start_lsn FROM low), 0x00000000000000000000)
      AND d.start_lsn <= CONVERT(binary(10), @lsn, 1)
      AND d.tran_end_time > DATEADD(hour, -3, CONVERT(datetime, @local, 126))
      AND d.tran_end_time < DATEADD(minute, -1, before_it.tran_end_time)
),
shifts AS (
    SELECT x.start_lsn,
           x.t,
           DATEPART(TZOFFSET, x.t AT TIME ZONE @zone) AS off_now,
           DATEPART(TZOFFSET, DATEADD(hour, 3, x.t) AT TIME ZONE @zone) AS off_later
    FROM dropped AS x
)
SELECT COUNT(*) AS drops
FROM shifts AS o
WHERE o.off_later < o.off_now
  AND DATEPART(TZOFFSET, DATEADD(minute, o.off_now - o.off_later, o.t) AT TIME ZONE @zone) = o.off_later;
