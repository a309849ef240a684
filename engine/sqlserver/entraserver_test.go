package sqlserver_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"cdcseed/engine/sqlserver"
)

// entraServer speaks as much TDS as a login with a token and one answer take.
// It stands in for a server that trusts Entra ID.
type entraServer struct {
	listener net.Listener
	plain    bool  // it knows nothing of Entra ID
	refuses  int32 // the error number in answer to the token; 0 accepts it
	drops    int   // connections to cut after their token

	mu     sync.Mutex
	tokens []string // as they arrived
	dials  int
}

const (
	databaseResource = "https://database.windows.net/"
	tenant           = "0a0a0a0a-0000-4000-8000-000000000001"
)

func startEntra(t *testing.T, s *entraServer) sqlserver.Options {
	t.Helper()
	var err error
	if s.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.listener.Close() })
	go func() {
		for {
			c, err := s.listener.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.dials++
			s.mu.Unlock()
			go func() {
				defer c.Close()
				_ = s.serve(c) // whatever stops it shows at the client
			}()
		}
	}()
	o, err := sqlserver.ParseURL("sqlserver://" + s.listener.Addr().String() + "?encrypt=disable&database=Sales")
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func (s *entraServer) serve(c net.Conn) error {
	if _, _, err := readPacket(c); err != nil { // PRELOGIN
		return err
	}
	const encryptionNotSupported, fedAuthOnly = 2, 1
	options := [][]byte{{0, 16, 0, 0, 0, 0, 0}, {1, encryptionNotSupported}, {6, fedAuthOnly}}
	if s.plain {
		options = options[:2]
	}
	if err := reply(c, prelogin(options)); err != nil {
		return err
	}
	if _, _, err := readPacket(c); err != nil { // LOGIN7
		return err
	}
	if err := reply(c, fedAuthInfo("https://login.windows.net/"+tenant, databaseResource)); err != nil {
		return err
	}
	kind, data, err := readPacket(c)
	if err != nil {
		return err
	}
	const fedAuthToken = 8
	if kind != fedAuthToken || len(data) < 8 {
		return errors.New("no token")
	}
	s.mu.Lock()
	s.tokens = append(s.tokens, fromUTF16(data[8:]))
	drop := s.drops > 0
	s.drops--
	s.mu.Unlock()
	switch {
	case drop:
		return nil
	case s.refuses != 0:
		return reply(c, append(failure(s.refuses, "Login failed for user '<token-identified principal>'."), done(2)...))
	}
	if err := reply(c, append(loginAck(), done(0)...)); err != nil {
		return err
	}
	for {
		if _, _, err := readPacket(c); err != nil {
			return err
		}
		if err := reply(c, append(oneInt(5), done(0x10)...)); err != nil {
			return err
		}
	}
}

// got is every token that arrived, and how often somebody dialled.
func (s *entraServer) got() (tokens string, dials int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.tokens, " "), s.dials
}

// readPacket reads one message that fits into its packets.
func readPacket(r io.Reader) (kind byte, data []byte, err error) {
	for {
		var h [8]byte
		if _, err := io.ReadFull(r, h[:]); err != nil {
			return 0, nil, err
		}
		part := make([]byte, binary.BigEndian.Uint16(h[2:])-8)
		if _, err := io.ReadFull(r, part); err != nil {
			return 0, nil, err
		}
		if data = append(data, part...); h[1]&1 != 0 {
			return h[0], data, nil
		}
	}
}

func reply(w io.Writer, data []byte) error {
	h := binary.BigEndian.AppendUint16([]byte{4, 1}, uint16(len(data)+8))
	_, err := w.Write(append(append(h, 0, 0, 1, 0), data...))
	return err
}

func prelogin(options [][]byte) []byte {
	var head, body []byte
	for _, o := range options {
		head = append(head, o[0])
		head = binary.BigEndian.AppendUint16(head, uint16(5*len(options)+1+len(body)))
		head = binary.BigEndian.AppendUint16(head, uint16(len(o)-1))
		body = append(body, o[1:]...)
	}
	return append(append(head, 0xff), body...)
}

func fedAuthInfo(sts, spn string) []byte {
	le := binary.LittleEndian
	one, two := toUTF16(sts), toUTF16(spn)
	const head = 4 + 2*9
	b := le.AppendUint32(nil, 2)
	b = le.AppendUint32(le.AppendUint32(append(b, 1), uint32(len(one))), head)
	b = le.AppendUint32(le.AppendUint32(append(b, 2), uint32(len(two))), uint32(head+len(one)))
	b = append(append(b, one...), two...)
	return append(le.AppendUint32([]byte{0xEE}, uint32(len(b))), b...)
}

func loginAck() []byte {
	name := toUTF16("Microsoft SQL Server")
	b := append([]byte{1, 0x74, 0, 0, 4, byte(len(name) / 2)}, name...)
	b = append(b, 16, 0, 0, 0)
	return append(binary.LittleEndian.AppendUint16([]byte{0xAD}, uint16(len(b))), b...)
}

func failure(number int32, text string) []byte {
	le := binary.LittleEndian
	b := append(le.AppendUint32(nil, uint32(number)), 1, 14)
	b = append(le.AppendUint16(b, uint16(len(text))), toUTF16(text)...)
	b = append(b, 0, 0, 1, 0, 0, 0)
	return append(le.AppendUint16([]byte{0xAA}, uint16(len(b))), b...)
}

// oneInt is a result of one row with one int.
func oneInt(v uint32) []byte {
	b := []byte{0x81, 1, 0, 0, 0, 0, 0, 1, 0, 0x26, 4, 0, 0xD1, 4}
	return binary.LittleEndian.AppendUint32(b, v)
}

func done(status byte) []byte { return []byte{0xFD, status, 0, 0xC1, 0, 1, 0, 0, 0, 0, 0, 0, 0} }

func toUTF16(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

func fromUTF16(b []byte) string {
	var units []uint16
	for ; len(b) > 1; b = b[2:] {
		units = append(units, binary.LittleEndian.Uint16(b))
	}
	return string(utf16.Decode(units))
}

// azureHost makes this process one with a managed identity, as App Service
// does: an endpoint that gives out tokens. Who asks for what is noted. Its tokens
// are good for so short a time that the library remembers none of them.
func azureHost(t *testing.T) (asked func() string) {
	t.Helper()
	var mu sync.Mutex
	var queries []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		queries = append(queries, r.URL.Query().Get("resource")+" "+r.URL.Query().Get("client_id"))
		w.Header().Set("Content-Type", "application/json")
		expires := strconv.FormatInt(time.Now().Add(time.Minute).Unix(), 10)
		_ = json.NewEncoder(w).Encode(map[string]any{"access_token": "token-of-the-host", "expires_on": expires, "resource": databaseResource, "token_type": "Bearer"})
	}))
	t.Cleanup(srv.Close)
	t.Setenv("IDENTITY_ENDPOINT", srv.URL)
	t.Setenv("IDENTITY_HEADER", "header")
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		return strings.Join(queries, "; ")
	}
}

// azCommand makes an az command the only one there is: others that a machine
// may have would be asked too.
func azCommand(t *testing.T, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for az is a shell script")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "az"), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
}
