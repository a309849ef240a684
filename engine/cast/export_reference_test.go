package cast

import "cdcseed/engine/schema"

// Pair is the cast from a copy's column to a target's, if there is one.
func Pair(from schema.CopyColumn, to schema.TargetColumn) (Code, bool) { return pair(from, to) }
