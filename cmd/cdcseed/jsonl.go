package main

import (
	"encoding/json"
	"io"
	"strings"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// lines writes JSON lines: objects with a "type" first, the last of them
// "result", "plan" or "error". docs/json.md is the contract.
type lines struct {
	to  io.Writer
	err error // the first write that did not go through
}

// put writes v, an object, with its type in front.
func (l *lines) put(kind string, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		l.keep(err)
		return
	}
	line := `{"type":"` + kind + `"`
	if rest := strings.TrimPrefix(string(body), "{"); rest != "}" {
		line += "," + rest
	} else {
		line += rest
	}
	_, err = io.WriteString(l.to, line+"\n")
	l.keep(err)
}

func (l *lines) keep(err error) {
	if l.err == nil {
		l.err = err
	}
}

// event writes one event of a running seed.
func (l *lines) event(e engine.Event) {
	switch e := e.(type) {
	case engine.PhaseStarted:
		l.put("phase_started", e)
	case engine.Progress:
		l.put("progress", e)
	case engine.Notice:
		l.put("notice", e)
	case engine.PhaseDone:
		l.put("phase_done", e)
	}
}

// errorLine is a refusal or failure as JSON tells it.
type errorLine struct {
	Code  verdict.Code   `json:"code"`
	Exit  int            `json:"exit"`
	What  string         `json:"what"`
	Wrote string         `json:"wrote"` // a sentence
	Facts []verdict.Fact `json:"facts,omitempty"`
	Why   string         `json:"why,omitempty"`
	Hint  []string       `json:"hint,omitempty"`
	Cause string         `json:"cause,omitempty"` // the error underneath
}

// fail writes the error object, which carries the code and the exit status.
func (l *lines) fail(e *verdict.Error) {
	cause := ""
	if e.Err != nil {
		cause = e.Err.Error()
	}
	l.put("error", errorLine{e.Code, e.Code.Exit(), e.What, e.WroteText(), e.Facts, e.Why, e.Hint, cause})
}
