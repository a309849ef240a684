package tui

// hinted draws the fields with the hints that still help: a field that holds
// something needs none, unless it is the one to correct (an index, -1 for none).
func (f *form) hinted(d *desk, w, wrong int) (lines []string, focus int) {
	hints := make([]string, len(f.fields))
	for i, x := range f.fields {
		if hints[i] = x.hint; i != wrong && x.input.Value() != "" {
			x.hint = ""
		}
	}
	lines, focus = f.lines(d, w)
	for i, x := range f.fields {
		x.hint = hints[i]
	}
	return lines, focus
}

// unfolded are the choices of the field with the cursor, each on a line, where
// they do not fit side by side; most of them at most, around the chosen one.
func (f *form) unfolded(d *desk, w, most int) []string {
	if f.at < 0 || f.here().choices == nil || most < 1 {
		return nil
	}
	options, at := f.here().options(d.answers)
	var all []string
	side := 0 // cells that they take side by side
	for i, o := range options {
		dot := d.glyph.off
		if i == at {
			dot = d.glyph.on
		}
		line := dot + " " + clean(o.text)
		side += width(line) + 3
		all = append(all, cut("   "+line, w))
	}
	if side-3 <= w-labelWidth-1 {
		return nil
	}
	first := min(max(0, at-most/2), max(0, len(all)-most))
	return all[first:min(len(all), first+most)]
}

// tight is the page with as few blank lines less as make it fit h lines: the
// first goes first, as it parts least, then those at the end. Nothing else is
// left out.
func (p page) tight(h int) page {
	drop := func(i int) {
		p.lines = append(p.lines[:i:i], p.lines[i+1:]...)
		if p.focus > i {
			p.focus--
		}
	}
	for i := range p.lines {
		if p.lines[i] == "" && len(p.lines) > h {
			drop(i)
			break
		}
	}
	for i := len(p.lines) - 1; i >= 0 && len(p.lines) > h; i-- {
		if p.lines[i] == "" {
			drop(i)
		}
	}
	return p
}
