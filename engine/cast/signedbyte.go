package cast

import "strconv"

// signedByte is a hint where values out of range are negative bytes: SQL
// Server's tinyint runs from 0 to 255, and a tool that writes it as a signed
// byte turns 255 into -1. Empty where no sample looks so.
func signedByte(samples []Sample) string {
	for _, s := range samples {
		if v, err := strconv.ParseInt(s.Before, 10, 64); err == nil && v < 0 && v >= -128 {
			return "tinyint holds 0 to 255: these look like 255 and 200 written as signed bytes (-1 and -56); write the copy again."
		}
	}
	return ""
}
