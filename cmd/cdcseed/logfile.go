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
		a.logFile = &logFile{to: f}
		a.log = newLog(a.logFile, a)
		a.log.Info("begins", "command", c.CommandPath(), "version", buildVersion())
		if a.logFile.err != nil {
			a.log = nil
			_ = f.Close() // it holds nothing
			return usageError(fmt.Sprintf("--log: %v", a.logFile.err), "Give a file that can be written, or leave the flag out.")
		}
		return nil
	}
}

// logFile is the file of a log. It remembers the first failure to write: the
// logger drops it, and somebody counts on the log.
type logFile struct {
	to  io.WriteCloser
	err error
}

// Write is called by one goroutine at a time, as a slog handler does.
func (f *logFile) Write(p []byte) (int, error) {
	n, err := f.to.Write(p)
	if f.err == nil {
		f.err = err
	}
	return n, err
}

// close closes the file and tells the first failure there was.
func (f *logFile) close() error {
	if err := f.to.Close(); f.err == nil {
		f.err = err
	}
	return f.err
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

// logEnd writes what the command came to, with the status that the process ends
// with, and closes the log. err is nil where the command's output said all.
func (a *app) logEnd(err error, exit int) {
	if a.log == nil {
		return
	}
	if err != nil {
		a.log.Error("ends", tui.LogError(err)...)
	} else {
		a.log.Info("ends", "exit", exit)
	}
	if err := a.logFile.close(); err != nil {
		a.say("note   the log is not whole: %v", err)
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
