package tsql

import "cdcseed/fakeserver/tds"

// ParseType reads the text of a SQL type, such as "decimal(10,2)".
func ParseType(text string) (tds.Type, error) { return tds.Type{}, notSimulated("type %s", text) }

// TypeName is the bare SQL name of a type, such as "decimal".
func TypeName(t tds.Type) string { return "" }

// Convert is CONVERT(to, v, style); style 0 is CAST.
func Convert(v Value, to tds.Type, style int) (Value, error) { return Value{}, notSimulated("convert") }

// Compare is -1, 0 or 1 for two values that are not NULL, after both are
// converted to the type of higher precedence; text compares without case.
func Compare(a, b Value) (int, error) { return 0, notSimulated("compare") }

// Parse checks the syntax of a batch.
func Parse(text string) error { return notSimulated("parse") }
