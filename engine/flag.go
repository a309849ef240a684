package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"cdcseed/engine/cast"
	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
)

// Flag is one answer of a Request as the command line, the environment and the
// documentation know it. The table below is the only place that names them.
type Flag struct {
	Name    string // without dashes
	Value   string // what stands for the value in help; empty for a switch
	Default string
	Doc     string // one line
	Repeats bool   // may be given several times; in the environment, commas separate
	get     func(*Request) []string
	set     func(*Request, string) error
}

// Env is the flag's name in the environment.
func (f Flag) Env() string {
	return "CDCSEED_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
}

// Set puts a value into r. An error says what the flag takes.
func (f Flag) Set(r *Request, value string) error { return f.set(r, value) }

// Get is the flag's values in r, none where r has the default.
func (f Flag) Get(r *Request) []string { return f.get(r) }

// SourceFlags are those of the connection.
func SourceFlags() []Flag {
	return []Flag{
		text("server", "HOST[,PORT]", "", "SQL Server, or a sqlserver:// URL", func(r *Request) *string { return &r.Server }),
		text("database", "NAME", "", "database that has CDC", func(r *Request) *string { return &r.Database }),
		text("user", "LOGIN", "", "SQL login; without one, the operating system's sign-on", func(r *Request) *string { return &r.User }),
		text("sign-in", "HOW", "", "instead of a SQL login: "+sqlserver.SignInList(), func(r *Request) *string { return &r.SignIn }),
		text("encrypt", "HOW", "", "verify the certificate (without the flag), strict (TDS 8), pin:FILE, trust (unsafe) or none (loopback only)",
			func(r *Request) *string { return &r.Encrypt }),
		text("time-zone", "WINDOWS_ZONE", "", "the server's zone, where it cannot name it itself (before SQL Server 2022)",
			func(r *Request) *string { return &r.TimeZone }),
	}
}

// SeedFlags are all flags of a seed, those of the connection first.
func SeedFlags() []Flag {
	return append(SourceFlags(),
		text("table", "NAME", "", "schema.table to seed, or the capture instance that the Python job is configured with",
			func(r *Request) *string { return &r.Table }),
		text("copy", "PATH", "", "the copy: a Delta table, a folder of Parquet files or one file", func(r *Request) *string { return &r.Copy }),
		text("target", "PATH", "", "bronze table, made if missing", func(r *Request) *string { return &r.Target }),
		text("target-name", "TEXT", "", "target exactly as the Python job passes it; needed with --facts and a path",
			func(r *Request) *string { return &r.TargetName }),
		text("facts", "PATH", "", "facts table to record the seed in, made if missing", func(r *Request) *string { return &r.Facts }),
		text("app-id", "TEXT", "", "app_id of the Python job; needed with --facts", func(r *Request) *string { return &r.AppID }),
		toggle("reseed", "recovery: append the copy as the next snapshot of a target that holds an older one; takes a new app id",
			func(r *Request) *bool { return &r.Reseed }),
		text("as-of", "TIME|LSN", "", "when the copy started: a time with its zone, or an LSN; earlier is safe", func(r *Request) *string { return &r.AsOf }),
		duration("copy-lag", "DURATION", "how far the copy's source ran behind the server (a replica, a restored backup)",
			func(r *Request) *time.Duration { return &r.CopyLag }),
		toggle("allow-as-of-after-copy", "the copy is refreshed in place and as_of is the start of the last refresh",
			func(r *Request) *bool { return &r.AllowAsOfAfterCopy }),
		pairs("cast", "COLUMN=ANSWER", "what becomes of values that a cast would change: stop, round, cut, null; the plan lists a column's choices",
			func(r *Request) *map[string]string { return &r.Cast }),
		pairs("missing", "COLUMN=ANSWER", "what a captured column that the copy lacks becomes: stop, null",
			func(r *Request) *map[string]string { return &r.Missing }),
		columns("map", "COPY=CAPTURED", "the copy's column that is a captured one under another name; COPY= leaves that column out",
			func(r *Request) *[]string { return &r.Map }),
		pairs("encoding", "COLUMN=ENCODING", "the encoding of a captured column's text in the copy, where it is not UTF-8: windows-1252 or another code page, or an IANA name",
			func(r *Request) *map[string]string { return &r.Encoding }),
		text("copy-time-zone", "ZONE", "", "zone of the copy's times where it decides: UTC, an IANA or Windows name, wall-clock",
			func(r *Request) *string { return &r.CopyTimeZone }),
		toggle("exclude-deleted", "leave out rows that another tool flagged as deleted", func(r *Request) *bool { return &r.ExcludeDeleted }),
		toggle("keep-deleted", "keep rows that another tool flagged as deleted", func(r *Request) *bool { return &r.KeepDeleted }),
		columns("ignore-mark", "COLUMN|FILE", "leave out a column that looks like another tool's bookkeeping; take a file whose name looks like its changes", func(r *Request) *[]string { return &r.IgnoreMark }),
		toggle("upgrade-protocol", "let the data commit enable timestampNtz in an existing target", func(r *Request) *bool { return &r.UpgradeProtocol }),
		checks(),
		text("on-stop", "HOW", "remove", "staged files when you stop a seed: remove, keep", func(r *Request) *string { return &r.OnStop }),
		text("memory", "SIZE", "1GiB", "memory that writing may take, such as 512MiB or 2GB: with less, fewer files at a time", func(r *Request) *string { return &r.Memory }),
		list("accept", "WARNING", "accept a warning by its name", func(r *Request) *[]string { return &r.Accept }),
	)
}

