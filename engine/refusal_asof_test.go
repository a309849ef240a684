package engine_test

import (
	"cdcseed/engine/verdict"
)

// Worlds of the cases.
var (
	purgedScene = scene{
		server: serverOf("UTC", "2026-10-05T10:00:00Z"), instances: instance("dbo_orders", "0x0100", "2026-01-01T00:00:00"),
		mapping: commits("0x0100", "2026-10-02T00:00:05", "0x0200", "2026-10-02T06:00:00", "0x0300", "2026-10-05T09:00:00"),
	}
	chinaScene = scene{
		server: serverOf("China Standard Time", "2026-10-05T04:00:00Z"), instances: instance("dbo_orders", "0x0100", "2026-01-01T00:00:00"),
		mapping: commits("0x0100", "2026-10-04T09:00:00", "0x0200", "2026-10-04T10:00:00", "0x0300", "2026-10-05T11:59:00"),
	}
	newInstanceScene = scene{
		server: serverOf("UTC", "2026-10-05T09:10:00Z"), instances: instance("dbo_orders", "0x0500", "2026-10-05T09:00:00"),
		mapping: commits("0x0470", "2026-10-05T07:00:00", "0x0480", "2026-10-05T08:30:00"),
	}
	stoppedScene = scene{
		server: serverOf("UTC", "2026-10-05T10:00:00Z"), instances: instance("dbo_orders", "0x0100", "2026-01-01T00:00:00"),
		mapping: commits("0x0100", "2026-10-01T00:00:00", "0x0300", "2026-10-02T11:00:00"),
	}
	replicaScene = scene{
		server:    serverOf("UTC", "2026-10-05T10:00:00Z", `"read_only_replica": true`),
		instances: instance("dbo_orders", "0x0100", "2026-01-01T00:00:00"),
		mapping:   commits("0x0100", "2026-10-05T09:00:00", "0x0550", "2026-10-05T09:58:00"),
	}
	fallBackScene = scene{
		server: serverOf("Eastern Standard Time", "2026-11-02T12:00:00Z"), instances: instance("dbo_orders", "0x0010", "2026-01-01T00:00:00"),
		mapping: commits("0x10", "2026-11-01T00:20:00", "0x20", "2026-11-01T00:50:00", "0x30", "2026-11-01T01:10:00", "0x40", "2026-11-01T01:40:00",
			"0x50", "2026-11-01T01:05:00", "0x60", "2026-11-01T01:20:00", "0x70", "2026-11-01T01:50:00", "0x80", "2026-11-01T02:10:00"),
	}
	steppedScene = scene{
		server: serverOf("UTC", "2026-10-05T13:00:00Z"), instances: instance("dbo_orders", "0x10", "2026-01-01T00:00:00"),
		mapping: commits("0x10", "2026-10-05T12:00:00", "0x20", "2026-10-05T12:00:50", "0x30", "2026-10-05T12:00:20",
			"0x40", "2026-10-05T12:00:40", "0x50", "2026-10-05T12:01:30"),
	}
	// A server of 2019 tells an offset and no zone.
	offsetScene = scene{
		server:    `"product_version": "15.0.4345.5", "offset_minutes": 60, "now": "2026-10-05T12:00:00Z"`,
		instances: instance("dbo_orders", "0x50", "2026-01-01T00:00:00"),
		mapping:   commits("0x50", "2026-10-05T08:00:00", "0x0100", "2026-10-05T09:00:00", "0x0200", "2026-10-05T11:00:00", "0x0300", "2026-10-05T12:50:00"),
	}
)

// changeRow is a change that the stream wrote.
const changeRow = `[{"_capture_instance": "dbo_orders", "_start_lsn": "0x00000000000000000020", "_seqval": "0x00000000000000000021", "_operation": 2, "_command_id": 1, "_commit_ts": "2026-10-24 12:01:00", "id": 1, "_batch_id": 0}]`

// inRepeatedHour sets as_of and dates the copy after it.
func inRepeatedHour(asOf string) func(*kit) {
	return func(k *kit) {
		k.request.AsOf = asOf
		k.dateCopy("2026-11-01T12:00:00Z")
	}
}

// at sets as_of.
func at(asOf string) func(*kit) { return func(k *kit) { k.request.AsOf = asOf } }

