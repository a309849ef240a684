package tsql

import (
	"strings"
	"testing"
)

func TestTextSize(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for _, c := range []struct{ text, want string }{
		{"SELECT @@TEXTSIZE", "2147483647"},
		{"SET TEXTSIZE 0; SELECT @@TEXTSIZE", "4096"},
		{"SET TEXTSIZE -1; SELECT @@TEXTSIZE", "2147483647"},
		{"SET TEXTSIZE 6; SELECT CAST('abcdefgh' AS varchar(max)), CAST(N'abcdefgh' AS nvarchar(max)), 'abcdefgh', CAST('ab' AS text)", "abcdef abc abcdefgh ab"},
		{"SET TEXTSIZE 2; SELECT CAST(0x010203 AS varbinary(max)), 0x010203, CAST('abcd' AS text), CAST(N'abcd' AS ntext)", "0x0102 0x010203 ab a"},
		{"SET TEXTSIZE 2; DECLARE @a varchar(max) = 'abcd'; SELECT LEN(@a), NULL, CAST(NULL AS varchar(max))", "4 NULL NULL"},
		{"SET TEXTSIZE 0; SELECT CAST('" + long + "' AS varchar(max))", long[:4096]},
		{"SELECT CAST('" + long + "' AS varchar(max))", long},
	} {
		expectRows(t, c.text, c.want)
	}
	expectError(t, "SET TEXTSIZE -2", NotSimulated)
	expectError(t, "SET TEXTSIZE large", NotSimulated)
}
