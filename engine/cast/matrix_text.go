package cast

import "cdcseed/engine/schema"

func toText(f form, from schema.CopyColumn, to schema.TargetColumn) (Code, bool) {
	switch to.SQL.Name {
	case "time":
		return toTime(f)
	case "uniqueidentifier":
		return toGUID(f, from)
	}
	if f != text && f != bytes {
		return "", false // a number's or a date's text has lost what the source's text had: zeros, blanks, form
	}
	switch to.SQL.Name {
	case "char", "nchar":
		if unpadded(to) {
			return AnsiChar, true
		}
		return PadChar, true
	}
	if f == bytes {
		return BytesToText, true
	}
	return Same, true
}

func toGUID(f form, from schema.CopyColumn) (Code, bool) {
	switch {
	case f == text:
		return GUIDText, true
	case f == uuid:
		return GUIDBytes, true
	case f == bytes, f == fixed && from.Length == 16:
		return GUIDOrder, true
	}
	return "", false
}

func toBinary(f form, from schema.CopyColumn, to schema.TargetColumn) (Code, bool) {
	raw := f == bytes || f == fixed || f == uuid
	switch to.SQL.Name {
	case "timestamp", "rowversion":
		switch {
		case f == fixed && from.Length != 8, f == uuid:
			return "", false
		case raw:
			return RowversionRaw, true
		case f == integer && intBits(from) == 64:
			return RowversionInt, true
		case f == text:
			return RowversionText, true
		}
		return "", false
	case "binary":
		switch {
		case !raw:
			return "", false
		case unpadded(to):
			return AnsiBinary, true
		default:
			return PadBinary, true
		}
	}
	switch f {
	case bytes:
		return Same, true
	case fixed, uuid:
		return FixedBytes, true
	}
	return "", false
}

// unpadded reports whether SQL Server itself may have stored short values
// short: a nullable column that was made while ANSI_PADDING was off.
// Unicode columns are always padded.
func unpadded(to schema.TargetColumn) bool {
	return !to.SQL.AnsiPad && to.Nullable && to.SQL.Name != "nchar"
}
