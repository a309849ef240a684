package engine_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

// childEnv holds the childOrder of a test binary that seeds in a process of its own.
const childEnv = "CDCSEED_TEST_CHILD"

// childOrder is what such a process does.
type childOrder struct {
	Request engine.Request
	DieAt   int  // the change before which it ends itself as if killed; 0: never
	Hold    bool // waits for a line before each try to create a log entry of the target, and says so
}

// childReport is the last line that it prints.
type childReport struct {
	Result  engine.Result
	Code    verdict.Code // of the refusal, or empty
	Err     string
	Changes int   // operations that changed the target or the facts table
	Commits []int // those of them that made a log entry, counted from 1
	Peak    int64 // bytes of memory that were resident at most; 0 where the system does not tell
	Took    time.Duration
}

// TestChild is the other process's main function. Run among the other tests it
// has no orders and does nothing.
func TestChild(t *testing.T) {
	text := os.Getenv(childEnv)
	if text == "" {
		return
	}
	var o childOrder
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(os.Stdin)
	wait := func(what string) {
		fmt.Println(what)
		if _, err := in.ReadString('\n'); err != nil {
			t.Error(err)
		}
	}
	wait("ready")
	from := time.Now()
	r := o.run(wait)
	r.Took, r.Peak = time.Since(from), peakMemory()
	line, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("report " + string(line))
}

// peakMemory is Linux's own count of this program: the one that the parent gets
// when a child ends begins with what the parent had when it started the child.
func peakMemory() int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			return kb << 10
		}
	}
	return 0
}

func (o childOrder) run(wait func(what string)) childReport {
	var r childReport
	stores, err := engine.OpenStores(o.Request)
	if err == nil {
		count := &dying{at: o.DieAt}
		if o.Hold {
			stores.Target = beforeCommit(stores.Target, func(int) { wait("held") })
		}
		stores.Target = count.wrap(stores.Target)
		if stores.Facts != nil {
			stores.Facts = count.wrap(stores.Facts)
		}
		r.Result, err = seedIn(context.Background(), o.Request, stores)
		r.Changes, r.Commits = count.seen, count.commits
	}
	if err != nil {
		r.Code, r.Err = verdict.As(err).Code, err.Error()
	}
	return r
}

// seedIn plans and executes r in the given places, at the world's time.
func seedIn(ctx context.Context, r engine.Request, s engine.Stores) (engine.Result, error) {
	session, err := engine.Open(ctx, r, "", worldNow.Time, nil)
	if err != nil {
		return engine.Result{}, err
	}
	defer session.Close()
	p, err := engine.Build(ctx, session, s.Readers(), r, engine.BuildOptions{Tool: "cdcseed/test"})
	if err == nil {
		err = p.Refusal()
	}
	if err != nil {
		return engine.Result{}, err
	}
	return engine.Execute(ctx, p, session, s, nil)
}

// dying ends the process before a change, without any clean-up.
type dying struct {
	at      int
	mu      sync.Mutex
	seen    int
	commits []int
}

func (d *dying) wrap(w store.Writer) store.Writer {
	return storetest.Intercept(w, func(op storetest.Op) storetest.Fault {
		d.mu.Lock()
		defer d.mu.Unlock()
		if !slices.Contains(changes, op.Name) {
			return storetest.Fault{}
		}
		if d.seen++; d.seen == d.at {
			os.Exit(137)
		}
		if op.Name == "CreateOnce" {
			d.commits = append(d.commits, d.seen)
		}
		return storetest.Fault{}
	})
}

// child is a started process that waits for its release.
type child struct {
	cmd   *exec.Cmd
	start io.WriteCloser
	out   *bufio.Reader
	rest  string // a line that was read and not yet looked at
}

// startChild starts the test binary again, up to the point where it is ready.
func startChild(t *testing.T, o childOrder, env ...string) *child {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	c := &child{cmd: exec.Command(os.Args[0], "-test.run=^TestChild$", "-test.count=1")}
	c.cmd.Env = append(append(os.Environ(), childEnv+"="+string(text)), env...)
	c.cmd.Stderr = os.Stderr
	if c.start, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.cmd.Process.Kill() })
	c.out = bufio.NewReader(out)
	if line, err := c.out.ReadString('\n'); line != "ready\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	return c
}

// held waits until the child is about to create a log entry of the target; false
// where it ends before.
func (c *child) held(t *testing.T) bool {
	t.Helper()
	for {
		line, err := c.out.ReadString('\n')
		if line == "held\n" {
			return true
		}
		if strings.HasPrefix(line, "report ") || err != nil {
			c.rest = line
			return false
		}
	}
}

// release lets the child begin, or go on.
func (c *child) release(t *testing.T) {
	t.Helper()
	if _, err := io.WriteString(c.start, "\n"); err != nil {
		t.Fatal(err)
	}
}

// wait answers the child's report, or nil where it died before it had one.
func (c *child) wait(t *testing.T) *childReport {
	t.Helper()
	var r *childReport
	for {
		line, err := c.rest, error(nil)
		if c.rest = ""; line == "" {
			line, err = c.out.ReadString('\n')
		}
		if rest, ok := strings.CutPrefix(line, "report "); ok {
			r = &childReport{}
			if err := json.Unmarshal([]byte(rest), r); err != nil {
				t.Fatal(err)
			}
		}
		if err != nil {
			break
		}
	}
	_ = c.cmd.Wait() // how it ended shows in the report
	return r
}

// dateFiles gives files below a local target the world's time: the kit's clock
// and the machine's do not run together.
func (k *kit) dateFiles(t *testing.T, root string, keys []string, at clock.Instant) {
	t.Helper()
	for _, key := range keys {
		if err := os.Chtimes(root+"/"+key, at.Time(), at.Time()); err != nil {
			t.Fatal(err)
		}
	}
}
