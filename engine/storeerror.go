package engine

import (
	"errors"
	"fmt"

	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// storeError gives a store's answer its code. An error that has one already stays.
func storeError(doing string, err error) error {
	var known *verdict.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	e := &verdict.Error{Code: verdict.StoreUnreachable, What: doing, Err: err}
	switch {
	case errors.Is(err, store.ErrDenied):
		e.Code = verdict.StoreDenied
		e.Hint = []string{"Give the user that runs this the right to read and write there, then run the same command again."}
	case errors.Is(err, store.ErrFull):
		e.Code = verdict.StoreFull
		e.Hint = []string{"Make space there, then run the same command again."}
	case errors.Is(err, store.ErrExist):
		e.Code = verdict.TargetChanged
		e.Hint = []string{"Something else works in the same place: find out what, then run the same command again."}
	default:
		e.Hint = []string{"Run the same command again; if it happens again, look at the disk."}
	}
	e.What = fmt.Sprintf("%s did not work", doing)
	return e
}
