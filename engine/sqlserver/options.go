package sqlserver

import (
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"cdcseed/engine/verdict"
)

// Encrypt says how a connection is encrypted and whom it trusts.
type Encrypt string

// The choices. The empty one is EncryptVerify.
const (
	EncryptVerify Encrypt = "verify" // encrypted, and the certificate is checked
	EncryptStrict Encrypt = "strict" // TDS 8: TLS before anything else, and the certificate is checked
	EncryptPinned Encrypt = "pinned" // encrypted, and the certificate is exactly the one in CertificateFile
	EncryptTrust  Encrypt = "trust"  // encrypted, but any server is believed
	encryptNone   Encrypt = "none"   // not encrypted: for a server on this machine's loopback only
)

// Options says which server to read and as whom. They hold a password: they
// are never printed, and nothing here puts one into an error.
type Options struct {
	Server          string        // host, host,port, host\instance, host:port or tcp:host
	Database        string        // empty for the login's own
	User            string        // empty for single sign-on, where the platform has it
	Password        string        `json:"-"`
	SignIn          SignIn        // empty for a SQL login, or single sign-on
	ApplicationID   string        // of Entra ID, under which users sign in; that of the az command when empty
	Prompt          func(string)  `json:"-"` // shows one line to the person who signs in; EntraDeviceCode needs it
	Encrypt         Encrypt       // EncryptVerify when empty
	CertificateFile string        // PEM, for EncryptPinned; also taken by EncryptStrict
	AppName         string        // what the server shows for the connection; cdcseed when empty
	ReadOnlyIntent  bool          // to be sent to a readable secondary
	ConnectTimeout  time.Duration // for connecting and logging in; 30 s when 0
	SilenceLimit    time.Duration // for the server to send nothing while an answer is due; 10 min when 0
	Retries         int           // times that a read is tried again after a transient error; 3 when 0, none when negative
	RetryDelay      time.Duration // before the first new try, doubled each time; 250 ms when 0
}

// String names the server, the database and the user. It stands for the whole
// value wherever one is printed or logged, so that the password never is.
func (o Options) String() string {
	how := string(o.withDefaults().Encrypt)
	if o.SignIn != "" {
		how += ", " + string(o.SignIn)
	}
	return fmt.Sprintf("%s/%s as %s (%s)", o.Server, o.Database, o.User, how)
}

// GoString keeps the password out of %#v.
func (o Options) GoString() string { return o.String() }

// LogValue keeps the password out of structured logs.
func (o Options) LogValue() slog.Value { return slog.StringValue(o.String()) }

const (
	defaultConnectTimeout = 30 * time.Second
	defaultRetries        = 3
	defaultRetryDelay     = 250 * time.Millisecond
)

func (o Options) withDefaults() Options {
	if o.Encrypt == "" {
		o.Encrypt = EncryptVerify
	}
	if o.AppName == "" {
		o.AppName = "cdcseed"
	}
	if o.ConnectTimeout == 0 {
		o.ConnectTimeout = defaultConnectTimeout
	}
	if o.SilenceLimit == 0 {
		o.SilenceLimit = silenceLimit
	}
	if o.Retries == 0 {
		o.Retries = defaultRetries
	}
	if o.RetryDelay == 0 {
		o.RetryDelay = defaultRetryDelay
	}
	return o
}

