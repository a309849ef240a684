/* cdcseed: map_time_zone */
SELECT CONVERT(varchar(22), sys.fn_cdc_map_time_to_lsn(N'largest less than or equal', CONVERT(datetime, u.used)), 1) AS lsn,
       u.own,
       u.used
FROM (SELECT c.own,
             CASE WHEN c.later < c.own THEN c.later ELSE c.own END AS used
      FROM (SELECT CONVERT(datetime2(0), CONVERT(datetime2(0), @utc, 126) AT TIME ZONE 'UTC' AT TIME ZONE @zone) AS own,
                   DATEADD(hour, -1, CONVERT(datetime2(0), DATEADD(hour, 1, CONVERT(datetime2(0), @utc, 126)) AT TIME ZONE 'UTC' AT TIME ZONE @zone)) AS later) AS c) AS u;
