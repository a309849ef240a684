package tds

import (
	"errors"
	"fmt"
)

// Values of Config.Encryption, and of the ENCRYPTION option on the wire.
const (
	EncryptOff    = 0 // the login packet only, unless the client wants all
	EncryptOn     = 1 // everything
	EncryptNotSup = 2 // the server cannot encrypt
	EncryptReq    = 3 // everything; a client that cannot is turned away
	EncryptStrict = 4 // TDS 8 only: TLS before the first packet
)

// encryptionMask leaves out the client certificate bit.
const encryptionMask = 0x0f

var (
	errCannotEncrypt = errors.New("tds: the client cannot encrypt and the server demands it")
	errNoCertificate = errors.New("tds: encryption is wanted and the server has no certificate")
	errStrictOnly    = errors.New("tds: the server takes TDS 8 only")
)

// cover is how much of a connection TLS inside PRELOGIN covers.
type cover int

const (
	coverNothing cover = iota
	coverLogin
	coverAll
)

// negotiate applies the table of MS-TDS 2.2.6.5 to what both sides want: the
// ENCRYPTION value to answer, and what follows. With an error the answer is
// still to be sent, so that the client can say why.
func negotiate(client, server byte) (answer byte, c cover, err error) {
	if client > EncryptReq {
		return EncryptNotSup, coverNothing, fmt.Errorf("tds: PRELOGIN encryption %d", client)
	}
	switch server {
	case EncryptNotSup: // a client that insists hangs up when it reads this
		return EncryptNotSup, coverNothing, nil
	case EncryptOff:
		switch client {
		case EncryptNotSup:
			return EncryptNotSup, coverNothing, nil
		case EncryptOff:
			return EncryptOff, coverLogin, nil
		}
		return EncryptOn, coverAll, nil
	case EncryptStrict:
		return EncryptReq, coverNothing, errStrictOnly
	}
	switch client {
	case EncryptNotSup:
		return EncryptReq, coverNothing, errCannotEncrypt
	case EncryptOff:
		return EncryptReq, coverAll, nil
	}
	return EncryptOn, coverAll, nil
}
