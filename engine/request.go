package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cdcseed/engine/sqlserver"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// Request is what is wanted, as plain data: the answers of the wizard or the
// flags of the command line. Nothing in it is secret: the password travels
// beside it. Args prints the command that asks for the same.
type Request struct {
	Server   string // host[,port] or host\instance, or a sqlserver:// URL without a password
	Database string
	User     string // empty: the operating system's sign-on, on Windows
	SignIn   string // empty for a SQL login or the operating system's sign-on; entra:default and the like, kerberos
	Encrypt  string // verify (also when empty), strict, trust, or pin:FILE
	TimeZone string // a Windows zone name that settles a server that cannot name its own

	Table string // schema.table, or the capture instance that the Python job is configured with

	Copy       string // a folder or file of Parquet, or a Delta table
	Target     string // the bronze table's location
	TargetName string // the text that the Python job passes as target; empty: Target as it stands
	Facts      string // the facts table's location, or empty
	AppID      string // of the Python job; needed with Facts
	Reseed     bool   // the copy becomes the next snapshot of a target that holds an older one

	AsOf               string        // when the copy started: RFC 3339 with a zone, or an LSN
	CopyLag            time.Duration // how far the copy's source ran behind the server
	AllowAsOfAfterCopy bool          // the copy is refreshed in place and as_of is the start of the last refresh

	Cast           map[string]string // column: stop, round, cut, null or another choice that its question offers
	Missing        map[string]string // column: stop or null
	Map            []string          // COPY=CAPTURED: the copy's column that is a captured one under another name; COPY= leaves it out
	Encoding       map[string]string // column: the encoding of the copy's text, where it is not UTF-8
	CopyTimeZone   string            // of the copy's zone-less times: UTC, an IANA or Windows name, wall-clock
	ExcludeDeleted bool              // leave out rows that another tool flagged as deleted
	KeepDeleted    bool              // keep them
	IgnoreMark     []string          // columns that look like another tool's bookkeeping and are to be left out like any other, and files that look like its changes

	UpgradeProtocol bool     // let the data commit enable timestampNtz in the target
	Check           string   // values to look at before anything is written: sample (also when empty) or all
	CountKeys       bool     // count the keys that stand more than once, too
	OnStop          string   // remove or keep staged files when the user stops
	Memory          string   // that writing may take, as --memory spells it; empty is 1GiB
	Accept          []string // warnings accepted by name
}

// Validate finds what contradicts itself before anything is connected or
// read. Errors are verdict.Usage, FactsIncomplete or AcceptUnknown.
func (r Request) Validate() error {
	for _, f := range []struct{ flag, value string }{
		{"server", r.Server}, {"table", r.Table}, {"copy", r.Copy}, {"target", r.Target}, {"as-of", r.AsOf},
	} {
		if strings.TrimSpace(f.value) == "" {
			return usage(fmt.Sprintf("--%s is missing", f.flag), "Give --"+f.flag+"; cdcseed seed --help tells what it takes.")
		}
	}
	if err := r.validateFacts(); err != nil {
		return err
	}
	for _, f := range []struct {
		flag, value string
		takes       []string
	}{
		{"on-stop", r.OnStop, []string{"", "remove", "keep"}},
		{"sign-in", r.SignIn, append([]string{""}, SignIns()...)},
	} {
		if !slices.Contains(f.takes, f.value) {
			return usage(fmt.Sprintf("--%s %q is no choice", f.flag, f.value), "Give one of: "+strings.Join(f.takes[1:], ", ")+".")
		}
	}
	if err := r.validateCheck(); err != nil {
		return err
	}
	if _, err := parseMemory(r.Memory); err != nil {
		return err
	}
	for column, answer := range r.Missing {
		if answer != "stop" && answer != "null" {
			return usage(fmt.Sprintf("--missing %s=%s is no choice", column, answer), "Give stop or null.")
		}
	}
	for _, m := range r.Map {
		if strings.Index(m, "=") < 1 {
			return usage(fmt.Sprintf("--map %s is not COPY=CAPTURED", m), "Give the copy's column, =, and the captured column that it is.")
		}
	}
	if r.ExcludeDeleted && r.KeepDeleted {
		return usage("--exclude-deleted and --keep-deleted contradict each other", "Give one of them.")
	}
	if r.CopyLag < 0 {
		return usage(fmt.Sprintf("--copy-lag %s goes later: a lag is subtracted from as_of", r.CopyLag), "Give a positive length of time, such as 15m.")
	}
	return r.validateAccept()
}

