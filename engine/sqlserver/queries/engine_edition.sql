/* cdcseed: engine_edition */
SELECT CONVERT(int, SERVERPROPERTY('EngineEdition')) AS engine_edition;
