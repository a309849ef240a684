package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
)

func (a *app) tables() *cobra.Command {
	var r engine.Request
	var passwordFile string
	c := &cobra.Command{
		Use:   "tables",
		Short: "List the tables with CDC that the login may read",
		Long: `Lists each table with its capture instances: the position from which changes
are kept, when it was made (on the server's clock), how many columns it
captures and by which key. Row counts are the server's estimates.`,
		Example: "  cdcseed tables --server sql01 --database Sales --user svc",
		Args:    noArgs,
	}
	complete := a.bind(c, engine.SourceFlags(), &r)
	addPasswordFile(c, &passwordFile)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := complete(); err != nil {
			return err
		}
		if r.Server == "" {
			return missing(c, "server")
		}
		return a.listTables(c.Context(), r, passwordFile)
	}
	return c
}

// addPasswordFile gives c the flag that names where the password is.
func addPasswordFile(c *cobra.Command, to *string) {
	c.Flags().StringVar(to, "password-file", "", "`FILE` that holds the password [CDCSEED_PASSWORD holds it itself]")
}

// missing is the refusal where a flag that the command cannot do without has no value.
func missing(c *cobra.Command, flag string) error {
	return usageError("--"+flag+" is missing", "Give --"+flag+"; "+c.CommandPath()+" --help tells what it takes.")
}

func (a *app) listTables(ctx context.Context, r engine.Request, passwordFile string) error {
	session, err := a.open(ctx, r, passwordFile)
	if err != nil {
		return err
	}
	defer session.Close()
	tables, err := session.Tables(ctx)
	if err != nil {
		return err
	}
	if a.json {
		for _, t := range tables {
			a.lines().put("table", tableLineOf(t))
		}
		a.lines().put("result", tablesResult{len(tables)})
		return a.lines().err
	}
	var b strings.Builder
	for _, t := range tables {
		describeTable(&b, t)
	}
	if len(tables) == 0 {
		b.WriteString("No table here has CDC and may be read by this login.\n")
	}
	return a.write(b.String())
}

// write prints a result.
func (a *app) write(text string) error {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = report.Clean(l)
	}
	_, err := io.WriteString(a.out, strings.Join(lines, "\n"))
	return err
}

// tablesResult closes the list.
type tablesResult struct {
	Tables int `json:"tables"` // how many
}

// tableLine is a table as JSON tells it.
type tableLine struct {
	Table     string         `json:"table"`
	Instances []instanceLine `json:"instances"` // oldest first
	Rows      *int64         `json:"rows"`      // an estimate, or null
}

type instanceLine struct {
	Name     string      `json:"name"`
	StartLSN *lsn.LSN    `json:"start_lsn"` // null until capture has set it
	Created  clock.Local `json:"created"`   // on the server's clock
	Columns  int         `json:"columns"`
	Key      []string    `json:"key"` // empty where the table has none
	Role     string      `json:"role,omitempty"`
}

func tableLineOf(t engine.Table) tableLine {
	line := tableLine{Table: t.String(), Instances: []instanceLine{}, Rows: t.Rows}
	for _, in := range t.Instances {
		line.Instances = append(line.Instances, instanceLine{
			Name: in.Name, StartLSN: in.StartLSN, Created: in.Created, Columns: len(in.Columns),
			Key: append([]string{}, in.Key...), Role: in.Role,
		})
	}
	return line
}

func describeTable(b *strings.Builder, t engine.Table) {
	rows := "rows not known to this login"
	if t.Rows != nil {
		rows = "about " + verdict.Plural(*t.Rows, "row", "rows")
	}
	// Each name by itself: a line feed in one would begin a line of its own.
	fmt.Fprintf(b, "%s, %s\n", report.Clean(t.String()), rows)
	for _, in := range t.Instances {
		key := "no key"
		if len(in.Key) > 0 {
			key = "key " + report.Clean(strings.Join(in.Key, ", "))
		}
		fmt.Fprintf(b, "  %s: %s, %s\n", report.Clean(in.Name), verdict.Plural(len(in.Columns), "column", "columns"), key)
		since := "no position yet: capture has not seen it"
		if in.StartLSN != nil {
			since = "changes since " + in.StartLSN.String()
		}
		fmt.Fprintf(b, "    %s, created %s (server)\n", since, in.Created)
	}
}
