package main

import "github.com/spf13/cobra"

// addASCII gives c the flag for terminals whose font lacks the lines.
func (a *app) addASCII(c *cobra.Command) {
	c.Flags().BoolVar(&a.ascii, "ascii", false, "draw with ASCII characters alone [CDCSEED_ASCII]")
}

// drawnWith is the environment as the screen sees it: the flag is as good as the
// variable.
func (a *app) drawnWith() func(string) (string, bool) {
	if !a.ascii {
		return a.env
	}
	return func(name string) (string, bool) {
		if name == "CDCSEED_ASCII" {
			return "1", true
		}
		return a.env(name)
	}
}
