package tui

// steps are the eight screens, in their order.
func steps() []step {
	return []step{newConnect(), newTable(), newCopy(), newAsOf(), newColumns(), newReview(), newRun(), newDone()}
}
