package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"cdcseed/engine/bronze"
	"cdcseed/engine/lsn"
	"cdcseed/engine/store"
	"cdcseed/fakeserver"
)

// statuses is the StatusCode of orders by OrderId: enough of the demo's table
// to see every insert, update and delete.
type statuses map[int64]int64

// seededStatuses reads the snapshot at l from the target, and counts its rows:
// more than there are keys would be rows written twice.
func seededStatuses(ctx context.Context, r store.Reader, l lsn.LSN) (s statuses, rows int64, err error) {
	s = statuses{}
	columns := []string{bronze.Operation, bronze.StartLSN, "OrderId", "StatusCode"}
	err = eachRow(ctx, r, columns, func(rec arrow.Record, i int) error {
		operation, ok1 := rec.Column(0).(*array.Int32)
		start, ok2 := rec.Column(1).(*array.String)
		order, ok3 := rec.Column(2).(*array.Int64)
		status, ok4 := rec.Column(3).(*array.Int16)
		if !ok1 || !ok2 || !ok3 || !ok4 {
			return fmt.Errorf("the target's columns have other types than they should: %v", rec.Schema())
		}
		if operation.Value(i) == bronze.OperationSnapshot && start.Value(i) == l.String() {
			rows++
			s[order.Value(i)] = int64(status.Value(i))
		}
		return nil
	})
	return s, rows, err
}

// statusesAt are the source's right after a commit, or now.
func (d *demo) statusesAt(l *fakeserver.LSN) statuses {
	columns, rows := d.server.Rows(demoDatabase, demoSchema, demoTable, (*[10]byte)(l))
	s, order, status := statuses{}, 0, 0
	for i, c := range columns {
		switch c.Name {
		case "OrderId":
			order = i
		case "StatusCode":
			status = i
		}
	}
	for _, r := range rows {
		key, _ := r[order].(int64)
		s[key], _ = r[status].(int64)
	}
	return s
}

// image is a row of a change table: the operation and the row.
type image [2]any

// apply does what a reader of the stream does with a change, and answers the
// rows that CDC keeps of it.
func (s statuses) apply(c fakeserver.Change) ([]image, error) {
	var row struct {
		OrderID    int64  `json:"OrderId"`
		StatusCode *int64 // absent where the change leaves it
	}
	raw := c.Row
	if c.Op == "delete" {
		raw = c.Key
	}
	if err := json.Unmarshal(raw, &row); err != nil {
		return nil, err
	}
	as := func() map[string]int64 { return map[string]int64{"OrderId": row.OrderID, "StatusCode": s[row.OrderID]} }
	before := as()
	if row.StatusCode != nil {
		s[row.OrderID] = *row.StatusCode
	}
	switch c.Op {
	case "delete":
		delete(s, row.OrderID)
		return []image{{1, before}}, nil
	case "insert":
		return []image{{2, as()}}, nil
	default:
		return []image{{3, before}, {4, as()}}, nil
	}
}

// differ counts the keys with another status in o, or in only one of the two.
func (s statuses) differ(o statuses) (n int) {
	shared := 0
	for key, status := range s {
		other, known := o[key]
		if known {
			shared++
		}
		if !known || other != status {
			n++
		}
	}
	return n + len(o) - shared
}
