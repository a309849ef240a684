package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cdcseed/fakeserver"
)

func (a *app) fake() *cobra.Command {
	var world, listen, control string
	c := &cobra.Command{
		Use:   "fake",
		Short: "Serve a fake SQL Server with CDC, described by a world file",
		Long: `Serves a world over the real TDS protocol on loopback until it is stopped, and
prints its sqlserver:// URL. docs/fakeserver.md describes the world file and
the control requests. The built-in worlds:

` + worldList(),
		Example: `  cdcseed fake --world old-server-2017 --listen 127.0.0.1:1433`,
		Args:    noArgs,
	}
	c.Flags().StringVar(&world, "world", demoWorld, "world `FILE`, or the name of a built-in world")
	c.Flags().StringVar(&listen, "listen", "127.0.0.1:0", "loopback `ADDRESS` to serve TDS on; port 0 picks one")
	c.Flags().StringVar(&control, "control", "", "loopback `ADDRESS` to answer control requests on (HTTP)")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return a.serveFake(c.Context(), world, fakeserver.Options{Listen: listen, Control: control})
	}
	return c
}

// worldList tells the built-in worlds, one a line.
func worldList() string {
	var b strings.Builder
	for _, name := range fakeserver.Names() {
		fmt.Fprintf(&b, "  %-24s %s\n", name, fakeserver.About(name))
	}
	return strings.TrimRight(b.String(), "\n")
}

func (a *app) serveFake(ctx context.Context, world string, o fakeserver.Options) error {
	w, err := openWorld(world)
	if err != nil {
		return err
	}
	server, err := fakeserver.Serve(ctx, w, o)
	if err != nil {
		return usageError(err.Error(), "Give loopback addresses such as 127.0.0.1:1433.")
	}
	if err := a.tellServing(world, w, server); err != nil {
		_ = server.Close() // nobody knows its address
		return err
	}
	<-ctx.Done()
	return server.Close()
}

// servingLine is a served world as JSON tells it.
type servingLine struct {
	URL     string `json:"url"`               // for --server; it holds the first login's password
	Control string `json:"control,omitempty"` // where control requests go
}

// tellServing prints where the server is: the URL alone on the first line, for
// scripts, and what it serves on the stream for people.
func (a *app) tellServing(name string, w *fakeserver.World, server *fakeserver.Server) error {
	if a.json {
		a.lines().put("serving", servingLine{server.URL(), server.ControlURL()})
		return a.lines().err
	}
	lines := server.URL() + "\n"
	if server.ControlURL() != "" {
		lines += server.ControlURL() + "\n"
	}
	if err := a.write(lines); err != nil {
		return err
	}
	a.say("\n%s", serving(name, w, server))
	return nil
}

// serving labels the lines above it, and tells how to read what is served.
func serving(name string, w *fakeserver.World, server *fakeserver.Server) string {
	var p page
	p.item("world", name)
	about := fakeserver.About(name)
	if about != "" {
		p.item("", about)
	}
	p.item("server", "the first line above is its URL, for --server")
	if server.ControlURL() != "" {
		p.item("control", "the second line above takes control requests (docs/fakeserver.md)")
	}
	for _, l := range w.Logins {
		login := l.Name
		if about != "" { // a world of one's own may hold a password that others must not see
			login += ", password " + l.Password
		}
		p.item("login", login)
	}
	args := []string{"--server", strings.Replace(server.Addr(), ":", ",", 1), "--encrypt", "none"}
	if len(w.Databases) > 0 {
		args = append(args, "--database", w.Databases[0].Name)
	}
	if len(w.Logins) > 0 {
		args = append(args, "--user", w.Logins[0].Name)
	}
	return p.String() + "\nTo look at it, in another terminal:\n" + indented(commandLines("tables", args)) + "\n\nctrl+c stops it."
}

// openWorld reads a world file, or a built-in world by its name.
func openWorld(name string) (*fakeserver.World, error) {
	if slices.Contains(fakeserver.Names(), name) {
		return fakeserver.Named(name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, usageError(fmt.Sprintf("no world %q: %v", name, err), "Give a file, or one of the built-in worlds: "+strings.Join(fakeserver.Names(), ", ")+".")
	}
	defer func() { _ = f.Close() }() // it was only read
	w, err := fakeserver.ReadWorld(f)
	if err != nil {
		return nil, usageError(fmt.Sprintf("world %s: %v", name, err), "docs/fakeserver.md describes the world file.")
	}
	return w, nil
}
