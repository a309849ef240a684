package sqlserver_test

import (
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
	nobody, err := closedAddress()
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
	os.Exit(m.Run())
}

// closedAddress is one of this machine at which nobody listens.
func closedAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
