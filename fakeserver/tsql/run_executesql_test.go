package tsql

import "testing"

func TestOutputArguments(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"DECLARE @n int = 1; EXEC sp_executesql N'SET @a = @a + @b', N'@a int OUTPUT, @b int', @a = @n OUTPUT, @b = 5; SELECT @n", "6"},
		{"DECLARE @n int; EXEC sp_executesql N'SELECT @a = COUNT(*) FROM Orders', N'@a int OUT', @n OUT; SELECT @n", "4"},
		{"DECLARE @n int = 1; EXEC sp_executesql N'SET @a = 7', N'@a int OUTPUT', @a = @n; SELECT @n", "1"},
		{"DECLARE @n varchar(3), @r int; EXEC @r = sp_executesql N'SET @a = 123456', N'@a varchar(10) OUTPUT', @a = @n OUTPUT; SELECT @n, @r", "123 0"},
		{"DECLARE @n int = 1; EXEC sp_executesql N'EXEC sp_executesql N''SET @b = 9'', N''@b int OUTPUT'', @b = @a OUTPUT', N'@a int OUTPUT', @a = @n OUTPUT; SELECT @n", "9"},
	} {
		expectRows(t, c.text, c.want)
	}
	for text, want := range map[string]int32{
		"DECLARE @n int; EXEC sp_executesql N'SET @a = 1', N'@a int', @a = @n OUTPUT": 8162,
		"DECLARE @n int; EXEC sp_echo @n OUTPUT":                                      8162,
		"DECLARE @n int; EXEC nope @n OUTPUT":                                         2812,
		"EXEC sp_echo 1 OUTPUT":                                                       179,
		"EXEC sp_echo @@ERROR OUTPUT":                                                 179,
	} {
		expectError(t, text, want)
	}
}
