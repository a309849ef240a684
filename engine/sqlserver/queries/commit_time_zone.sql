/* cdcseed: commit_time_zone */
WITH commit_row AS (
    SELECT TOP (1) m.start_lsn,
           CONVERT(datetime2(3), m.tran_end_time) AS t
    FROM cdc.lsn_time_mapping AS m
    WHERE m.start_lsn = CONVERT(binary(10), @lsn, 1)
    ORDER BY m.start_lsn DESC
),
shifts AS (
    SELECT r.start_lsn,
           r.t,
           DATEPART(TZOFFSET, r.t AT TIME ZONE @zone) AS off_now,
           DATEPART(TZOFFSET, DATEADD(hour, 3, r.t) AT TIME ZONE @zone) AS off_later
    FROM commit_row AS r
),
passes AS (
    SELECT o.start_lsn,
           o.t,
           o.off_later,
           CASE WHEN o.off_later < o.off_now
                 AND DATEPART(TZOFFSET, DATEADD(minute, o.off_now - o.off_later, o.t) AT TIME ZONE @zone) = o.off_later
                THEN 1 ELSE 0 END AS repeated
    FROM shifts AS o
)
SELECT p.t AS local_time,
       p.repeated,
       CONVERT(datetime2(3), p.t AT TIME ZONE @zone AT TIME ZONE 'UTC') AS first_pass,
       DATEADD(minute, -p.off_later, p.t) AS second_pass
FROM passes AS p;
