package lakecopy

import (
	"context"
	"errors"

	"cdcseed/engine/store"
)

// Raw opens a data file for its bytes, as it was listed: for who copies column
// chunks instead of reading rows. Refusals: CopyChanged, and those of the store.
func (c *Copy) Raw(ctx context.Context, file File) (store.File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := c.reader.Open(ctx, file.Key)
	if err != nil {
		return nil, storeError(c.reader, file.Key, err)
	}
	if f.Size() != file.Size {
		return nil, errors.Join(changed(c.URL, file, "bytes", file.Size, f.Size()), f.Close())
	}
	return f, nil
}

// InFile gives the name in the files of a class of each of the copy's columns
// that stands there.
func (c *Copy) InFile(class string) map[string]string { return c.layouts[class].physical }

// Compares reports whether values in the files of a class are compared with
// those in their folders' names, which only reading rows does.
func (c *Copy) Compares(class string) bool { return len(c.layouts[class].twice) > 0 }
