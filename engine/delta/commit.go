package delta

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"cdcseed/engine/clock"
)

// Commit is one version's actions.
type Commit struct {
	Version  int64
	Modified clock.Instant // of the commit's file
	Info     CommitInfo    // zero where the commit has none
	Protocol *Protocol
	Metadata *Metadata
	Txns     []Txn
	Domains  []Domain
	Adds     []Add
	Removes  []Remove

	sidecars []sidecar // only in a checkpoint
}

// At is when the commit happened, as readers of the table's history see it:
// the in-commit timestamp, or else the time of the commit's file, which a copy
// of the table to another place makes later than it was.
func (c Commit) At() clock.Instant {
	if c.Info.InCommitTimestamp != nil {
		return *c.Info.InCommitTimestamp
	}
	return c.Modified
}

type sidecar struct {
	Path string `json:"path"`
}

type line struct {
	CommitInfo *CommitInfo `json:"commitInfo"`
	Protocol   *Protocol   `json:"protocol"`
	Metadata   *Metadata   `json:"metaData"`
	Txn        *Txn        `json:"txn"`
	Domain     *Domain     `json:"domainMetadata"`
	Add        *Add        `json:"add"`
	Remove     *Remove     `json:"remove"`
	Sidecar    *sidecar    `json:"sidecar"`
}

// parseActions reads the lines of a commit or of a checkpoint in JSON. Actions
// that it does not know are skipped, as the protocol wants. A file without any
// line is no commit: it is one that is just being written, or was cut off.
func parseActions(data []byte) (Commit, error) {
	var c Commit
	n, seen := 0, false
	for text := range bytes.Lines(data) {
		n++
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		seen = true
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return Commit{}, fmt.Errorf("line %d: %w", n, err)
		}
		if err := c.take(l); err != nil {
			return Commit{}, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if !seen {
		return Commit{}, errors.New("no actions")
	}
	return c, nil
}

func (c *Commit) take(l line) error {
	if l.CommitInfo != nil {
		c.Info = *l.CommitInfo
	}
	if l.Protocol != nil {
		c.Protocol = l.Protocol
	}
	if l.Metadata != nil {
		c.Metadata = l.Metadata
	}
	if l.Txn != nil {
		if l.Txn.AppID == "" {
			return errors.New("a txn without an appId")
		}
		c.Txns = append(c.Txns, *l.Txn)
	}
	if l.Domain != nil {
		c.Domains = append(c.Domains, *l.Domain)
	}
	if l.Add != nil {
		if l.Add.Path == "" || l.Add.Size < 0 {
			return fmt.Errorf("an add with path %q and size %d", l.Add.Path, l.Add.Size)
		}
		c.Adds = append(c.Adds, *l.Add)
	}
	if l.Remove != nil {
		if l.Remove.Path == "" {
			return errors.New("a remove without a path")
		}
		c.Removes = append(c.Removes, *l.Remove)
	}
	if l.Sidecar != nil {
		c.sidecars = append(c.sidecars, *l.Sidecar)
	}
	return nil
}
