package tds

import (
	"encoding/binary"
	"errors"
)

// featureUTF8 is the only feature extension that is granted; the others are
// refused by leaving them out of the answer.
const (
	featureUTF8 = 0x0A
	featureEnd  = 0xff
)

// parseFeatures reads the FEATUREEXT block that starts at offset at.
func parseFeatures(b []byte, at uint32) (map[byte][]byte, error) {
	if uint64(at) > uint64(len(b)) {
		return nil, errors.New("tds: FEATUREEXT past the end")
	}
	out := map[byte][]byte{}
	for b = b[at:]; ; {
		if len(b) == 0 {
			return nil, errors.New("tds: FEATUREEXT without terminator")
		}
		if b[0] == featureEnd {
			return out, nil
		}
		if len(b) < 5 {
			return nil, errors.New("tds: short FEATUREEXT")
		}
		n := binary.LittleEndian.Uint32(b[1:])
		if uint64(n) > uint64(len(b)-5) {
			return nil, errors.New("tds: FEATUREEXT past the end")
		}
		out[b[0]] = b[5 : 5+n]
		b = b[5+n:]
	}
}

// featureAck answers FEATUREEXT, if the client sent one.
func (w *Reply) featureAck(l *Login) {
	if l.Features == nil {
		return
	}
	b := []byte{tokFeatureAck}
	if _, ok := l.Features[featureUTF8]; ok {
		b = append(u32(append(b, featureUTF8), 1), 1)
	}
	w.put(append(b, featureEnd))
}
