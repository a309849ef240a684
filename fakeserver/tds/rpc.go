package tds

import "strings"

// Procedures that have a number (MS-TDS 2.2.6.6).
const (
	procExecuteSQL  = 10
	procPrepare     = 11
	procExecute     = 12
	procPrepExec    = 13
	procPrepExecRPC = 14
	procUnprepare   = 15
)

// wellKnown holds the names of the numbered procedures; index 0 stays empty.
var wellKnown = [...]string{
	1: "sp_cursor", 2: "sp_cursoropen", 3: "sp_cursorprepare", 4: "sp_cursorexecute",
	5: "sp_cursorprepexec", 6: "sp_cursorunprepare", 7: "sp_cursorfetch", 8: "sp_cursoroption",
	9: "sp_cursorclose", procExecuteSQL: "sp_executesql", procPrepare: "sp_prepare",
	procExecute: "sp_execute", procPrepExec: "sp_prepexec", procPrepExecRPC: "sp_prepexecrpc",
	procUnprepare: "sp_unprepare",
}

// procNumber is the number of a procedure called by name, or 0.
func procNumber(name string) uint16 {
	if len(name) > 4 && strings.EqualFold(name[:4], "sys.") {
		name = name[4:]
	}
	for id, known := range wellKnown {
		if known != "" && strings.EqualFold(name, known) {
			return uint16(id)
		}
	}
	return 0
}

const (
	rpcNumbered = 0xffff // in place of a name's length: a number follows
	rpcNext     = 0xff   // in place of a parameter: another call follows
	rpcNextOff  = 0xfe   // the same, not to be run

	paramOutput  = 0x01
	paramDefault = 0x02
)

// rpc decodes the calls of an RPC message.
func (c *conn) rpc(r *reader) ([]step, error) {
	var steps []step
	for {
		q, err := readCall(r)
		if err != nil {
			return nil, err
		}
		steps = append(steps, c.call(q))
		if len(r.b) == 0 {
			return steps, nil
		}
		if r.u8() == rpcNextOff {
			return nil, notSimulated("batched RPC with the no-exec flag")
		}
	}
}

// readCall reads one call up to the end or to the mark before the next one.
func readCall(r *reader) (*Request, error) {
	q := &Request{Kind: KindRPC}
	if n := r.u16(); n == rpcNumbered {
		if q.ProcID = r.u16(); int(q.ProcID) < len(wellKnown) {
			q.Proc = wellKnown[q.ProcID]
		}
		if q.Proc == "" && r.err == nil {
			return nil, notSimulated("procedure number %d", q.ProcID)
		}
	} else {
		q.Proc = fromUCS2(r.take(2 * int(n)))
		q.ProcID = procNumber(q.Proc)
	}
	r.u16() // options: recompile, metadata caching; no answer depends on them
	for r.err == nil && len(r.b) > 0 && r.b[0] < rpcNextOff {
		p, err := readParam(r)
		if err != nil {
			return nil, err
		}
		q.Params = append(q.Params, p)
	}
	return q, r.err
}

func readParam(r *reader) (Param, error) {
	p := Param{Name: r.bVarchar()}
	flags := r.u8()
	p.Output, p.Default = flags&paramOutput != 0, flags&paramDefault != 0
	t, err := readType(r)
	if err != nil {
		return p, err
	}
	p.Value, err = readValue(r, t)
	if p.Type = t.Type; t.ID == GUIDType {
		p.Type = UniqueID // Microsoft's JDBC driver gives the type of a NULL no length
	}
	return p, err
}
