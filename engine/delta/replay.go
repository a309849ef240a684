package delta

import (
	"sort"
	"strings"

	"cdcseed/engine/verdict"
)

// replay gathers actions, oldest first, into the state that they leave.
type replay struct {
	protocol *Protocol
	metadata *Metadata
	txns     map[string]int64
	domains  map[string]string
	files    map[fileKey]Add
	last     Commit // without its actions on files
}

// fileKey is what an add and a later remove of the same file share.
type fileKey struct{ path, vector string }

func newReplay() *replay {
	return &replay{
		txns: map[string]int64{}, domains: map[string]string{}, files: map[fileKey]Add{},
		last: Commit{Version: -1},
	}
}

// apply takes one commit. Within it order means nothing, so removes go first:
// a file that gets a new deletion vector is removed and added in one commit.
func (p *replay) apply(c Commit) {
	if c.Protocol != nil {
		p.protocol = c.Protocol
	}
	if c.Metadata != nil {
		p.metadata = c.Metadata
	}
	for _, t := range c.Txns {
		p.txns[t.AppID] = t.Version
	}
	for _, d := range c.Domains {
		if d.Removed {
			delete(p.domains, d.Domain)
		} else {
			p.domains[d.Domain] = d.Configuration
		}
	}
	for _, r := range c.Removes {
		delete(p.files, fileKey{canonical(r.Path), r.DeletionVector.ID()})
	}
	for _, a := range c.Adds {
		p.files[fileKey{canonical(a.Path), a.DeletionVector.ID()}] = a
	}
	p.last = Commit{Version: c.Version, Modified: c.Modified, Info: c.Info}
}

func (p *replay) snapshot(url string, version int64) (*Snapshot, error) {
	if p.protocol == nil || p.metadata == nil {
		what := "has no metaData"
		if p.protocol == nil {
			what = "has no protocol"
		}
		return nil, corrupt(url, what, verdict.Facts("version", version), nil)
	}
	sc, err := ParseSchema(p.metadata.SchemaString)
	if err != nil {
		return nil, corrupt(url, "holds a schema that cannot be read", verdict.Facts("version", version), err)
	}
	s := &Snapshot{
		Version: version, Protocol: *p.protocol, Metadata: *p.metadata, Schema: sc,
		Txns: p.txns, Domains: p.domains, Files: make([]Add, 0, len(p.files)), url: url,
	}
	for _, a := range p.files {
		s.Files = append(s.Files, a)
	}
	sort.Slice(s.Files, func(i, j int) bool {
		if c := strings.Compare(s.Files[i].Path, s.Files[j].Path); c != 0 {
			return c < 0
		}
		return s.Files[i].DeletionVector.ID() < s.Files[j].DeletionVector.ID()
	})
	return s, nil
}
