package sqlserver_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
)

// TestMain keeps the tests on this machine: what asks for the internet is sent
// to a proxy that is not there, and nothing that this machine is signed in to
// is found.
func TestMain(m *testing.M) {
	nobody, free, err := closedAddress()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		for _, prefix := range []string{"AZURE_", "IDENTITY_", "MSI_", "IMDS_", "KRB5", "DEFAULT_IDENTITY_"} {
			if strings.HasPrefix(name, prefix) {
				os.Unsetenv(name)
			}
		}
	}
	for name, value := range map[string]string{"HTTP_PROXY": "http://" + nobody, "HTTPS_PROXY": "http://" + nobody, "NO_PROXY": ""} {
		os.Unsetenv(strings.ToLower(name))
		os.Setenv(name, value)
	}
	status := m.Run()
	free()
	os.Exit(status)
}

// closedAddress is one of this machine at which nobody listens, nor can until
// it is freed: the near end of a connection has it.
func closedAddress() (address string, free func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return "", nil, errors.Join(err, l.Close())
	}
	return c.LocalAddr().String(), func() { _, _ = c.Close(), l.Close() }, nil
}

// nobody is such an address for one test.
func nobody(t *testing.T) string {
	t.Helper()
	address, free, err := closedAddress()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(free)
	return address
}
