package tds

import "errors"

var errHeaders = errors.New("the TDS headers contained errors")

// decode turns a message into the steps that answer it. An *Error is the
// answer itself; any other error means a malformed message.
func (c *conn) decode(m message) ([]step, error) {
	r := &reader{b: m.data}
	switch m.typ {
	case pktSQLBatch:
		skipHeaders(r)
		if r.err != nil {
			return nil, r.err
		}
		return []step{{req: &Request{Kind: KindBatch, SQL: fromUCS2(r.b)}}}, nil
	case pktTransMgr:
		skipHeaders(r)
		return c.transactionRequest(r)
	case pktRPC:
		skipHeaders(r)
		return c.rpc(r)
	}
	return nil, notSimulated("messages of type %d", m.typ)
}

// skipHeaders passes over ALL_HEADERS, which stands before every request since
// TDS 7.2. Nothing in it changes an answer: the transaction descriptor repeats
// what the server gave out, the others concern MARS and tracing.
func skipHeaders(r *reader) {
	total := int(r.u32())
	if r.err == nil && total < 4 {
		r.err = errHeaders
		return
	}
	h := reader{b: r.take(total - 4)}
	for len(h.b) > 0 {
		// The length counts itself; a header has at least its type after it.
		n := int(h.u32())
		if h.take(n - 4); n < 6 || h.err != nil {
			r.err = errHeaders
			return
		}
	}
}
