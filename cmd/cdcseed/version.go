package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Set by the linker for a release.
var (
	version = ""
	commit  = ""
	date    = ""
)

// buildVersion is the release's version, or what the build recorded of its source.
func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "0.1.0-dev"
}

func (a *app) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE:  func(*cobra.Command, []string) error { return a.tellVersion() },
	}
}

// versionLine is the version as JSON tells it.
type versionLine struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Date    string `json:"date,omitempty"` // of the commit
	Go      string `json:"go"`
	System  string `json:"system"`
}

func (a *app) tellVersion() error {
	v := versionLine{buildVersion(), commit, date, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
	if a.json {
		a.lines().put("result", v)
		return a.lines().err
	}
	return a.write(fmt.Sprintf("cdcseed %s (%s, %s)\n", v.Version, v.Go, v.System))
}
