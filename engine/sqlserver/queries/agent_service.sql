/* cdcseed: agent_service */
SELECT s.servicename,
       s.status_desc
FROM sys.dm_server_services AS s
WHERE s.servicename LIKE N'SQL Server Agent%';
