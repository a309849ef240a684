package tui

import (
	"fmt"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine/verdict"
)

// pane is a window on lines that scrolls by itself, where the rest of the page
// has to stay in sight.
type pane struct {
	top           int
	lines, height int // as drawn last, so that a key knows how far there is to go
}

// draw is the part that shows, in at most h lines, and words on what does not.
func (p *pane) draw(lines []string, h int) (shown []string, more string) {
	p.lines, p.height = len(lines), max(1, h)
	p.top = min(max(0, p.top), p.last())
	end := min(len(lines), p.top+p.height)
	above, below := p.top, len(lines)-end
	switch {
	case above > 0 && below > 0:
		more = fmt.Sprintf("%s above (pgup), %d below (pgdn)", verdict.Plural(above, "line", "lines"), below)
	case above > 0:
		more = verdict.Plural(above, "line", "lines") + " above (pgup)"
	case below > 0:
		more = verdict.Plural(below, "line", "lines") + " below (pgdn)"
	}
	return lines[p.top:end], more
}

// last is the top line where the end shows.
func (p *pane) last() int { return max(0, p.lines-p.height) }

// hear scrolls by a key, an arrow by a line, a page by a whole window but for a
// line, or to an end; false for a key that does not.
func (p *pane) hear(k tea.KeyMsg) bool {
	by := max(1, p.height-1)
	switch {
	case k.Type == tea.KeyHome, k.Type == tea.KeyEnd:
		by = p.lines
		if k.Type == tea.KeyHome {
			by = -by
		}
	case k.Type == tea.KeyUp, k.Type == tea.KeyDown:
		by = arrow(k)
	case key.Matches(k, keyPageUp):
		by = -by
	case !key.Matches(k, keyPageDn):
		return false
	}
	p.top = min(max(0, p.top+by), p.last())
	return true
}

// arrow is how many lines an arrow key scrolls down.
func arrow(k tea.KeyMsg) int {
	if k.Type == tea.KeyUp {
		return -1
	}
	return 1
}

// page is a page of lines that scrolls by itself: what a person reads stays
// where it is whatever key is pressed.
func (p *pane) page(d *desk, lines []string, w, h int) page {
	if len(lines) <= h {
		p.top, p.lines, p.height = 0, len(lines), max(1, h)
		return page{lines: lines, focus: -1}
	}
	shown, more := p.draw(lines, h-1)
	return page{lines: append(append([]string{}, shown...), d.ruled(more, w)), focus: -1}
}
