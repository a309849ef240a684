package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"cdcseed/engine"
)

// flagValue puts a flag of the engine's table into a Request.
type flagValue struct {
	flag engine.Flag
	to   *engine.Request
	set  bool
}

func (v *flagValue) String() string { return v.flag.Default }

// Type is what the flag's value is called in help. A switch has none: the
// parser knows it by this name.
func (v *flagValue) Type() string {
	if v.flag.Value == "" {
		return "bool"
	}
	return v.flag.Value
}

func (v *flagValue) Set(s string) error {
	v.set = true
	return v.flag.Set(v.to, s)
}

// bind gives c the flags, each with its name in the environment in its help.
// What the command line does not say, the environment may; complete reads it.
func (a *app) bind(c *cobra.Command, flags []engine.Flag, to *engine.Request) (complete func() error) {
	c.Flags().SortFlags = false // the table's order: the connection first
	var values []*flagValue
	for _, f := range flags {
		v := &flagValue{flag: f, to: to}
		values = append(values, v)
		doc := f.Doc
		if f.Repeats {
			doc += "; repeat the flag for more"
		}
		p := c.Flags().VarPF(v, f.Name, "", fmt.Sprintf("%s [%s]", doc, f.Env()))
		if f.Value == "" {
			p.NoOptDefVal = "true"
		}
	}
	return func() error {
		for _, v := range values {
			if v.set {
				continue
			}
			if err := a.fromEnv(v); err != nil {
				return err
			}
		}
		return nil
	}
}

// fromEnv gives a flag the value of its variable, or its default. An empty
// variable is as none.
func (a *app) fromEnv(v *flagValue) error {
	text, ok := a.env(v.flag.Env())
	if !ok || text == "" {
		if v.flag.Default != "" {
			return v.flag.Set(v.to, v.flag.Default)
		}
		return nil
	}
	each := []string{text}
	if v.flag.Repeats {
		each = strings.Split(text, ",")
	}
	for _, one := range each {
		if err := v.flag.Set(v.to, one); err != nil {
			return usageError(fmt.Sprintf("environment variable %s: %v", v.flag.Env(), err))
		}
	}
	return nil
}
