package verdict

// Level says how much a finding weighs.
type Level string

// The levels, lightest first. Only a Warn can be accepted; a Stop cannot.
const (
	OK   Level = "ok"
	Note Level = "note"
	Warn Level = "warn"
	Stop Level = "stop"
)

// Check is one finding about the seed, as the plan records it and every screen shows it.
type Check struct {
	Level Level   `json:"level"`
	Code  Warning `json:"code,omitempty"` // set exactly on warnings: the name that accepts it
	Text  string  `json:"text"`           // one sentence without a full stop
	Why   string  `json:"why,omitempty"`  // the rule and what it costs
	Facts []Fact  `json:"facts,omitempty"`
}

// Okay is a check that holds.
func Okay(text string, facts ...Fact) Check { return Check{Level: OK, Text: text, Facts: facts} }

// Noted is something worth knowing that asks for nothing.
func Noted(text, why string, facts ...Fact) Check {
	return Check{Level: Note, Text: text, Why: why, Facts: facts}
}

// Warned is something to accept by name.
func Warned(code Warning, text, why string, facts ...Fact) Check {
	return Check{Level: Warn, Code: code, Text: text, Why: why, Facts: facts}
}
