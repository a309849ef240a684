/* cdcseed: zone_named */
SELECT CURRENT_TIMEZONE_ID() AS zone_name;