// SignIns are the values of --sign-in.
func SignIns() []string {
	var out []string
	for _, s := range sqlserver.SignIns() {
		out = append(out, string(s))
	}
	return out
}

func (r Request) validateFacts() error {
	switch {
	case r.Facts != "" && strings.TrimSpace(r.AppID) == "":
		return &verdict.Error{
			Code: verdict.FactsIncomplete,
			What: "a facts table is given without the stream's app id",
			Why:  "The facts row is written once for each app id, so the stream finds it only under its own.",
			Hint: []string{"Add --app-id with the text that the Python job passes as app_id, or leave --facts out."},
		}
	case r.Facts != "" && strings.TrimSpace(r.TargetName) == "" && isPath(r.Target):
		return &verdict.Error{
			Code:  verdict.FactsIncomplete,
			What:  "a facts table is given with a target path and no target name",
			Facts: verdict.Facts("target", r.Target),
			Why:   "The stream compares the facts row's target with the text it was given itself; a path and a name never match.",
			Hint: []string{
				"Add --target-name with exactly the text that the Python job passes as target, such as bronze.orders.",
				"If the job passes the path itself, repeat it: --target-name " + verdict.ShellWord(r.Target),
			},
		}
	}
	return nil
}

func (r Request) validateAccept() error {
	for _, a := range r.Accept {
		if !slices.Contains(verdict.Warnings(), verdict.Warning(a)) {
			return &verdict.Error{
				Code: verdict.AcceptUnknown,
				What: fmt.Sprintf("--accept %s names no warning", a),
				Hint: []string{"Run with --dry-run: every warning is printed with the name that accepts it."},
			}
		}
	}
	return nil
}

// Absolute is r with its local paths made absolute, so that a plan means the
// same places from every folder. A target that looks like a catalogue's name is
// refused: it would become a folder of that name.
func (r Request) Absolute() (Request, error) {
	if r.Target != "" && !isPath(r.Target) {
		if _, err := os.Stat(r.Target); err != nil {
			return r, usage(fmt.Sprintf("--target %q looks like a table's name, not a folder", r.Target),
				"Give the table's folder as --target, such as ./"+r.Target+" for one here, and the name as --target-name.")
		}
	}
	for _, p := range []struct{ flag, location string }{{"copy", r.Copy}, {"target", r.Target}, {"facts", r.Facts}} {
		if strings.ContainsAny(p.location, "\n\r") {
			return r, usage(fmt.Sprintf("--%s %q is a path with a line's end in it", p.flag, p.location), "Give a folder whose name is one line.")
		}
		if strings.HasPrefix(p.location, "~") || strings.HasPrefix(p.location, "$") || strings.Contains(p.location, "`") {
			return r, usage(fmt.Sprintf("--%s %q is a path that a shell was to expand, or none", p.flag, p.location),
				"Write the path out, such as /lake/orders. A folder whose name really begins with ~ or $ is given with ./ before it.")
		}
	}
	if file, pinned := strings.CutPrefix(r.Encrypt, "pin:"); pinned {
		path, err := filepath.Abs(file)
		if err != nil {
			return r, usage(err.Error())
		}
		r.Encrypt = "pin:" + path
	}
	for _, at := range []*string{&r.Copy, &r.Target, &r.Facts} {
		path, err := store.LocalPath(*at)
		if err != nil || *at == "" {
			continue // another scheme is refused where it is opened
		}
		if *at, err = filepath.Abs(path); err != nil {
			return r, usage(err.Error())
		}
	}
	return r, nil
}

// FactsTarget is the target text that the facts row carries.
func (r Request) FactsTarget() string {
	if r.TargetName != "" {
		return r.TargetName
	}
	return r.Target
}

// isPath tells a location from a catalogue's name as the stream's package does.
func isPath(target string) bool { return strings.ContainsAny(target, `/\:`) }

func usage(what string, hint ...string) error {
	return &verdict.Error{Code: verdict.Usage, What: what, Hint: hint}
}
