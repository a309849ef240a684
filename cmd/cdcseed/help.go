package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth keeps help readable in a terminal of 80 columns.
const helpWidth = 79

// usage prints what a command takes. Its long text stands before it already.
func usage(c *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  %s\n", c.UseLine())
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND\n", c.CommandPath())
	}
	if c.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\nCommands:\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&b, "  %-*s %s\n", c.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	for _, f := range []struct {
		name string
		set  *pflag.FlagSet
	}{{"Flags", c.LocalFlags()}, {"Flags of every command", c.InheritedFlags()}} {
		if f.set.HasAvailableFlags() {
			fmt.Fprintf(&b, "\n%s:\n%s", f.name, f.set.FlagUsagesWrapped(helpWidth))
		}
	}
	b.WriteString(exitHelp(c.Name()))
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n%s COMMAND --help tells what it takes.\n", c.CommandPath())
	}
	_, err := c.OutOrStdout().Write([]byte(b.String()))
	return err
}

// help is the command that is another way to write --help.
func help() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Tell what a command does and takes",
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noCommand(c.Root(), strings.Join(args, " "))
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// noCommand is the refusal for a command that there is not.
func noCommand(root *cobra.Command, name string) error {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return usageError(fmt.Sprintf("%s has no command %q", root.Name(), name),
		"Give one of: "+strings.Join(names, ", ")+".", root.Name()+" --help")
}

// flagError puts the parser's errors into our words. The parser stops at the
// first, so --json may stand behind it and still says how to tell it.
func (a *app) flagError(c *cobra.Command, err error) error {
	a.json = a.json || slices.Contains(a.args, "--json")
	what := err.Error()
	var none *pflag.NotExistError
	var empty *pflag.ValueRequiredError
	var wrong *pflag.InvalidValueError
	switch {
	case errors.As(err, &none) && none.GetSpecifiedShortnames() != "":
		what = fmt.Sprintf("%s has no flag -%s", c.CommandPath(), none.GetSpecifiedShortnames())
	case errors.As(err, &none):
		what = fmt.Sprintf("%s has no flag --%s", c.CommandPath(), none.GetSpecifiedName())
	case errors.As(err, &empty):
		what = fmt.Sprintf("--%s has no value", empty.GetSpecifiedName())
	case errors.As(err, &wrong):
		what = fmt.Sprintf("--%s: %v", wrong.GetFlag().Name, wrong.Unwrap())
	}
	return usageError(what, c.CommandPath()+" --help")
}
