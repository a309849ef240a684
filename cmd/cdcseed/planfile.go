package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// The names of a plan's two files.
const (
	planSuffix  = ".plan.json"
	filesSuffix = ".files.jsonl"
)

// stateDir is where plans are kept: CDCSEED_STATE, or the user's state
// directory.
func (a *app) stateDir() (string, error) {
	if dir, ok := a.env("CDCSEED_STATE"); ok && dir != "" {
		return dir, nil
	}
	if dir, ok := a.env("XDG_STATE_HOME"); ok && dir != "" {
		return filepath.Join(dir, "cdcseed"), nil
	}
	if dir, ok := a.env("LOCALAPPDATA"); ok && dir != "" {
		return filepath.Join(dir, "cdcseed"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", usageError(fmt.Sprintf("no place to keep plans: %v", err), "Set CDCSEED_STATE to a directory.")
	}
	return filepath.Join(home, ".local", "state", "cdcseed"), nil
}

// keepPlan saves the plan in the state directory, and in out where it is
// given, and returns where the last of them is.
func (a *app) keepPlan(p engine.Plan, out string) (string, error) {
	dir, err := a.stateDir()
	if err != nil {
		return "", err
	}
	paths := []string{filepath.Join(dir, p.Digest+planSuffix)}
	if out != "" {
		if err := planPlace(p, out); err != nil {
			return "", err
		}
		paths = append(paths, out)
	}
	body, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return "", err
	}
	files, err := p.FileLines()
	if err != nil {
		return "", err
	}
	for _, path := range paths {
		if err := writePlan(path, append(body, '\n'), files); err != nil {
			return "", &verdict.Error{
				Code: verdict.StoreDenied, What: "the plan could not be kept", Err: err,
				Hint: []string{"Give --plan-out a path that can be written, or set CDCSEED_STATE to a directory that can."},
			}
		}
	}
	return paths[len(paths)-1], nil
}

// planPlace refuses to write a plan over a file that is none, or among the
// files of the copy and the tables that it is about.
func planPlace(p engine.Plan, out string) error {
	if what, inside := p.Holds(out); inside {
		return usageError(fmt.Sprintf("--plan-out %s lies inside the %s", out, what), "Give a path of its own.")
	}
	for _, path := range []string{out, filesOf(out)} {
		body, err := readRegular(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || path == out && !isPlan(body) || path != out && !isPlanAt(out) {
			return usageError(fmt.Sprintf("%s is there and is no plan: it would be overwritten", path), "Give --plan-out a new path.")
		}
	}
	return nil
}

// isPlan tells a plan of any format from other files.
func isPlan(body []byte) bool {
	var p struct {
		Format int    `json:"format"`
		Digest string `json:"digest"`
	}
	return json.Unmarshal(body, &p) == nil && p.Format > 0 && len(p.Digest) == 64
}

func isPlanAt(path string) bool {
	body, err := readRegular(path)
	return err == nil && isPlan(body)
}

// writePlan writes the file list first, so that a plan never stands without it.
func writePlan(path string, body, files []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filesOf(path), files, 0o600); err != nil {
		return err
	}
	return os.WriteFile(path, body, 0o600)
}

// filesOf is where the file list of the plan at path stands.
func filesOf(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(path, planSuffix), ".json") + filesSuffix
}

// loadPlan reads a plan by its path or by the first digits of its digest.
func (a *app) loadPlan(name string) (engine.Plan, error) {
	path, err := a.findPlan(name)
	if err != nil {
		return engine.Plan{}, err
	}
	body, err := readFile(path)
	if err == nil && !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		err = usageError(fmt.Sprintf("%s is no plan", path), "Give the file that --plan-out wrote, or the first digits of a plan's digest.")
	}
	if err != nil {
		return engine.Plan{}, err
	}
	files, err := readFile(filesOf(path))
	if err != nil {
		return engine.Plan{}, err
	}
	return engine.ReadPlan(body, files)
}

func (a *app) findPlan(name string) (string, error) {
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	dir, err := a.stateDir()
	if err != nil {
		return "", err
	}
	if len(name) < 6 || strings.Trim(name, "0123456789abcdef") != "" {
		return "", usageError(fmt.Sprintf("no plan %q: neither a file nor 6 or more digits of a digest", name), "cdcseed seed ... --dry-run makes one.")
	}
	found, err := filepath.Glob(filepath.Join(dir, name+"*"+planSuffix))
	if err != nil {
		return "", err
	}
	if len(found) != 1 {
		return "", usageError(fmt.Sprintf("%d plans in %s begin with %q", len(found), dir, name), "Give more digits, or the plan's file.")
	}
	return found[0], nil
}
