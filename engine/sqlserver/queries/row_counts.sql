/* cdcseed: row_counts */
SELECT p.object_id,
       SUM(p.rows) AS row_count
FROM sys.partitions AS p
WHERE p.index_id < 2
GROUP BY p.object_id;
