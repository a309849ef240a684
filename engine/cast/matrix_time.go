package cast

import "cdcseed/engine/schema"

func toDate(f form) (Code, bool) {
	switch f {
	case date:
		return Same, true
	case stamp, int96:
		return StampToDate, true
	case text:
		return TextToDate, true
	}
	return "", false
}

func toWall(f form, from schema.CopyColumn, to schema.TargetColumn) (Code, bool) {
	switch f {
	case int96:
		return Int96ToWall, true
	case date:
		return DateToStamp, true
	case text:
		return TextToStamp, true
	case stamp:
		switch {
		case from.UTC:
			return InstantToWall, true
		case to.SQL.Name == "datetime":
			return DatetimeTick, true
		case to.SQL.Name == "smalldatetime":
			return MinuteOnly, true
		default:
			return unitCode(from), true
		}
	}
	return "", false
}

func toInstant(f form, from schema.CopyColumn) (Code, bool) {
	switch f {
	case int96:
		return Int96ToInstant, true
	case date:
		return WallToInstant, true
	case text:
		return TextToStamp, true
	case stamp:
		if from.UTC {
			return unitCode(from), true
		}
		return WallToInstant, true
	}
	return "", false
}

func unitCode(from schema.CopyColumn) Code {
	switch from.Unit {
	case "MILLIS":
		return MillisToMicros
	case "NANOS":
		return NanosToMicros
	default:
		return Same
	}
}

// toTime casts to SQL Server's time, which the stream writes as text.
func toTime(f form) (Code, bool) {
	switch f {
	case daytime:
		return TimeToText, true
	case stamp, int96:
		return StampToTime, true
	case text:
		return TextToTime, true
	}
	return "", false
}
