package tds

import (
	"encoding/binary"
	"errors"
	"strconv"
)

// Packet sizes that a client may ask for. TLS records hold 16 KiB.
const (
	minPacketSize          = 512
	maxPacketSize          = 32_767
	maxEncryptedPacketSize = 16_383
)

// packetSize is what the server grants; 0 asks for the default.
func packetSize(l *Login) int {
	size := l.PacketSize
	if size == 0 {
		size = defaultPacketSize
	}
	limit := uint32(maxPacketSize)
	if l.Encrypted {
		limit = maxEncryptedPacketSize
	}
	return int(min(max(size, minPacketSize), limit))
}

// tdsVersion is the version to confirm: the client's own, or the newest known.
func tdsVersion(l *Login) uint32 {
	if l.Strict {
		return tds8
	}
	return min(l.TDSVersion, tds74)
}

// welcome sends the reply to an accepted login. The packet size granted is in
// force after it.
func (c *conn) welcome(l *Login) error {
	size := packetSize(l)
	database := l.Database
	if database == "" {
		database = "master"
	}
	c.w.begin(pktReply)
	w := &Reply{c: c}
	w.Env(envDatabase, database, "master")
	w.Message(&Error{Number: 5701, State: 2, Message: "Changed database context to '" + database + "'."})
	w.envBytes(envCollation, []byte(collation), nil)
	w.Env(envLanguage, "us_english", "")
	w.Message(&Error{Number: 5703, State: 1, Message: "Changed language setting to us_english."})
	w.loginAck(tdsVersion(l))
	w.Env(envPacketSize, strconv.Itoa(size), strconv.Itoa(defaultPacketSize))
	w.featureAck(l)
	w.done(tokDone, 0)
	if err := c.w.end(); err != nil {
		return err
	}
	c.w.size = size
	return nil
}

func (w *Reply) loginAck(version uint32) {
	const interfaceTSQL = 1
	b := binary.BigEndian.AppendUint32([]byte{interfaceTSQL}, version)
	b = bVarchar(b, "Microsoft SQL Server")
	v := w.c.srv.cfg.Version
	b = binary.BigEndian.AppendUint16(append(b, v.Major, v.Minor), v.Build)
	w.put(token(tokLoginAck, b))
}

// refuse tells the client why there is no session, where the reason is a
// message of SQL Server or several that are joined.
func (c *conn) refuse(reason error) {
	list := messagesIn(reason)
	if len(list) == 0 {
		return
	}
	c.w.begin(pktReply)
	w := &Reply{c: c}
	for _, e := range list {
		w.Message(e)
	}
	w.done(tokDone, doneError)
	_ = c.w.end() // the connection ends either way
}

// messagesIn lists the messages that err is made of, in their order.
func messagesIn(err error) []*Error {
	var out []*Error
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		for _, x := range joined.Unwrap() {
			out = append(out, messagesIn(x)...)
		}
		return out
	}
	var e *Error
	if errors.As(err, &e) {
		out = append(out, e)
	}
	return out
}

// refuseOld speaks the token shapes of TDS 7.0 and 7.1: a line number of 16
// bits, a row count of 32. A client of 4.2 or older gets a closed socket.
func (c *conn) refuseOld(version uint32) {
	if version>>24 < 0x70 {
		return
	}
	e := notSimulated("TDS before 7.2; this client speaks %08x", version)
	body := append(u32(nil, uint32(e.Number)), e.State, e.Class)
	body = usVarchar(body, e.Message)
	body = bVarchar(body, c.srv.cfg.ServerName)
	body = bVarchar(body, "")
	body = u16(body, 1)
	b := token(tokError, body)
	b = u32(u16(u16(append(b, tokDone), doneError), 0), 0)
	c.w.begin(pktReply)
	c.w.add(b)
	_ = c.w.end() // the connection ends either way
}
