package bronze_test

import (
	"fmt"
	"testing"

	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
)

func BenchmarkLookupOverManyFilesOfChanges(b *testing.B) {
	snap := &delta.Snapshot{}
	for i := range 10_000 {
		stats := `{"numRecords":100,"minValues":{"_capture_instance":"dbo_orders","_start_lsn":"0x00000000000000000010","_operation":1},` +
			`"maxValues":{"_capture_instance":"dbo_orders","_start_lsn":"0x00000000000000000020","_operation":4},"nullCount":{"_operation":0,"_chunk":100}}`
		snap.Files = append(snap.Files, delta.Add{Path: fmt.Sprint(i), Stats: stats})
	}
	for b.Loop() {
		if s, err := bronze.Lookup(b.Context(), nil, snap, []string{"dbo_orders"}); err != nil || s.Read != 0 {
			b.Fatal(s, err)
		}
	}
}
