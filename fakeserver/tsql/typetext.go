package tsql

import (
	"strings"

	"cdcseed/fakeserver/tds"
)

// ParseType reads the text of a SQL type, such as "decimal(10,2)",
// "nvarchar(max)" or "rowversion". A missing length is that of a declaration
// (1 for text and binary), not that of a CAST.
func ParseType(text string) (tds.Type, error) {
	var t tds.Type
	err := parseWith(text, func(p *parser) {
		t = p.typeName(typePlace{number: 1})
		if p.cur().kind != tokEnd {
			p.fail()
		}
	})
	return t, err
}

// plainType is a type that takes no length, precision or scale.
func plainType(name string) (tds.Type, bool) {
	switch name {
	case "tinyint":
		return tds.TinyInt, true
	case "smallint":
		return tds.SmallInt, true
	case "int", "integer":
		return tds.Int, true
	case "bigint":
		return tds.BigInt, true
	case "bit":
		return tds.Bit, true
	case "real":
		return tds.Real, true
	case "money":
		return tds.Money, true
	case "smallmoney":
		return tds.SmallMoney, true
	case "date":
		return tds.Date, true
	case "datetime":
		return tds.DateTime, true
	case "smalldatetime":
		return tds.SmallDateTime, true
	case "uniqueidentifier":
		return tds.UniqueID, true
	case "xml":
		return tds.XML, true
	case "sysname":
		return tds.NVarChar(128), true
	case "rowversion", "timestamp":
		return tds.Binary(8), true
	case "sql_variant":
		return tds.SQLVariant, true
	case "text":
		return tds.Text, true
	case "ntext":
		return tds.NText, true
	case "image":
		return tds.Image, true
	}
	return tds.Type{}, false
}

// maxLength stands for (max) among a type's numbers.
const maxLength = -1

// sizedType builds a type from its name and the numbers in its parentheses;
// without a number text and binary have the length of their place.
func sizedType(name string, nums []int, w typePlace) (tds.Type, error) {
	switch name {
	case "decimal", "dec", "numeric":
		return decimalType(name, nums, w)
	case "float":
		return floatType(nums, w)
	case "time", "datetime2", "datetimeoffset":
		return fractionType(name, nums)
	}
	if len(nums) > 1 {
		return tds.Type{}, Errorf(102, 15, "Incorrect syntax near ','.")
	}
	length := w.length()
	if len(nums) == 1 {
		length = nums[0]
	}
	if !listed(" NVARCHAR NCHAR VARCHAR CHAR CHARACTER VARBINARY BINARY ", name) {
		if w.inCast() {
			return tds.Type{}, Errorf(243, 16, "Type %s is not a defined system type.", name)
		}
		return tds.Type{}, Errorf(2715, 16, "Column, parameter, or variable #%d: Cannot find data type %s.", w.number, name)
	}
	if err := checkLength(name, length, w); err != nil {
		return tds.Type{}, err
	}
	switch name {
	case "nvarchar":
		return tds.NVarChar(length), nil
	case "nchar":
		return tds.NChar(length), nil
	case "varchar":
		return tds.VarChar(length), nil
	case "char", "character":
		return tds.Char(length), nil
	case "varbinary":
		return tds.VarBinary(length), nil
	}
	return tds.Binary(length), nil
}

// checkLength: the wide types have words of their own.
func checkLength(name string, length int, w typePlace) error {
	switch {
	case length == maxLength && !strings.Contains(name, "var"):
		return Errorf(102, 15, "Incorrect syntax near 'max'.")
	case length == 0:
		return invalidLength(length)
	case length <= 4000 || length <= 8000 && !strings.HasPrefix(name, "n"):
		return nil
	case !strings.HasPrefix(name, "n"):
		return Errorf(131, 15, "The size (%d) given to the type '%s' exceeds the maximum allowed for any data type (8000).", length, name)
	case w.inCast():
		return Errorf(131, 15, "The size (%d) given to the convert specification '%s' exceeds the maximum allowed for any data type (4000).", length, name)
	}
	return Errorf(2717, 16, "The size (%d) given to the parameter '%s' exceeds the maximum allowed (4000).", length, w.name)
}

func invalidLength(n int) error {
	return Errorf(1001, 15, "Line 1: Length or precision specification %d is invalid.", n)
}

func decimalType(name string, nums []int, w typePlace) (tds.Type, error) {
	p, s := 18, 0
	if len(nums) > 0 {
		p = nums[0]
	}
	if len(nums) > 1 {
		s = nums[1]
	}
	if len(nums) > 2 {
		return tds.Type{}, Errorf(102, 15, "Incorrect syntax near ','.")
	}
	switch {
	case p < 1:
		return tds.Type{}, invalidLength(p)
	case p > 38 && len(nums) > 1:
		return tds.Type{}, Errorf(2717, 16, "The size (%d) given to the type '%s' exceeds the maximum allowed (38).", p, name)
	case p > 38 && w.inCast():
		p = 38 // the precision alone is cut to what there is
	case p > 38:
		return tds.Type{}, tooPrecise(w, p, 38)
	}
	if s < 0 || s > p {
		return tds.Type{}, Errorf(192, 16, "The scale must be less than or equal to the precision.")
	}
	return tds.Decimal(byte(p), byte(s)), nil
}

func tooPrecise(w typePlace, p, most int) error {
	return Errorf(2750, 16, "Column or parameter #%d: Specified column precision %d is greater than the maximum precision of %d.", w.number, p, most)
}

func floatType(nums []int, w typePlace) (tds.Type, error) {
	if len(nums) == 0 {
		return tds.Float, nil
	}
	switch n := nums[0]; {
	case len(nums) > 1:
		return tds.Type{}, Errorf(102, 15, "Incorrect syntax near ','.")
	case n < 1:
		return tds.Type{}, invalidLength(n)
	case n > 53 && !w.inCast():
		return tds.Type{}, tooPrecise(w, n, 53)
	case n <= 24:
		return tds.Real, nil
	}
	return tds.Float, nil
}

func fractionType(name string, nums []int) (tds.Type, error) {
	s := 7
	if len(nums) > 0 {
		s = nums[0]
	}
	if len(nums) > 1 || s < 0 || s > 7 {
		return tds.Type{}, Errorf(1002, 16, "Line 1: Specified scale %d is invalid.", s)
	}
	switch name {
	case "time":
		return tds.TimeN(byte(s)), nil
	case "datetime2":
		return tds.DateTime2(byte(s)), nil
	}
	return tds.DateTimeOffset(byte(s)), nil
}
