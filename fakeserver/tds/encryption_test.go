package tds_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cdcseed/fakeserver/tds"
)

func TestEncryption(t *testing.T) {
	_, stranger, err := tds.SelfSigned(false)
	if err != nil {
		t.Fatal(err)
	}
	strangerFile := filepath.Join(t.TempDir(), "stranger.pem")
	if err := os.WriteFile(strangerFile, stranger, 0o600); err != nil {
		t.Fatal(err)
	}
	const trust = "&TrustServerCertificate=true"
	for _, c := range []struct {
		name    string
		server  byte
		options string
		ok      bool
		// What the server saw of a login that was let in.
		encrypted, strict bool
	}{
		{"nothing asked", tds.EncryptOff, "", true, false, false},
		{"disable", tds.EncryptOff, "encrypt=disable", true, false, false},
		{"false checks the certificate", tds.EncryptOff, "encrypt=false", false, false, false},
		{"false, trusting", tds.EncryptOff, "encrypt=false" + trust, true, false, false},
		{"true, trusting", tds.EncryptOff, "encrypt=true" + trust, true, true, false},
		{"true, unknown authority", tds.EncryptOff, "encrypt=true", false, false, false},
		{"true, with the authority", tds.EncryptOff, "encrypt=true&certificate=CERT", true, true, false},
		{"true, wrong authority", tds.EncryptOff, "encrypt=true&certificate=STRANGER", false, false, false},
		{"true, pinned", tds.EncryptOff, "encrypt=true&serverCertificate=CERT", true, true, false},
		{"true, wrong pin", tds.EncryptOff, "encrypt=true&serverCertificate=STRANGER", false, false, false},
		{"strict ignores trust", tds.EncryptOff, "encrypt=strict" + trust, false, false, false},
		{"strict, pinned", tds.EncryptOff, "encrypt=strict&serverCertificate=CERT", true, true, true},
		{"strict, with the authority", tds.EncryptReq, "encrypt=strict&certificate=CERT", true, true, true},
		{"strict, wrong authority", tds.EncryptOn, "encrypt=strict&certificate=STRANGER", false, false, false},
		{"strict only, strict", tds.EncryptStrict, "encrypt=strict&certificate=CERT", true, true, true},
		{"strict only, true", tds.EncryptStrict, "encrypt=true" + trust, false, false, false},
		{"required, disable", tds.EncryptReq, "encrypt=disable", false, false, false},
		{"required, false", tds.EncryptReq, "encrypt=false" + trust, true, true, false},
		{"on, nothing asked", tds.EncryptOn, "", true, true, false},
		{"on, disable", tds.EncryptOn, "encrypt=disable", false, false, false},
		{"unsupported, true", tds.EncryptNotSup, "encrypt=true" + trust, false, false, false},
		{"unsupported, false", tds.EncryptNotSup, "encrypt=false", true, false, false},
		{"unsupported, strict", tds.EncryptNotSup, "encrypt=strict&certificate=CERT", false, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := start(t, tds.Config{Encryption: c.server})
			options := strings.NewReplacer("CERT", url.QueryEscape(r.cert), "STRANGER", url.QueryEscape(strangerFile)).Replace(c.options)
			db := r.open(t, options)
			long := strings.Repeat("over several packets ", 1000)
			var got string
			err := db.QueryRowContext(within(t), "echo @p1", long).Scan(&got)
			if (err == nil) != c.ok || err == nil && got != long {
				t.Fatalf("%v, %d characters", err, len(got))
			}
			if c.ok {
				r.checkLogin(t, c.encrypted, c.strict)
			} else if r.logins() != 0 {
				t.Error("a session was opened")
			}
		})
	}
}

// checkLogin looks at what the trace says of the login.
func (r *rig) checkLogin(t *testing.T, encrypted, strict bool) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	line := r.trace[0]
	want := map[bool]string{true: "encrypted=true", false: "encrypted=false"}[encrypted] +
		map[bool]string{true: " strict=true", false: " strict=false"}[strict]
	if !strings.HasPrefix(line, "LOGIN ") || !strings.Contains(line, want) {
		t.Errorf("%s: want %s", line, want)
	}
	if strings.Contains(line, password) {
		t.Error("the trace shows the password")
	}
}

// TestRSACertificate uses the kind of key that SQL Server itself makes.
func TestRSACertificate(t *testing.T) {
	cert, _, err := tds.SelfSigned(true)
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, tds.Config{TLS: tlsWith(cert)})
	if err := r.open(t, "encrypt=true&TrustServerCertificate=true").PingContext(within(t)); err != nil {
		t.Error(err)
	}
}

// TestNoCertificate: a server that is to encrypt and cannot lets nobody in.
func TestNoCertificate(t *testing.T) {
	for _, enc := range []byte{tds.EncryptOn, tds.EncryptReq, tds.EncryptStrict} {
		t.Run(fmt.Sprint(enc), func(t *testing.T) {
			r := start(t, tds.Config{Encryption: enc, TLS: noTLS})
			for _, options := range []string{plain, "encrypt=true&TrustServerCertificate=true"} {
				if err := r.open(t, options).PingContext(within(t)); err == nil {
					t.Errorf("%s: let in", options)
				}
			}
		})
	}
}
