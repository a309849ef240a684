package bronze

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"

	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
)

// Stamp is what a snapshot or a seed is known by: the instance it was made for,
// its position, and when the source committed there.
type Stamp struct {
	Instance string // as the stream's option spells it
	LSN      lsn.LSN
	Commit   *clock.Instant // nil where the source knows no commit at the position
}

// CommitText is the commit time as offsets and commits spell it: empty where unknown.
func (s Stamp) CommitText() string {
	if s.Commit == nil {
		return ""
	}
	return s.Commit.CommitText()
}

// Kinds of stamp, by the key under which a commit's userMetadata names the instance.
const (
	KindSeed     = "seed"
	KindSnapshot = "snapshot"
)

// UserMetadata is the userMetadata of a seed's commit, byte for byte as the
// stream's package writes its own: it finds its commit again by these bytes.
func (s Stamp) UserMetadata() string {
	return fmt.Sprintf(`{"%s": %s, "lsn": %s, "commit_ts": %s}`,
		KindSeed, asciiJSON(s.Instance), asciiJSON(s.LSN.String()), asciiJSON(s.CommitText()))
}

// ParseUserMetadata reads the userMetadata of a commit. ok is false for one that
// no snapshot or seed wrote: those of batches, of other tools, and none.
func ParseUserMetadata(text string) (kind string, s Stamp, ok bool) {
	var tag struct {
		Seed     *string `json:"seed"`
		Snapshot *string `json:"snapshot"`
		LSN      string  `json:"lsn"`
		Commit   string  `json:"commit_ts"`
	}
	if json.Unmarshal([]byte(text), &tag) != nil {
		return "", Stamp{}, false
	}
	switch {
	case tag.Seed != nil && tag.Snapshot == nil:
		kind, s.Instance = KindSeed, *tag.Seed
	case tag.Snapshot != nil && tag.Seed == nil:
		kind, s.Instance = KindSnapshot, *tag.Snapshot
	default:
		return "", Stamp{}, false
	}
	l, err := lsn.Parse(tag.LSN)
	if err != nil {
		return "", Stamp{}, false
	}
	s.LSN = l
	if tag.Commit != "" {
		var wall clock.Local
		if wall.UnmarshalText([]byte(tag.Commit)) != nil {
			return "", Stamp{}, false
		}
		at := clock.Instant(wall) // the text is UTC without saying so
		s.Commit = &at
	}
	return kind, s, true
}

// asciiJSON quotes s as Python's json module does by default: everything outside
// ASCII as \u and four lower-case digits, nothing else escaped that need not be.
func asciiJSON(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case shortEscape(r) != 0:
			b.WriteByte('\\')
			b.WriteByte(shortEscape(r))
		case r >= ' ' && r <= '~':
			b.WriteRune(r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func shortEscape(r rune) byte {
	switch r {
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	case '\b':
		return 'b'
	case '\f':
		return 'f'
	}
	return 0
}
