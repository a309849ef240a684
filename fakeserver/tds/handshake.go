package tds

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// tlsHandshakeRecord is the first byte of a TLS ClientHello.
const tlsHandshakeRecord = 0x16

// handshake runs PRELOGIN, TLS and LOGIN7. Afterwards c.r and c.w carry the
// rest of the connection. A client that is slower than the login timeout is
// cut off, which shows as a read error.
func (c *conn) handshake(ctx context.Context) (*Login, error) {
	timer := time.AfterFunc(c.srv.cfg.LoginTimeout, func() { hangUp(c.nc) })
	defer timer.Stop()

	first, err := c.r.Peek(1)
	if err != nil {
		return nil, err
	}
	strict := first[0] == tlsHandshakeRecord
	if strict {
		if err := c.startTDS8(ctx); err != nil {
			return nil, err
		}
	}
	m, err := readMessage(c.r, maxPrelogin)
	if err != nil {
		return nil, err
	}
	plainR, plainTo := c.r, c.w.to
	var options map[byte][]byte
	covered := coverNothing
	if m.typ == pktPrelogin {
		if options, covered, err = c.prelogin(ctx, m.data, strict); err != nil {
			return nil, err
		}
		if m, err = readMessage(c.r, maxLogin7); err != nil {
			return nil, err
		}
	}
	if covered == coverLogin {
		c.r, c.w.to = plainR, plainTo
	}
	l, err := c.readLogin(m, strict, covered)
	if l != nil {
		l.Prelogin = options
	}
	return l, err
}

// prelogin answers PRELOGIN and starts TLS where both sides agreed on it.
func (c *conn) prelogin(ctx context.Context, data []byte, strict bool) (map[byte][]byte, cover, error) {
	options, err := parsePrelogin(data)
	if err != nil {
		return nil, coverNothing, err
	}
	answer, covered := byte(EncryptNotSup), coverNothing
	if e := options[plEncryption]; len(e) > 0 {
		answer = e[0] & encryptionMask
	}
	var refused error
	if !strict { // inside TLS there is nothing to agree on, and a client takes back what it said
		answer, covered, refused = negotiate(answer, c.srv.cfg.Encryption)
	}
	c.w.begin(pktReply)
	c.w.add(preloginAnswer(c.srv.cfg.Version, answer, options))
	if err := errors.Join(c.w.end(), refused); err != nil {
		return nil, coverNothing, err
	}
	if covered != coverNothing {
		if err := c.startTLS(ctx); err != nil {
			return nil, coverNothing, err
		}
	}
	return options, covered, nil
}

// readLogin reads LOGIN7 out of m and checks that the connection is as safe as
// the server demands: a client may leave PRELOGIN out.
func (c *conn) readLogin(m message, strict bool, covered cover) (*Login, error) {
	if m.typ != pktLogin7 {
		return nil, fmt.Errorf("tds: packet type %d where LOGIN7 was expected", m.typ)
	}
	l, err := parseLogin7(m.data)
	if err != nil {
		return l, err
	}
	l.Strict, l.Encrypted = strict, strict || covered == coverAll
	switch demand := c.srv.cfg.Encryption; {
	case demand == EncryptStrict && !strict:
		return nil, errStrictOnly
	case (demand == EncryptOn || demand == EncryptReq) && !l.Encrypted:
		return nil, errCannotEncrypt
	case l.TDSVersion == tds8 && !strict:
		return nil, errors.New("tds: TDS 8 without TLS")
	}
	return l, nil
}
