package delta

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// readBack bounds the time that Put spends on finding out what became of a
// commit; a caller's cancellation does not shorten it.
const readBack = 30 * time.Second

// reads bounds how often the version is asked for.
const reads = 3

// Put makes the commit, unless the version exists. nil means that the version
// is ours. store.ErrExist means that another's is there: nothing was written.
// store.ErrDenied and store.ErrFull mean that nothing was written either. All
// else is verdict.CommitUnknown: the version may be there, or may yet appear,
// so that its data files must stay. Put never writes twice.
func Put(ctx context.Context, w store.Writer, version int64, data []byte) error {
	id, err := txnID(data)
	if err != nil {
		return fmt.Errorf("commit version %d of %q: %w", version, w.URL(), err)
	}
	err = w.CreateOnce(ctx, commitKey(version), data)
	if err == nil {
		return nil
	}
	// Even "exists" may be an answer to a request that a library repeated
	// after its first answer got lost.
	found, readErr := whose(ctx, w, version)
	switch {
	case readErr == nil && found == id:
		return nil
	case readErr == nil:
		return fmt.Errorf("commit version %d of %q: another writer was first: %w", version, w.URL(), store.ErrExist)
	case errors.Is(readErr, store.ErrNotExist) && (errors.Is(err, store.ErrDenied) || errors.Is(err, store.ErrFull)):
		return fmt.Errorf("commit version %d: %w", version, err)
	case errors.Is(readErr, store.ErrNotExist):
		readErr = nil
	}
	return &verdict.Error{
		Code:  verdict.CommitUnknown,
		What:  fmt.Sprintf("whether version %d of %q was committed is not known", version, w.URL()),
		Wrote: "The data files were written. The commit may have been.",
		Facts: verdict.Facts("version", version, "txnId", id),
		Why:   "The store gave no clear answer, and the version could not be read back as ours or another's.",
		Hint: []string{
			"Run the same command again: it finds the commit if it is there.",
			fmt.Sprintf("Or look for %s: it is this one if it holds the txnId.", commitKey(version)),
		},
		Err: errors.Join(err, readErr),
	}
}

// whose is the txnId of the commit that stands there; empty where it has none.
func whose(ctx context.Context, r store.Reader, version int64) (string, error) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), readBack)
	defer stop()
	var err error
	for range reads {
		var data []byte
		if data, err = store.ReadAll(ctx, r, commitKey(version)); err == nil {
			// A commit that is not ours may be of any form.
			id, _ := txnID(data)
			return id, nil
		}
		if errors.Is(err, store.ErrNotExist) {
			break
		}
	}
	return "", err
}

// txnID is that of a commit's commitInfo, which Spark and we write first.
func txnID(data []byte) (string, error) {
	for text := range bytes.Lines(data) {
		var l struct {
			CommitInfo *CommitInfo `json:"commitInfo"`
		}
		if err := json.Unmarshal(text, &l); err != nil {
			return "", err
		}
		if l.CommitInfo != nil && l.CommitInfo.TxnID != "" {
			return l.CommitInfo.TxnID, nil
		}
	}
	return "", errors.New("no txnId")
}
