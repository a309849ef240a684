/* cdcseed: help_jobs */
EXEC sys.sp_cdc_help_jobs;
