/* cdcseed: time_zones */
SELECT z.name
FROM sys.time_zone_info AS z
ORDER BY z.name;
