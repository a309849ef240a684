package engine_test

import (
	"time"

	"cdcseed/engine/verdict"
)

// requestRefusals are those of what was typed: nothing is connected or read.
func requestRefusals() []refusal {
	return []refusal{
		{
			name: "no as_of", arrange: func(k *kit) { k.request.AsOf = " " },
			code: verdict.Usage, exit: 2, says: []string{"--as-of is missing"},
		},
		{
			name: "on-stop is no choice", arrange: func(k *kit) { k.request.OnStop = "burn" },
			code: verdict.Usage, exit: 2, says: []string{`"burn"`, "remove, keep"},
		},
		{
			name: "missing is no choice", arrange: func(k *kit) { k.request.Missing = map[string]string{"amount": "zero"} },
			code: verdict.Usage, exit: 2, says: []string{"amount=zero", "stop or null"},
		},
		{
			name: "deleted rows both ways", arrange: func(k *kit) { k.request.ExcludeDeleted, k.request.KeepDeleted = true, true },
			code: verdict.Usage, exit: 2, says: []string{"contradict"},
		},
		{
			name: "a lag that goes later", arrange: func(k *kit) { k.request.CopyLag = -time.Minute },
			code: verdict.Usage, exit: 2, says: []string{"-1m0s", "subtracted"},
		},
		{
			name: "facts without an app id", arrange: func(k *kit) { k.request.Facts = k.path("facts") },
			code: verdict.FactsIncomplete, exit: 2, says: []string{"--app-id"},
		},
		{
			name: "facts without a target name", arrange: func(k *kit) { k.request.Facts, k.request.AppID = k.path("facts"), "orders-v1" },
			code: verdict.FactsIncomplete, exit: 2, says: []string{"--target-name", "bronze"},
		},
		{
			name: "accepting no warning", arrange: func(k *kit) { k.request.Accept = []string{"everything"} },
			code: verdict.AcceptUnknown, exit: 2, says: []string{"--accept everything", "--dry-run"},
		},
		{
			name: "accepting a warning that is not there", arrange: func(k *kit) { k.request.Accept = []string{"fell_back"} },
			code: verdict.AcceptUnknown, exit: 2, says: []string{"fell_back", "does not occur"},
		},
		{
			name: "an answer for no column", arrange: func(k *kit) { k.request.Cast = map[string]string{"prize": "round"} },
			code: verdict.AnswerUnknown, exit: 2, says: []string{`"prize"`, "id, name, amount"},
		},
		{
			name: "an answer that nothing asks for", arrange: func(k *kit) { k.request.Missing = map[string]string{"amount": "null"} },
			code: verdict.AnswerUnknown, exit: 2, says: []string{"amount"},
		},

		// Case 3 and decision 8: what is no time with a zone and no whole LSN.
		{
			name: "case 3, run 3: no zone", arrange: func(k *kit) { k.request.AsOf = "2026-10-24 12:30" },
			code: verdict.AsOfNoZone, exit: 2, says: []string{`"2026-10-24 12:30"`, "2026-10-24T12:30:00Z", "offset from UTC"},
		},
		{
			name: "as_of is nonsense", arrange: func(k *kit) { k.request.AsOf = "yesterday" },
			code: verdict.AsOfInvalid, exit: 2, says: []string{`"yesterday"`, "20 hexadecimal digits"},
		},
		{
			name: "short hex is not padded", arrange: func(k *kit) { k.request.AsOf = "0x1F0" },
			code: verdict.AsOfInvalid, exit: 2, says: []string{"3 characters", "nothing is padded"},
		},
		{
			name: "hex that is too long", arrange: func(k *kit) { k.request.AsOf = lsnAt(30) + "0" },
			code: verdict.AsOfInvalid, exit: 2, says: []string{"21 characters"},
		},
		{
			name: "the zero LSN", arrange: func(k *kit) { k.request.AsOf = lsnText("") },
			code: verdict.AsOfInvalid, exit: 2, says: []string{"zero LSN"},
		},
		{
			name: "an LSN with two readings", arrange: func(k *kit) { k.request.AsOf = "42:256:65" },
			code: verdict.AsOfInvalid, exit: 2, says: []string{"as hexadecimal 0x00000042000002560065", "as decimal 0x0000002A000001000041"},
		},
		{
			name: "a day that is none", arrange: func(k *kit) { k.request.AsOf = "2026-02-30T10:00:00Z" },
			code: verdict.AsOfInvalid, exit: 2, says: []string{"no date and time"},
		},
	}
}
