package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"cdcseed/engine/splice/footer"
	"cdcseed/engine/verdict"
)

// What is wrong with a file is told by its kind: one that is encrypted is not damaged.
func TestAFaultOfAFileIsNamed(t *testing.T) {
	for kind, want := range map[footer.Kind][2]string{
		footer.BadPages:  {"is damaged", "Write the copy again."},
		footer.Encrypted: {"is encrypted", "without encryption"},
		footer.OtherFile: {"has columns in another file", "files that are whole"},
	} {
		err := damaged("copy/", "a.parquet", fmt.Errorf("splice: %w", &footer.Problem{Kind: kind, Group: -1, Leaf: -1, Detail: "as it is"}))
		e := verdict.As(err)
		if e == nil || e.Code != verdict.CopyUnreadable || !strings.HasSuffix(e.What, want[0]) || !strings.Contains(strings.Join(e.Hint, " "), want[1]) {
			t.Errorf("%s: %+v", kind, e)
		}
	}
	var told *verdict.Error
	if other := errors.New("the disk is gone"); errors.As(damaged("copy/", "a.parquet", other), &told) {
		t.Error("an error of the disk is told as a fault of the file")
	}
}

// A stop is told once, however many files were being worked on.
func TestAStopIsToldOnce(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	begun := make(chan struct{}, 4)
	err := eachFile(ctx, 4, 4, func(ctx context.Context, _ int) error {
		if begun <- struct{}{}; len(begun) == cap(begun) {
			stop()
		}
		<-ctx.Done()
		return ctx.Err()
	})
	if !errors.Is(err, context.Canceled) || err.Error() != context.Canceled.Error() {
		t.Errorf("%q", err)
	}
}
