package engine

import "cdcseed/engine/asof"

// CheckAsOf reports why a text is no as_of, before any server is asked: that it is
// none, or that it is a time without its zone; nil where it is one.
func CheckAsOf(text string) error {
	_, err := asof.Parse(text)
	return err
}
