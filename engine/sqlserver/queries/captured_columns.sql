/* cdcseed: captured_columns */
EXEC sys.sp_cdc_get_captured_columns @capture_instance = @instance;