// asOfRefusals are those of an as_of that cannot be mapped, apart from retention.
func asOfRefusals() []refusal {
	ahead := chinaScene
	ahead.mapping = commits("0x0100", "2026-10-04T09:00:00", "0x0300", "2026-10-05T13:30:00")
	nothing := stoppedScene
	nothing.mapping = none
	unseen := newInstanceScene
	unseen.instances = instance("dbo_orders", "null", "2026-10-05T09:00:00")
	return []refusal{
		{
			name: "case 3, run 1: later than the server's clock", scene: chinaScene, arrange: at("2026-10-05T10:00:00Z"),
			code: verdict.AsOfInFuture, exit: 3, says: []string{"as_of 2026-10-05T10:00:00Z", "server clock 2026-10-05T04:00:00Z", "6 h", "zone"},
		},
		{
			name: "case 3, run 2: later than the copy's files", scene: chinaScene, arrange: func(k *kit) {
				k.request.AsOf = "2026-10-04T10:00:00Z"
				k.dateCopy("2026-10-04T02:40:00Z")
			}, code: verdict.AsOfAfterCopy, exit: 3,
			says: []string{"as_of 2026-10-04T10:00:00Z", "in the copy since 2026-10-04T02:40:00Z", "zone", "--allow-as-of-after-copy"},
		},
		{
			name: "an LSN committed after the copy's files", arrange: at(lsnAt(45)),
			code: verdict.AsOfAfterCopy, exit: 3, says: []string{"as_of 2026-10-24T12:45:00Z", "in the copy since 2026-10-24T12:31:00Z"},
		},
		{
			name: "the newest commit is in the future", scene: ahead, arrange: at("2026-10-04T02:00:00Z"),
			code: verdict.ClockDisagrees, exit: 3, says: []string{"newest commit 2026-10-05T05:30:00Z", "server clock 2026-10-05T04:00:00Z", "LSN"},
		},
		{name: "another zone than the server's", scene: chinaScene, arrange: func(k *kit) {
			k.request.AsOf, k.request.TimeZone = "2026-10-04T02:00:00Z", "W. Europe Standard Time"
		}, code: verdict.ClockDisagrees, exit: 3, says: []string{"GETDATE 2026-10-05T12:00:00", "2026-10-05T06:00:00", "W. Europe Standard Time"}},
		{
			name: "a zone that nobody knows", arrange: func(k *kit) { k.request.TimeZone = "Atlantis Standard Time" },
			code: verdict.ZoneUnknown, exit: 3, says: []string{"Atlantis Standard Time"},
		},
		{
			name: "a zone of the copy that nobody knows", arrange: func(k *kit) { k.request.CopyTimeZone = "Mars/Olympus" },
			code: verdict.ZoneUnknown, exit: 3, says: []string{"Mars/Olympus", "--copy-time-zone"},
		},
		{
			name: "above the newest LSN", scene: purgedScene, arrange: at(lsnText("0301")),
			code: verdict.LSNAboveMax, exit: 3, says: []string{"as_of " + lsnText("0301"), "newest captured " + lsnText("0300"), "wait"},
		},
		{
			name: "a backup's number above the newest LSN", scene: purgedScene, arrange: at("42000000025600065"),
			code: verdict.LSNAboveMax, exit: 3, says: []string{"newest captured " + lsnText("0300")},
		},
		{
			name: "case 44: ahead of the replica", scene: replicaScene, arrange: at(lsnText("0600")),
			code: verdict.ReplicaBehind, exit: 3, says: []string{"newest captured " + lsnText("0550"), "2 m", "primary", "again"},
		},
		{
			name: "case 17: nothing captured yet", scene: nothing, arrange: at("2026-10-05T08:00:00Z"),
			code: verdict.NothingCaptured, exit: 3, says: []string{"no LSN captured yet", "capture job"},
		},
		{
			name: "case 27, run 2: capture has not passed the enable", scene: newInstanceScene, arrange: at("2026-10-05T09:05:00Z"),
			code: verdict.NothingCaptured, exit: 3, says: []string{"newest captured " + lsnText("0480"), "start of the instance " + lsnText("0500"), "again"},
		},
		{
			name: "capture has not seen the instance", scene: unseen, arrange: at("2026-10-05T09:05:00Z"),
			code: verdict.NothingCaptured, exit: 3, says: []string{"dbo_orders", "2026-10-05T09:00:00"},
		},
	}
}

