package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
)

// app is what the commands share.
type app struct {
	streams
	env     func(string) (string, bool)
	args    []string // the command line
	signals *signals
	json    bool
	ascii   bool         // the screen is drawn with ASCII characters alone
	line    *lines       // JSON lines to out; nil without --json
	log     *slog.Logger // nil without --log
	logFile *logFile     // where log writes
}

// run is the program: it returns the exit status and never exits itself.
func run(ctx context.Context, args []string, env func(string) (string, bool), s streams) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	heard, stop := hearSignals(func(os.Signal) { cancel() })
	defer stop()
	a := &app{streams: s, env: env, args: args, signals: heard}
	root := a.root()
	root.SetArgs(append([]string{}, args...)) // none are none: nil would be those of the process
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	return a.end(ctx, root.ExecuteContext(ctx))
}

// end tells the error of a command, where it has not done so itself, and gives
// the exit status. The log's last line says the same.
func (a *app) end(ctx context.Context, err error) int {
	var told *toldError
	switch {
	case err == nil:
		a.logEnd(nil, verdict.ExitDone)
		return verdict.ExitDone
	case errors.As(err, &told):
		a.logEnd(nil, told.exit)
		return told.exit
	}
	err = stopped(ctx, err)
	exit := a.fail(err)
	a.logEnd(err, exit)
	return exit
}

// stopped gives an error that a stop made its name.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() == nil || errors.Is(err, verdict.Stopped) {
		return err
	}
	e := verdict.As(err)
	if e.Wrote == "" && (e.Code == verdict.Unexpected || e.Code == verdict.SourceUnreachable || e.Code == verdict.StoreUnreachable) {
		return &verdict.Error{Code: verdict.Stopped, What: "stopped on request", Err: ctx.Err()}
	}
	return err
}

// fail tells the error on the stream that is asked for and gives its exit status.
func (a *app) fail(err error) int {
	e := verdict.As(err)
	if a.json {
		a.lines().fail(e)
	}
	if !a.json || a.lines().err != nil { // what cannot be told there is told here
		report.Failure(a.err, e)
	}
	var more *followed
	if errors.As(err, &more) {
		a.prompt("%s", more.text)
	}
	return e.Code.Exit()
}

func (a *app) root() *cobra.Command {
	var version bool
	var open func(context.Context) error
	root := &cobra.Command{
		Use:   "cdcseed",
		Short: "Make an existing copy of a table the snapshot that a CDC stream starts from",
		Long: `cdcseed takes a table with change data capture, a copy of it that some other
tool loaded, and the moment at which that copy started. It maps the moment to a
log position L, proves that CDC still holds what follows L, shows how each
column is cast, and appends the copy to a Delta table in one commit. The stream
then goes on from L without reading the table.

Without a command it opens the wizard, which asks for what is needed, shows
what it finds and writes nothing before you type the table's name. The flags
and variables of cdcseed seed, --password-file too, are answers to begin with.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return noCommand(c, args[0])
		},
		RunE: func(c *cobra.Command, _ []string) error {
			if version {
				return a.tellVersion()
			}
			return open(c.Context())
		},
	}
	open = a.bindWizard(root)
	root.Flags().BoolVar(&version, "version", false, "print the version")
	root.PersistentFlags().BoolVar(&a.json, "json", false, "write JSON lines to standard output (docs/json.md)")
	a.addLog(root)
	root.SetFlagErrorFunc(a.flagError)
	root.SetUsageFunc(usage)
	root.SetHelpCommand(help())
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(a.demo(), a.doctor(), a.tables(), a.lsn(), a.seed(), a.staged(), a.fake(), a.version())
	return root
}

func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usageError(fmt.Sprintf("%s takes no %q", c.CommandPath(), strings.Join(args, " ")), c.CommandPath()+" --help")
}

func usageError(what string, hint ...string) error {
	return &verdict.Error{Code: verdict.Usage, What: what, Hint: hint}
}

// say writes a message for a person; with --json there is none to read it.
func (a *app) say(format string, args ...any) {
	if !a.json {
		a.prompt(format+"\n", args...)
	}
}

// prompt writes to a person. Where that does not work there is nobody to tell.
func (a *app) prompt(format string, args ...any) {
	_, _ = fmt.Fprintf(a.err, format, args...)
}

func (a *app) lines() *lines {
	if a.line == nil {
		a.line = &lines{to: a.out}
	}
	return a.line
}

// tool is the program and version that plans and commits carry.
func tool() string { return "cdcseed/" + buildVersion() }
