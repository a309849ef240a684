package tds_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"cdcseed/fakeserver/tds"
)

// column is what COLMETADATA says of one.
type column struct {
	user  uint32
	flags uint16
	typ   byte
	name  string
}

// metadata takes COLMETADATA of the shapes apart and returns what follows it.
func metadata(t *testing.T, b []byte) (cols []column, rest []byte) {
	t.Helper()
	if b[0] != 0x81 {
		t.Fatalf("% x", b)
	}
	n := int(binary.LittleEndian.Uint16(b[1:]))
	b = b[3:]
	for range n {
		c := column{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint16(b[4:]), b[6], ""}
		b = b[7:]
		switch tds.TypeID(c.typ) {
		case tds.IntNType, tds.XMLType:
			b = b[1:]
		case tds.BigVarCharType:
			b = b[2+5:]
		case tds.NTextType: // a length, a collation, the parts of a table's name
			parts := int(b[9])
			b = b[10:]
			for range parts {
				b = b[2+2*int(binary.LittleEndian.Uint16(b)):]
			}
		default:
			t.Fatalf("type %x", c.typ)
		}
		k := 2 * int(b[0])
		for i := 0; i < k; i += 2 {
			c.name += string(rune(b[1+i]))
		}
		cols, b = append(cols, c), b[1+k:]
	}
	return cols, b
}

// TestColumnsOnTheWire: flags, and the name of a table for the old large types.
func TestColumnsOnTheWire(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	c := loginRaw(t, r.addr, 0x74000004)
	c.send(pktBatch, eom, batch("shapes 0"))
	cols, _ := metadata(t, c.message())
	want := []column{
		{0, 0x08 | 0x10, byte(tds.IntNType), "id"},
		{0, 0x08 | 0x01 | 0x20, byte(tds.IntNType), "sum"},
		{0, 0x08 | 0x01, byte(tds.XMLType), "x"},
		{0, 0x08 | 0x01, byte(tds.NTextType), "t"},
		{0, 0x08 | 0x01, byte(tds.BigVarCharType), "v"},
	}
	if !slices.Equal(cols, want) {
		t.Errorf("%+v\nwant %+v", cols, want)
	}
}

// TestRowsOnTheWire: NBCROW for two NULLs and more, where the client knows it;
// xml without a byte-order mark.
func TestRowsOnTheWire(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	const row, nbcRow = 0xD1, 0xD2
	for version, knows := range map[uint32]bool{0x72090002: false, 0x730A0003: false, 0x730B0003: true, 0x74000004: true} {
		c := loginRaw(t, r.addr, version)
		for nulls := range 5 {
			c.send(pktBatch, eom, batch("shapes "+string(rune('0'+nulls))))
			_, b := metadata(t, c.message())
			want := byte(row)
			if knows && nulls > 1 {
				want = nbcRow
			}
			if b[0] != want {
				t.Errorf("%08x, %d NULLs: token %x, want %x", version, nulls, b[0], want)
			}
			if b[0] == nbcRow {
				if bits := byte(1<<nulls-1) << 1; b[1] != bits || b[2] != 4 {
					t.Errorf("%08x, %d NULLs: bits %08b, want %08b", version, nulls, b[1], bits)
				}
			}
			// <a/> in one chunk of eight bytes, with nothing before them.
			xml := append([]byte{8, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0}, ucs2("<a/>")...)
			if has := bytes.Contains(b, append(xml, 0, 0, 0, 0)); has != (nulls < 2) {
				t.Errorf("%08x, %d NULLs: % x", version, nulls, b)
			}
		}
	}
}

// TestMessagesOnTheWire: INFO and ERROR, field by field.
func TestMessagesOnTheWire(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup, ServerName: "HERE"})
	c := loginRaw(t, r.addr, 0x74000004)
	str := func(s string) []byte { return append([]byte{byte(len(s))}, ucs2(s)...) }
	for sql, want := range map[string]struct {
		token        byte
		number       uint32
		state, class byte
		text, proc   string
		line         uint32
	}{
		"info 1":         {tokInfo, 5701, 1, 0, "just so you know", "", 1},
		"error 208 16":   {tokError, 208, 3, 16, "scripted", "dbo.p", 7},
		"error 50000 11": {tokError, 50000, 3, 11, "scripted", "dbo.p", 7},
		"error 596 20":   {tokError, 596, 3, 20, "scripted", "dbo.p", 7},
	} {
		if want.class == 20 {
			c = loginRaw(t, r.addr, 0x74000004)
		}
		body := binary.LittleEndian.AppendUint32(nil, want.number)
		body = append(body, want.state, want.class)
		body = append(binary.LittleEndian.AppendUint16(body, uint16(len(want.text))), ucs2(want.text)...)
		body = append(append(body, str("HERE")...), str(want.proc)...)
		body = binary.LittleEndian.AppendUint32(body, want.line)
		c.send(pktBatch, eom, batch(sql))
		if k := c.tokens(); k[0].id != want.token || !bytes.Equal(k[0].body, body) {
			t.Errorf("%s: %x % x, want % x", sql, k[0].id, k[0].body, body)
		}
		if want.class == 20 {
			c = loginRaw(t, r.addr, 0x74000004)
		}
	}
}

// TestSplitRequests sends requests whose packets end at every byte, and a whole
// session of which every byte is a write of its own.
func TestSplitRequests(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	c := loginRaw(t, r.addr, 0x74000004)
	request := headers(call(procExecuteSQL, text("echo"), text("@p1 int"), number(0x01020304, false), text("é日😀"))...)
	c.send(pktRPC, eom, request)
	want := c.message()
	for at := range len(request) + 1 {
		if err := c.packet(pktRPC, 0, 1, request[:at]); err != nil {
			t.Fatal(err)
		}
		c.send(pktRPC, eom, request[at:])
		if got := c.message(); !bytes.Equal(got, want) {
			t.Fatalf("cut at %d: % x", at, got)
		}
	}
	for i := range request { // one byte a packet
		status := byte(0)
		if i == len(request)-1 {
			status = eom
		}
		c.send(pktRPC, status, request[i:i+1])
	}
	if got := c.message(); !bytes.Equal(got, want) {
		t.Errorf("one byte a packet: % x", got)
	}

	slow := dialRaw(t, r.addr)
	slow.nc = &byteConn{slow.nc}
	slow.prelogin()
	if k := slow.welcomed(0x74000004, 512); len(find(k, tokLoginAck)) != 1 {
		t.Fatalf("%x", k)
	}
	slow.send(pktRPC, eom, request)
	if got := slow.message(); !bytes.Equal(got, want) {
		t.Errorf("one byte a write: % x", got)
	}
}

// TestSplitReplies: a reply is the same whatever the size of its packets.
func TestSplitReplies(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	var want []byte
	for size := uint32(512); size < 900; size++ {
		c := dialRaw(t, r.addr)
		c.prelogin()
		c.welcomed(0x74000004, size)
		c.send(pktBatch, eom, batch("rows 40"))
		got := c.message()
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("packets of %d bytes: % x", size, got)
		}
		c.nc.Close()
	}
}