// Args is the command line that asks for r: the flags of SeedFlags that do not
// have their default, in the table's order. Command quotes it for a shell.
func (r Request) Args() []string {
	var out []string
	for _, f := range SeedFlags() {
		for _, v := range f.get(&r) {
			if f.Value == "" {
				out = append(out, "--"+f.Name)
				continue
			}
			out = append(out, "--"+f.Name, v)
		}
	}
	return out
}

// Command is the shell command line of a subcommand with args.
func Command(name string, args []string) string {
	words := []string{"cdcseed", name}
	for _, a := range args {
		words = append(words, verdict.ShellWord(a))
	}
	return strings.Join(words, " ")
}

func text(name, value, def, doc string, at func(*Request) *string) Flag {
	return Flag{
		Name: name, Value: value, Default: def, Doc: doc,
		get: func(r *Request) []string {
			if v := *at(r); v != "" && v != def {
				return []string{v}
			}
			return nil
		},
		set: func(r *Request, v string) error { *at(r) = v; return nil },
	}
}

func toggle(name, doc string, at func(*Request) *bool) Flag {
	return Flag{
		Name: name, Doc: doc,
		get: func(r *Request) []string {
			if *at(r) {
				return []string{"true"}
			}
			return nil
		},
		set: func(r *Request, v string) error {
			switch strings.ToLower(v) {
			case "true", "1", "yes":
				*at(r) = true
			case "false", "0", "no", "":
				*at(r) = false
			default:
				return fmt.Errorf("%q is neither true nor false", v)
			}
			return nil
		},
	}
}

func duration(name, value, doc string, at func(*Request) *time.Duration) Flag {
	return Flag{
		Name: name, Value: value, Doc: doc,
		get: func(r *Request) []string {
			if *at(r) == 0 {
				return nil
			}
			return []string{at(r).String()}
		},
		set: func(r *Request, v string) error {
			d, err := time.ParseDuration(v)
			if err != nil {
				return fmt.Errorf("%q is no length of time such as 15m or 1h30m", v)
			}
			*at(r) = d
			return nil
		},
	}
}

func pairs(name, value, doc string, at func(*Request) *map[string]string) Flag {
	return Flag{
		Name: name, Value: value, Doc: doc, Repeats: true,
		get: func(r *Request) []string {
			var out []string
			for _, k := range slices.Sorted(maps.Keys(*at(r))) {
				out = append(out, k+"="+(*at(r))[k])
			}
			return out
		},
		set: func(r *Request, v string) error {
			// The answer holds no "=", a column's name in the copy may.
			i := strings.LastIndex(v, "=")
			if i <= 0 || i == len(v)-1 {
				return fmt.Errorf("%q is not %s", v, value)
			}
			if several := splitAnswers(v); len(several) > 1 {
				return fmt.Errorf("%q answers for %d columns; repeat the flag: --%s %s", v, len(several), name, strings.Join(several, " --"+name+" "))
			}
			if *at(r) == nil {
				*at(r) = map[string]string{}
			}
			(*at(r))[v[:i]] = v[i+1:]
			return nil
		},
	}
}

// splitAnswers takes COLUMN=ANSWER,COLUMN=ANSWER apart at the commas that stand
// behind an answer; other commas are a column's.
func splitAnswers(v string) []string {
	var out []string
	for _, part := range strings.Split(v, ",") {
		if last := len(out) - 1; last >= 0 && !endsInAnswer(out[last]) {
			out[last] += "," + part
			continue
		}
		out = append(out, part)
	}
	return out
}

func endsInAnswer(s string) bool {
	i := strings.LastIndex(s, "=")
	known := []cast.Answer{cast.Stop, cast.Round, cast.Cut, cast.Null, cast.TextOrder, cast.SQLOrder, cast.Pad, cast.Keep}
	return i > 0 && slices.Contains(known, cast.Answer(s[i+1:]))
}

func list(name, value, doc string, at func(*Request) *[]string) Flag {
	return Flag{
		Name: name, Value: value, Doc: doc, Repeats: true,
		get: func(r *Request) []string { return *at(r) },
		set: func(r *Request, v string) error {
			for _, one := range strings.Split(v, ",") {
				if one = strings.TrimSpace(one); one != "" && !slices.Contains(*at(r), one) {
					*at(r) = append(*at(r), one)
				}
			}
			return nil
		},
	}
}

// columns is a list of names, each given whole: a column's name may hold a comma.
func columns(name, value, doc string, at func(*Request) *[]string) Flag {
	f := list(name, value, doc, at)
	f.set = func(r *Request, v string) error {
		if v != "" && !slices.Contains(*at(r), v) {
			*at(r) = append(*at(r), v)
		}
		return nil
	}
	return f
}

// SetArgs reads what Args printed back into r.
func (r *Request) SetArgs(args []string) error {
	flags := map[string]Flag{}
	for _, f := range SeedFlags() {
		flags["--"+f.Name] = f
		if f.Default != "" {
			if err := f.set(r, f.Default); err != nil {
				return err
			}
		}
	}
	for i := 0; i < len(args); i++ {
		f, ok := flags[args[i]]
		value := "true"
		if ok && f.Value != "" {
			if i++; i == len(args) {
				return usage(args[i-1] + " has no value")
			}
			value = args[i]
		}
		if !ok {
			return usage(fmt.Sprintf("%q is no flag of a seed", args[i]))
		}
		if err := f.set(r, value); err != nil {
			return usage(fmt.Sprintf("--%s: %v", f.Name, err))
		}
	}
	return nil
}
