package cast_test

import (
	"math/big"

	"cdcseed/engine/cast"
)

// asKernelsAre counts a value that is refused under its notes too.
const asKernelsAre = true

func (j *judge) chooseAsNow(exact bool, cut, round *big.Int, reason cast.Effect, inRange func(*big.Int) bool, notes ...cast.Effect) outcome {
	out := cut
	switch {
	case exact:
	case j.rule.Answer == cast.Round:
		out, notes = round, append(notes, cast.Rounded)
	case j.rule.Answer == cast.Cut:
		notes = append(notes, cast.CutOff)
	default:
		return outcome{reason: reason, notes: notes}
	}
	if !inRange(out) {
		return outcome{reason: cast.OutOfRange, notes: notes}
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
