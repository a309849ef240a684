package tds

import (
	"encoding/binary"
	"errors"
)

// PRELOGIN option tokens (MS-TDS 2.2.6.5).
const (
	plVersion    = 0
	plEncryption = 1
	plInstance   = 2
	plThreadID   = 3
	plMARS       = 4
	plFedAuth    = 6
	plEnd        = 0xff

	plOptionSize = 5 // token, offset and length of one option
)

// parsePrelogin returns the options that a client sent, by token.
func parsePrelogin(b []byte) (map[byte][]byte, error) {
	out := map[byte][]byte{}
	for i := 0; ; i += plOptionSize {
		if i >= len(b) {
			return nil, errors.New("tds: PRELOGIN without terminator")
		}
		if b[i] == plEnd {
			return out, nil
		}
		if i+plOptionSize > len(b) {
			return nil, errors.New("tds: short PRELOGIN option")
		}
		off, n := int(binary.BigEndian.Uint16(b[i+1:])), int(binary.BigEndian.Uint16(b[i+3:]))
		if off+n > len(b) {
			return nil, errors.New("tds: PRELOGIN option past the end")
		}
		out[b[i]] = b[off : off+n]
	}
}

// preloginOption is one option of the server's answer.
type preloginOption struct {
	token byte
	value []byte
}

func buildPrelogin(opts []preloginOption) []byte {
	at := plOptionSize*len(opts) + 1
	var head, body []byte
	for _, o := range opts {
		head = append(head, o.token)
		head = binary.BigEndian.AppendUint16(head, uint16(at+len(body)))
		head = binary.BigEndian.AppendUint16(head, uint16(len(o.value)))
		body = append(body, o.value...)
	}
	return append(append(head, plEnd), body...)
}

// preloginAnswer says which encryption follows, and no to everything else.
func preloginAnswer(v Version, encryption byte, asked map[byte][]byte) []byte {
	version := binary.BigEndian.AppendUint16([]byte{v.Major, v.Minor}, v.Build)
	opts := []preloginOption{
		{plVersion, append(version, 0, 0)},
		{plEncryption, []byte{encryption}},
		{plInstance, []byte{0}},
		{plThreadID, nil},
		{plMARS, []byte{0}},
	}
	if _, ok := asked[plFedAuth]; ok {
		opts = append(opts, preloginOption{plFedAuth, []byte{1}})
	}
	return buildPrelogin(opts)
}
