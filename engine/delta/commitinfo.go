package delta

import (
	"encoding/json"

	"cdcseed/engine/clock"
)

// CommitInfo is what a commit says about itself. It is free text by the
// protocol, so a member of an unexpected shape is left out and refuses nothing.
type CommitInfo struct {
	InCommitTimestamp   *clock.Instant // nil where the table has none
	Timestamp           *clock.Instant // when the writer says it committed
	Operation           string         // WRITE, CREATE TABLE ...
	OperationParameters Object
	OperationMetrics    map[string]string
	ReadVersion         *int64
	IsolationLevel      string
	IsBlindAppend       *bool
	UserMetadata        string
	Tags                map[string]string
	EngineInfo          string
	TxnID               string
}

// UnmarshalJSON reads what it understands.
func (c *CommitInfo) UnmarshalJSON(data []byte) error {
	var o Object
	if err := o.UnmarshalJSON(data); err != nil {
		return err
	}
	*c = CommitInfo{
		InCommitTimestamp: instant(o, "inCommitTimestamp"),
		Timestamp:         instant(o, "timestamp"),
		Operation:         text(o, "operation"),
		IsolationLevel:    text(o, "isolationLevel"),
		UserMetadata:      text(o, "userMetadata"),
		EngineInfo:        text(o, "engineInfo"),
		TxnID:             text(o, "txnId"),
		OperationMetrics:  texts(o, "operationMetrics"),
		Tags:              texts(o, "tags"),
		ReadVersion:       as[int64](o, "readVersion"),
		IsBlindAppend:     as[bool](o, "isBlindAppend"),
	}
	if raw, ok := o.Get("operationParameters"); ok && c.OperationParameters.UnmarshalJSON(raw) != nil {
		c.OperationParameters = Object{}
	}
	return nil
}

func as[T any](o Object, key string) *T {
	raw, ok := o.Get(key)
	if !ok {
		return nil
	}
	var v *T
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	return v
}

func instant(o Object, key string) *clock.Instant {
	ms := as[int64](o, key)
	if ms == nil {
		return nil
	}
	at := ofMillis(*ms)
	return &at
}

func text(o Object, key string) string {
	s, _ := o.Text(key)
	return s
}

// texts reads a map of strings. Some writers give metrics as numbers; they
// stand as their text.
func texts(o Object, key string) map[string]string {
	raw, ok := o.Get(key)
	if !ok {
		return nil
	}
	var in Object
	if in.UnmarshalJSON(raw) != nil || in.Len() == 0 {
		return nil
	}
	out := map[string]string{}
	for _, k := range in.Keys() {
		if s, ok := in.Text(k); ok {
			out[k] = s
		} else if v, _ := in.Get(k); string(v) != "null" {
			out[k] = string(v)
		}
	}
	return out
}
