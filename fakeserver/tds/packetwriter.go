package tds

import (
	"encoding/binary"
	"io"
)

// defaultPacketSize is in force until the login reply has been sent.
const defaultPacketSize = 4096

// packetWriter cuts one message at a time into packets. The first write error
// stays: everything after it is dropped, and end reports it.
type packetWriter struct {
	to   io.Writer
	size int // of a packet, header included
	spid uint16
	typ  byte
	seq  byte
	buf  []byte // the packet being filled; its first bytes are left for the header
	err  error

	breaks bool // the message breaks off after left more packets
	left   int
}

// begin starts a message and drops what an unfinished one left behind.
func (w *packetWriter) begin(typ byte) {
	w.typ, w.seq, w.breaks = typ, 1, false
	w.empty()
}

func (w *packetWriter) empty() {
	if cap(w.buf) < w.size {
		w.buf = make([]byte, headerSize, w.size)
	}
	w.buf = w.buf[:headerSize]
}

// add puts p into the message. A packet that is exactly full is kept until more
// comes, because the last packet must carry the end-of-message bit.
func (w *packetWriter) add(p []byte) {
	for len(w.buf)+len(p) > w.size {
		k := w.size - len(w.buf)
		w.buf = append(w.buf, p[:k]...)
		p = p[k:]
		w.emit(0)
	}
	w.buf = append(w.buf, p...)
}

// flush sends what is buffered as a packet that does not end the message.
func (w *packetWriter) flush() {
	if len(w.buf) > headerSize {
		w.emit(0)
	}
}

// end sends the last packet of the message.
func (w *packetWriter) end() error {
	w.emit(statusEOM)
	return w.err
}

func (w *packetWriter) emit(status byte) {
	h := w.buf[:headerSize]
	h[0], h[1] = w.typ, status
	binary.BigEndian.PutUint16(h[2:], uint16(len(w.buf)))
	binary.BigEndian.PutUint16(h[4:], w.spid)
	h[6], h[7] = w.seq, 0
	w.seq++
	if w.breaks && w.left == 0 && w.err == nil {
		w.err = ErrDrop
	}
	if w.err == nil {
		w.left--
		_, w.err = w.to.Write(w.buf)
	}
	w.empty()
}
