package tsql

import "strconv"

// setOption stores an option, or refuses a value under which statements would
// mean something that this package does not play.
func (s *Session) setOption(x *optionStmt, w Reply) error {
	for i, name := range x.names {
		if !played(name, x.values[i]) {
			return notSimulated("SET %s %s", name, x.values[i])
		}
		s.options[name] = x.values[i]
	}
	w.Affected(0, false)
	return nil
}

func played(name, value string) bool {
	switch name {
	case "ANSI_NULLS", "QUOTED_IDENTIFIER", "CONCAT_NULL_YIELDS_NULL", "ANSI_WARNINGS", "ANSI_PADDING":
		return value == "ON"
	case "FMTONLY", "NOEXEC", "PARSEONLY", "NUMERIC_ROUNDABORT",
		"SHOWPLAN_ALL", "SHOWPLAN_TEXT", "SHOWPLAN_XML":
		return value == "OFF"
	case "DATEFIRST":
		return value == "7"
	case "DATEFORMAT":
		return value == "MDY" || value == "YMD"
	case "LANGUAGE":
		return value == "US_ENGLISH" || value == "ENGLISH"
	case "ROWCOUNT":
		return value == "0"
	case "TEXTSIZE":
		n, err := strconv.ParseInt(value, 10, 32)
		return err == nil && n >= -1
	}
	return true
}
