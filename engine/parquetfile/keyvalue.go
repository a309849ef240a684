package parquetfile

// SetKeyValue puts a text under a key into the footer. It is called before Close.
func (w *Writer) SetKeyValue(key, value string) error {
	if w.err != nil {
		return w.err
	}
	return w.pw.AppendKeyValueMetadata(key, value)
}
