package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

func (a *app) fake() *cobra.Command {
	var world, listen, control string
	c := &cobra.Command{
		Use:   "fake",
		Short: "Serve a fake SQL Server with CDC, described by a world file",
		Long: `Serves a world over the real TDS protocol on loopback until it is stopped, and
prints its sqlserver:// URL. docs/fakeserver.md describes the world file and the
control requests.` + exitHelp(verdict.ExitDone, verdict.ExitUnexpected, verdict.ExitUsage),
		Args: noArgs,
	}
	c.Flags().StringVar(&world, "world", demoWorld, "world `FILE`, or the name of a built-in world")
	c.Flags().StringVar(&listen, "listen", "127.0.0.1:0", "loopback `ADDRESS` to serve TDS on; port 0 picks one")
	c.Flags().StringVar(&control, "control", "", "loopback `ADDRESS` to answer control requests on (HTTP)")
	c.RunE = func(c *cobra.Command, _ []string) error {
		w, err := openWorld(world)
		if err != nil {
			return err
		}
		server, err := fakeserver.Serve(c.Context(), w, fakeserver.Options{Listen: listen, Control: control})
		if err != nil {
			return usageError(err.Error(), "Give loopback addresses such as 127.0.0.1:1433.")
		}
		if a.json {
			a.lines().put("serving", struct {
				URL     string `json:"url"`
				Control string `json:"control,omitempty"`
			}{server.URL(), server.ControlURL()})
		} else {
			fmt.Fprintln(a.out, server.URL())
			if control != "" {
				fmt.Fprintln(a.out, server.ControlURL())
			}
		}
		<-c.Context().Done()
		return server.Close()
	}
	return c
}

// openWorld reads a world file, or a built-in world by its name.
func openWorld(name string) (*fakeserver.World, error) {
	for _, n := range fakeserver.Names() {
		if n == name {
			return fakeserver.Named(name)
		}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, usageError(fmt.Sprintf("no world %q: %v", name, err), fmt.Sprintf("Give a file, or one of the built-in worlds: %q.", fakeserver.Names()))
	}
	defer f.Close()
	w, err := fakeserver.ReadWorld(f)
	if err != nil {
		return nil, usageError(fmt.Sprintf("world %s: %v", name, err), "docs/fakeserver.md describes the world file.")
	}
	return w, nil
}
