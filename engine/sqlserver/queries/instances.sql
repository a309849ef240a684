/* cdcseed: instances */
EXEC sys.sp_cdc_help_change_data_capture;
