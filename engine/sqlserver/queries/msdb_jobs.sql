/* cdcseed: msdb_jobs */
SELECT j.retention
FROM msdb.dbo.cdc_jobs AS j
WHERE j.database_id = DB_ID()
  AND j.job_type = N'cleanup';
