package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/spf13/cobra"

	"cdcseed/engine"
	"cdcseed/tui"
)

// addLog gives a command and those below it --log: a file that lines of JSON are
// appended to, one for each thing that happens.
func (a *app) addLog(root *cobra.Command) {
	var path string
	root.PersistentFlags().StringVar(&path, "log", "", "append what happens to `FILE`, a line of JSON each; no secret is in it")
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if path == "" {
			return nil
		}
		f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return usageError(fmt.Sprintf("--log: %v", err), "Give a file that can be written, or leave the flag out.")
		}
		a.logFile, a.log = f, newLog(f, a)
		a.log.Info("begins", "command", c.CommandPath(), "version", buildVersion())
		return nil
	}
}

// newLog writes on the program's clock, in UTC.
func newLog(w io.Writer, a *app) *slog.Logger {
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{ReplaceAttr: func(groups []string, at slog.Attr) slog.Attr {
		if at.Key == slog.TimeKey && len(groups) == 0 {
			at.Value = slog.TimeValue(a.now().UTC())
		}
		return at
	}}))
}

// logEnd writes what the command came to, and closes the log. A line that could
// not be written is told: somebody counts on the log.
func (a *app) logEnd(err error) {
	if a.log == nil {
		return
	}
	if err != nil {
		a.log.Error("ends", tui.LogError(err)...)
	} else {
		a.log.Info("ends", "exit", 0)
	}
	if err := a.logFile.Close(); err != nil {
		a.say("note   the log was not closed: %v", err)
	}
}

// logged passes events on, and writes them.
func (a *app) logged(next func(engine.Event)) func(engine.Event) {
	if a.log == nil {
		return next
	}
	return func(e engine.Event) {
		tui.LogEvent(a.log, e)
		next(e)
	}
}
