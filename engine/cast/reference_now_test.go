package cast_test

import (
	"math/big"

	"cdcseed/engine/cast"
)

// countedAsNow counts a value that is refused under its notes too.
// asKernelsAre takes a value's loss before its range.
const (
	countedAsNow = false
	asKernelsAre = true
)

// dropped is a value that is refused after notes.
func dropped(reason cast.Effect, notes []cast.Effect) outcome {
	if !countedAsNow {
		notes = nil
	}
	return outcome{reason: reason, notes: notes}
}

func (j *judge) chooseAsNow(exact bool, cut, round *big.Int, reason cast.Effect, inRange func(*big.Int) bool, notes ...cast.Effect) outcome {
	out := cut
	switch {
	case exact:
	case j.rule.Answer == cast.Round:
		out, notes = round, append(notes, cast.Rounded)
	case j.rule.Answer == cast.Cut:
		notes = append(notes, cast.CutOff)
	default:
		return dropped(reason, notes)
	}
	if !inRange(out) {
		return dropped(cast.OutOfRange, notes)
	}
	return wrote(out, notes...)
}

// later are edge values that kernels take wrongly.
func later[T any](edges ...T) []T {
	if asKernelsAre {
		return nil
	}
	return edges
}
