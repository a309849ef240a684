/* cdcseed: agent_jobs */
SELECT c.job_type,
       j.name,
       j.enabled,
       a.start_execution_date,
       a.stop_execution_date
FROM msdb.dbo.cdc_jobs AS c
JOIN msdb.dbo.sysjobs AS j ON j.job_id = c.job_id
OUTER APPLY (SELECT TOP (1) x.start_execution_date,
                    x.stop_execution_date
             FROM msdb.dbo.sysjobactivity AS x
             WHERE x.job_id = c.job_id
             ORDER BY x.session_id DESC) AS a
WHERE c.database_id = DB_ID()
ORDER BY c.job_type;
