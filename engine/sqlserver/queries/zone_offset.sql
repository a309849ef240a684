/* cdcseed: zone_offset */
SELECT DATEPART(TZOFFSET, SYSDATETIMEOFFSET()) AS offset_minutes;
