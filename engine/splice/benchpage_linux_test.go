package splice_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"text/template"
	"time"

	"cdcseed/engine/splice"
)

var (
	benchPage   = flag.String("splice.page", "", "file that BenchmarkPage writes its page to")
	benchPython = flag.String("splice.python", "", "Python of the judges' environment, which engine/interop/setup.sh makes and prints; without it the others are not measured")
	benchRivals = flag.Int("splice.rivalrows", 2_000_000, "rows that BenchmarkPage gives the others")
)

// BenchmarkPage measures everything once and writes docs/performance.md.
func BenchmarkPage(b *testing.B) {
	if *benchPage == "" {
		b.Skip("-splice.page names no file")
	}
	for b.Loop() {
		if *benchDir == "" {
			*benchDir = filepath.Join(b.TempDir(), "files")
		}
		p := page{
			Machine: machine(b, b.TempDir()), Cores: runtime.GOMAXPROCS(0), Date: time.Now().UTC().Format(time.DateOnly), Go: runtime.Version(),
			Rows: *benchRows, Rounds: *benchRounds,
		}
		p.Warm, p.Synced = beside(b, false), beside(b, true)
		p.size(b)
		var err error
		if p.Sharing, p.Used, err = reflinks(b); err != nil {
			p.NotSharing = err.Error()
		}
		p.rivals(b)
		p.write(b)
	}
}

// page is what the page's template is filled with.
type page struct {
	Machine      map[string]string
	Cores        int
	Date, Go     string
	Rows, Rounds int
	Files        int
	Bytes        int64

	Warm, Synced sitting
	OutIn        float64       // size of the output as a part of the input's
	Counts       splice.Counts // of all files

	Sharing    sitting
	Used       float64
	NotSharing string // why there are no reflinks

	Rivals    string // a table
	NotRivals string // why there is none
}

// size splices all files once more, for what no clock is needed to tell.
func (p *page) size(b *testing.B) {
	out := b.TempDir()
	var made int64
	for _, f := range p.Warm.files {
		r, err := spliceFile(b, benchTable(b, nil), p.Warm.from, out, f, false)
		if err != nil {
			b.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(p.Warm.from, f))
		if err != nil {
			b.Fatal(err)
		}
		p.Files++
		p.Bytes += info.Size()
		made += r.Size
		p.Counts.Seen += r.Counts.Seen
		p.Counts.Copied += r.Counts.Copied
		p.Counts.Pages += r.Counts.Pages
		if err := os.Remove(filepath.Join(out, f)); err != nil {
			b.Fatal(err)
		}
	}
	p.OutIn = float64(made) / float64(p.Bytes)
}

func (p *page) rivals(b *testing.B) {
	if *benchPython == "" {
		p.NotRivals = "-splice.python names no Python that has them"
		return
	}
	cmd := exec.Command(*benchPython, filepath.Join("..", "interop", "rivals.py"), b.TempDir(), "--rows", strconv.Itoa(*benchRivals), "--rounds", strconv.Itoa(*benchRounds), "--markdown")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		b.Errorf("the others are not measured: %v", err)
		p.NotRivals = err.Error()
		return
	}
	p.Rivals = string(bytes.TrimSpace(out))
}

func (p *page) write(b *testing.B) {
	t, err := template.New("performance.md.tmpl").Funcs(template.FuncMap{
		"seconds": func(t taken) string { return fmt.Sprintf("%.2f s", t.median().Seconds()) },
		"spread": func(t taken) string {
			return fmt.Sprintf("%.2f, %.2f s", t.all[0].Seconds(), t.all[len(t.all)-1].Seconds())
		},
		"reached": func(is bool) string { return map[bool]string{true: "yes", false: "no"}[is] },
		"figure":  func(f float64) string { return fmt.Sprintf("%.3g", f) },
	}).ParseFiles(filepath.Join("testdata", "performance.md.tmpl"))
	if err != nil {
		b.Fatal(err)
	}
	var text bytes.Buffer
	if err := t.Execute(&text, p); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(*benchPage, text.Bytes(), 0o666); err != nil {
		b.Fatal(err)
	}
}

// Of is a case by its name.
func (s sitting) Of(name string) taken { return s.of(name) }

// Cases are all of them.
func (s sitting) Cases() []taken { return s.taken }

// Name is the case's.
func (t taken) Name() string { return t.name }

// Ratio is that of two cases' medians, by its name.
func (s sitting) Ratio(name string) float64 {
	for _, r := range s.ratios {
		if r.name == name {
			return s.ratio(r)
		}
	}
	return 0
}
