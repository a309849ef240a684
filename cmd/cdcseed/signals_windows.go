package main

// jobControl is what a shell does with programs elsewhere: this system stops none.
type jobControl struct {
	terminal int
	suspend  func(over <-chan struct{})
}

func (*jobControl) hear() (resumed <-chan struct{}, stop func()) { return nil, func() {} }
