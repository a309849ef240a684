package tsql

import "testing"

func TestAggregatesOverPartitions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SELECT Id, COUNT(*) OVER () FROM Orders ORDER BY Id", "1 4; 2 4; 3 4; 4 4"},
		{"SELECT Id, COUNT(*) OVER (PARTITION BY CustomerId), SUM(Id) OVER (PARTITION BY CustomerId) FROM Orders ORDER BY Id", "1 2 4; 2 1 2; 3 2 4; 4 1 4"},
		{"SELECT Id, MAX(Price) OVER (PARTITION BY Day), COUNT(Price) OVER (PARTITION BY Day), AVG(Id) OVER () FROM Orders ORDER BY Id", "1 1.50 1 2; 2 2.50 1 2; 3 2.50 1 2; 4 1.00 1 2"},
		{"SELECT CustomerId, SUM(COUNT(*)) OVER () FROM Orders GROUP BY CustomerId ORDER BY CustomerId", "NULL 4; 10 4; 20 4"},
		{"SELECT TOP (1) Id, COUNT(*) OVER () AS found FROM Orders WHERE Id > 1 ORDER BY Id", "2 3"},
		{"SELECT COUNT_BIG(*) OVER () FROM Empty", ""},
	} {
		expectRows(t, c.text, c.want)
	}
	for text, want := range map[string]int32{
		"SELECT COUNT(DISTINCT Id) OVER () FROM Orders":                                   10759,
		"SELECT STRING_AGG(Name, ',') OVER () FROM Orders":                                4113,
		"SELECT Id FROM Orders WHERE COUNT(*) OVER () > 1":                                4108,
		"SELECT SUM(ROW_NUMBER() OVER (ORDER BY Id)) FROM Orders":                         4109,
		"SELECT ROW_NUMBER() OVER (ORDER BY COUNT(*) OVER ()) FROM Orders":                4109,
		"SELECT CustomerId, SUM(Id) OVER (PARTITION BY CustomerId), COUNT(*) FROM Orders": 8120,
	} {
		expectError(t, text, want)
	}
}
