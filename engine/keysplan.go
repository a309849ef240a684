package engine

// KeysPlan is what came of counting the copy's keys: the values of the columns of
// the capture instance's unique index, as they will be written, compared as that
// index compares them.
type KeysPlan struct {
	Columns   []string `json:"columns"`        // in the index's order, as the target spells them
	Rows      int64    `json:"rows"`           // looked at: all that would be written
	Keys      int64    `json:"duplicate_keys"` // that stand in more than one row
	Extra     int64    `json:"rows_too_many"`  // their rows beyond the first of each
	Groups    int64    `json:"undecided_groups,omitempty"`
	GroupKeys int64    `json:"undecided_keys,omitempty"` // keys of these groups beyond the first of each

	// Collations leave open whether the keys of an undecided group are the same:
	// their tables of weights are the server's.
	Collations []string `json:"collations,omitempty"`

	Samples   []KeySample `json:"samples,omitempty"`           // the keys with the most rows
	Undecided []KeySample `json:"undecided_samples,omitempty"` // the groups with the most keys
}

// KeySample is a key and some of its rows, or a group and a row of some of its keys.
type KeySample struct {
	Count int64    `json:"count"` // rows of the key, or keys of the group
	Rows  []KeyRow `json:"rows"`
}

// KeyRow is a row with its key as it would be written.
type KeyRow struct {
	Key  string `json:"key"`
	File string `json:"file"`
	Row  int64  `json:"row"` // in the file, from 1
}

// Sure reports whether nothing was found that stands twice or may.
func (k KeysPlan) Sure() bool { return k.Keys == 0 && k.Groups == 0 }