// ParseURL reads sqlserver://user:password@host:port/instance?database=... as
// connection strings for go-mssqldb write it. Of its many parameters those are
// taken that mean something here; another one is refused, not ignored.
func ParseURL(text string) (Options, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "sqlserver" || u.Host == "" {
		// The parser's error would quote the text, and the password in it.
		return Options{}, badURL("it is no sqlserver://user@host:port?database=name")
	}
	o := Options{Server: u.Hostname(), User: u.User.Username()}
	o.Password, _ = u.User.Password()
	if port := u.Port(); port != "" {
		o.Server += "," + port
	}
	if instance := strings.Trim(u.Path, "/"); instance != "" {
		o.Server = u.Hostname() + `\` + instance
		if port := u.Port(); port != "" {
			o.Server += "," + port
		}
	}
	var p urlParameters
	for key, values := range u.Query() {
		if len(values) != 1 {
			return Options{}, badURL(fmt.Sprintf("parameter %q is given twice", key))
		}
		if err := p.set(&o, strings.ToLower(key), values[0]); err != nil {
			return Options{}, err
		}
	}
	return p.finish(o)
}

// urlParameters collects what only together says how to encrypt.
type urlParameters struct {
	encrypt, certificate string
	trust                bool
}

func (p *urlParameters) set(o *Options, key, value string) error {
	var err error
	switch key {
	case "database":
		o.Database = value
	case "app name":
		o.AppName = value
	case "applicationintent":
		o.ReadOnlyIntent = strings.EqualFold(value, "readonly")
	case "connection timeout", "dial timeout":
		var s int
		if s, err = strconv.Atoi(value); err == nil {
			o.ConnectTimeout = time.Duration(s) * time.Second
		}
	case "encrypt":
		p.encrypt = strings.ToLower(value)
	case "trustservercertificate":
		p.trust, err = strconv.ParseBool(value)
	case "servercertificate":
		p.certificate = value
	case "fedauth":
		if o.SignIn, err = byFedauth(value); err != nil {
			return err
		}
	case "applicationclientid":
		o.ApplicationID = value
	default:
		return badURL(fmt.Sprintf("parameter %q is not known", key))
	}
	if err != nil {
		return badURL(fmt.Sprintf("parameter %q has no value that it can have", key))
	}
	return nil
}

func (p *urlParameters) finish(o Options) (Options, error) {
	o.CertificateFile = p.certificate
	switch p.encrypt {
	case "", "true", "mandatory", "yes", "1", "t":
		o.Encrypt = EncryptVerify
	case "strict":
		o.Encrypt = EncryptStrict
	case "disable":
		o.Encrypt = encryptNone
	default:
		return Options{}, badURL(fmt.Sprintf("encrypt=%s is not offered: use true, strict or disable", p.encrypt))
	}
	switch {
	case o.Encrypt == EncryptVerify && p.certificate != "":
		o.Encrypt = EncryptPinned
	case o.Encrypt == EncryptVerify && p.trust:
		o.Encrypt = EncryptTrust
	}
	return o, nil
}

func badURL(why string) error {
	return &verdict.Error{
		Code: verdict.Usage,
		What: "the connection URL cannot be used: " + why,
		Hint: []string{"Write sqlserver://user@host:port?database=name and leave the password to the prompt, --password-file or CDCSEED_PASSWORD."},
	}
}

// address is a server's name taken apart.
type address struct {
	host     string
	port     uint64 // 0 where none is given
	instance string
}

// parseServer reads host, host,port, host\instance, host\instance,port,
// host:port and a tcp: before any of them. An IPv6 address is written bare, or
// in brackets where a port follows a colon.
func parseServer(text string) (address, error) {
	bad := &verdict.Error{
		Code: verdict.Usage,
		What: fmt.Sprintf("%q is no server name", text),
		Hint: []string{`Write host, host,port or host\instance.`},
	}
	if strings.ContainsAny(text, ";=") {
		// A connection string that was pasted whole holds a password.
		bad.What = "the value given is no server name; it is not shown, for it may hold a password"
		bad.Hint = append(bad.Hint, "Of a connection string, give the parts: --server, --database, --user; the password is asked for.")
	}
	s := strings.TrimSpace(text)
	if len(s) > 4 && strings.EqualFold(s[:4], "tcp:") {
		s = s[4:]
	}
	host, port, given := strings.Cut(s, ",")
	host, instance, named := strings.Cut(host, `\`)
	if !given && !named {
		if h, p, err := net.SplitHostPort(host); err == nil {
			host, port, given = h, p, true
		}
	}
	a := address{host: strings.Trim(strings.TrimSpace(host), "[]"), instance: strings.TrimSpace(instance)}
	if given {
		n, err := strconv.ParseUint(strings.TrimSpace(port), 10, 16)
		if err != nil || n == 0 {
			return address{}, bad
		}
		a.port = n
	}
	if a.host == "" || strings.ContainsAny(a.host, " /;=") || named && a.instance == "" {
		return address{}, bad
	}
	if a.host == "." || strings.EqualFold(a.host, "(local)") {
		a.host = "localhost"
	}
	return a, nil
}

// onLoopback reports whether the address is this machine's own.
func (a address) onLoopback() bool {
	ip := net.ParseIP(a.host)
	return strings.EqualFold(a.host, "localhost") || ip != nil && ip.IsLoopback()
}
