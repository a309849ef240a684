package lakecopy_test

import "errors"

func makePipe(string) error { return errors.ErrUnsupported }