// retentionRefusals are those of changes that are not, or no longer, kept.
func retentionRefusals() []refusal {
	cleaned := scene{
		server: serverOf("UTC", "2026-10-02T06:10:00Z"), instances: instance("dbo_orders", "0x0200", "2026-01-01T00:00:00"),
		user:    `"roles": ["db_owner"]`,
		mapping: commits("0x0100", "2026-10-02T05:00:00", "0x0200", "2026-10-02T06:00:00"),
	}
	return []refusal{
		{
			name: "case 1, run 1: a purged time", scene: purgedScene, arrange: at("2026-10-01T22:00:00Z"),
			code: verdict.NoCommit, exit: 4, says: []string{"older than the retention", "as_of 2026-10-01T22:00:00Z", "earliest usable time 2026-10-02T00:00:05Z"},
		},
		{
			name: "case 1, run 4: a purged LSN", scene: purgedScene, arrange: at(lsnText("00FE")),
			code: verdict.RetentionPassed, exit: 4, says: []string{"older than the retention", "L " + lsnText("00FE"), "oldest kept " + lsnText("0100"), "2026-10-02T00:00:05Z"},
		},
		{
			name: "case 27, run 1: an LSN before the enable", scene: newInstanceScene, arrange: at(lsnText("0480")),
			code: verdict.CDCNotOnYet, exit: 4, says: []string{"committed 2026-10-05T08:30:00Z", "created 2026-10-05T09:00:00Z"},
		},
		{
			name: "case 27, run 3: a time before the enable", scene: newInstanceScene, arrange: at("2026-10-05T08:00:00Z"),
			code: verdict.CDCNotOnYet, exit: 4, says: []string{"as_of 2026-10-05T08:00:00Z", "created 2026-10-05T09:00:00Z"},
		},
		{
			name: "case 49: another program cleans", scene: cleaned, arrange: at("2026-10-02T05:10:00Z"),
			code: verdict.RetentionPassed, exit: 4, says: []string{"oldest kept commit 2026-10-02T06:00:00Z", "cleanup keeps 3 d", "do not agree"},
		},
	}
}

// warningRefusals are warnings that nobody accepted: each names itself, what it
// rests on and the flag that accepts it.
func warningRefusals() []refusal {
	allowed := func(k *kit) { k.request.AsOf, k.request.AllowAsOfAfterCopy = lsnAt(45), true }
	return []refusal{
		{
			name: "case 17: capture stopped", scene: stoppedScene, arrange: at("2026-10-05T08:00:00Z"),
			code: verdict.WarningUnaccepted, exit: 3, says: []string{"capture_stopped newest captured commit is 69 h before as_of", "--accept capture_stopped"},
		},
		{
			name: "capture behind", scene: stoppedScene, arrange: at("2026-10-02T11:30:00Z"),
			code: verdict.WarningUnaccepted, exit: 3, says: []string{"--accept capture_behind"},
		},
		{
			name: "case 25: the first pass", scene: fallBackScene, arrange: inRepeatedHour("2026-11-01T05:30:00Z"),
			code: verdict.WarningUnaccepted, exit: 3, says: []string{"fell_back", "--accept fell_back"},
		},
		{
			name: "case 50: the clock was set back", scene: steppedScene, arrange: at("2026-10-05T12:00:45Z"),
			code: verdict.WarningUnaccepted, exit: 3, says: []string{"clock_stepped", "--accept clock_stepped"},
		},
		{
			name: "a server that cannot name its zone", scene: offsetScene, arrange: at("2026-10-05T10:30:00Z"),
			code: verdict.WarningUnaccepted, exit: 3, says: []string{"no_zone", "--accept no_zone"},
		},
		{
			name: "an as_of after the copy, allowed", arrange: allowed,
			code: verdict.WarningUnaccepted, exit: 3, says: []string{"--accept as_of_after_copy"},
		},
		{name: "a target with rows", arrange: func(k *kit) {
			k.bronzeTable(nil)
			k.appendRows("bronze", changeRow)
		}, code: verdict.WarningUnaccepted, exit: 3, says: []string{"--accept stream_must_be_stopped"}},
		{name: "two warnings, one accepted", scene: stoppedScene, arrange: func(k *kit) {
			k.bronzeTable(nil)
			k.appendRows("bronze", changeRow)
			k.request.AsOf, k.request.Accept = "2026-10-05T08:00:00Z", []string{"capture_stopped"}
		}, code: verdict.WarningUnaccepted, exit: 3, says: []string{"1 of the plan's warnings", "--accept stream_must_be_stopped"}},
	}
}
