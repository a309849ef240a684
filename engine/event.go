package engine

// Event is something that executing a plan says while it works: PhaseStarted,
// Progress, Notice or PhaseDone. The list is closed.
type Event interface{ event() }

// Phase is a stretch of executing a plan.
type Phase string

// The phases, in order. Readers see nothing before Commit and everything after it.
const (
	Recheck Phase = "recheck" // the plan's preconditions
	Stage   Phase = "stage"   // cast and write data files that no reader sees
	Verify  Phase = "verify"  // the staged files once more, and what may have moved
	Commit  Phase = "commit"  // create or migrate the table, then the one data commit
	Record  Phase = "record"  // the facts row
)

// PhaseStarted opens a phase.
type PhaseStarted struct {
	Phase Phase  `json:"phase"`
	Text  string `json:"text"` // what it does, as people say it
}

// Progress counts within a phase: at most ten a second, always a last one.
type Progress struct {
	Phase     Phase  `json:"phase"`
	Done      int64  `json:"done"`
	Total     int64  `json:"total"`
	Unit      string `json:"unit"` // rows or preconditions
	Files     int    `json:"files,omitempty"`
	FileCount int    `json:"file_count,omitempty"`
	Bytes     int64  `json:"bytes,omitempty"` // written so far
}

// Notice is something to know that stops nothing, such as a lost commit race.
type Notice struct {
	Phase Phase  `json:"phase"`
	Text  string `json:"text"`
}

// PhaseDone closes a phase.
type PhaseDone struct {
	Phase Phase  `json:"phase"`
	Text  string `json:"text"` // what came of it
}

func (PhaseStarted) event() {}
func (Progress) event()     {}
func (Notice) event()       {}
func (PhaseDone) event()    {}
