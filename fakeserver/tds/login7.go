package tds

import (
	"encoding/binary"
	"errors"
)

// Login is what PRELOGIN and LOGIN7 said.
type Login struct {
	TDSVersion, PacketSize, ClientProgVer, ClientPID    uint32
	Flags1, Flags2, TypeFlags, Flags3                   byte
	TimeZone                                            int32
	LCID                                                uint32
	HostName, UserName, Password, AppName, ServerName   string
	CtlIntName, Language, Database, AttachDB, NewPasswd string
	ClientID                                            [6]byte
	SSPI                                                []byte
	Features                                            map[byte][]byte // FEATUREEXT by id
	Encrypted                                           bool            // TLS covers the whole connection
	Strict                                              bool            // TDS 8
	Prelogin                                            map[byte][]byte // options by token
}

// Bits of LOGIN7's flag bytes.
const (
	flags2Integrated = 0x80
	typeReadOnly     = 0x20
	flags3Extension  = 0x10
)

// ReadOnlyIntent reports ApplicationIntent=ReadOnly.
func (l *Login) ReadOnlyIntent() bool { return l.TypeFlags&typeReadOnly != 0 }

// Integrated reports a login by the client's Windows identity; UserName is empty.
func (l *Login) Integrated() bool { return l.Flags2&flags2Integrated != 0 }

// TDS versions as LOGIN7 gives them, little-endian.
const (
	tds72     = 0x72090002
	tds73b    = 0x730B0003 // the first with NBCROW
	tds74     = 0x74000004
	tds8      = 0x08000000
	loginSize = 94 // of LOGIN7's fixed part since 7.2
)

var (
	errOldTDS     = errors.New("tds: the client speaks a version before 7.2")
	errShortLogin = errors.New("tds: short LOGIN7")
	errLoginField = errors.New("tds: LOGIN7 field past the end")
)

// parseLogin7 takes LOGIN7 apart. With errOldTDS only the version is filled in.
func parseLogin7(b []byte) (*Login, error) {
	if len(b) < 8 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)) {
		return nil, errShortLogin
	}
	le := binary.LittleEndian
	l := &Login{TDSVersion: le.Uint32(b[4:])}
	if l.TDSVersion < tds72 && l.TDSVersion != tds8 {
		return l, errOldTDS
	}
	if len(b) < loginSize {
		return nil, errShortLogin
	}
	l.PacketSize, l.ClientProgVer, l.ClientPID = le.Uint32(b[8:]), le.Uint32(b[12:]), le.Uint32(b[16:])
	l.Flags1, l.Flags2, l.TypeFlags, l.Flags3 = b[24], b[25], b[26], b[27]
	l.TimeZone, l.LCID = int32(le.Uint32(b[28:])), le.Uint32(b[32:])
	copy(l.ClientID[:], b[72:78])

	f := loginFields{b: b}
	l.HostName, l.UserName, l.Password = f.text(36), f.text(40), unscramble(f.bytes(44, 2))
	l.AppName, l.ServerName = f.text(48), f.text(52)
	ext := f.bytes(56, 1)
	l.CtlIntName, l.Language, l.Database = f.text(60), f.text(64), f.text(68)
	l.SSPI = f.bytes(78, 1)
	l.AttachDB, l.NewPasswd = f.text(82), unscramble(f.bytes(86, 2))
	if f.err == nil && l.Flags3&flags3Extension != 0 && len(ext) == 4 {
		l.Features, f.err = parseFeatures(b, le.Uint32(ext))
	}
	if f.err != nil {
		return nil, f.err
	}
	return l, nil
}

// loginFields reads the variable fields: an offset and a length each.
type loginFields struct {
	b   []byte
	err error
}

// bytes returns the field described at offset at, its length counted in units.
func (f *loginFields) bytes(at, unit int) []byte {
	off, n := int(binary.LittleEndian.Uint16(f.b[at:])), int(binary.LittleEndian.Uint16(f.b[at+2:]))*unit
	if n == 0 {
		return nil
	}
	if off+n > len(f.b) {
		f.err = errLoginField
		return nil
	}
	return f.b[off : off+n]
}

func (f *loginFields) text(at int) string { return fromUCS2(f.bytes(at, 2)) }

// unscramble undoes the bit swap that LOGIN7 applies to passwords.
func unscramble(b []byte) string {
	p := make([]byte, len(b))
	for i, c := range b {
		c ^= 0xA5
		p[i] = c<<4 | c>>4
	}
	return fromUCS2(p)
}
