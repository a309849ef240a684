package sqlserver

import "testing"

func TestParseServer(t *testing.T) {
	for text, want := range map[string]address{
		"prod07": {"prod07", 0, ""}, "prod07,1433": {"prod07", 1433, ""}, "prod07, 1433": {"prod07", 1433, ""}, "prod07:1433": {"prod07", 1433, ""},
		`prod07\INST`: {"prod07", 0, "INST"}, `prod07\INST,1500`: {"prod07", 1500, "INST"}, "tcp:prod07.corp.local,1433": {"prod07.corp.local", 1433, ""},
		"(local)": {"localhost", 0, ""}, ".": {"localhost", 0, ""}, `.\SQLEXPRESS`: {"localhost", 0, "SQLEXPRESS"},
		"::1": {"::1", 0, ""}, "[::1]:1433": {"::1", 1433, ""}, "::1,1433": {"::1", 1433, ""}, "10.0.0.7": {"10.0.0.7", 0, ""},
	} {
		if got, err := parseServer(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for a, want := range map[string]bool{"localhost": true, "127.0.0.1": true, "::1": true, "prod07": false, "10.0.0.7": false, "localhost.evil": false} {
		if got := (address{host: a}).onLoopback(); got != want {
			t.Errorf("%s: %v", a, got)
		}
	}
}

func TestBracketed(t *testing.T) {
	for list, want := range map[string][]string{
		"": nil, "[a]": {"a"}, "[a], [b c]": {"a", "b c"}, "[a]]b], [c,d]": {"a]b", "c,d"}, "[ä]": {"ä"},
	} {
		got := bracketed(list)
		if len(got) != len(want) {
			t.Errorf("%q: %q", list, got)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%q: %q", list, got)
			}
		}
	}
}
