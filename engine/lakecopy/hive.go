package lakecopy

import (
	"fmt"
	"slices"
	"strings"

	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// hiveNull is the folder value that stands for NULL.
const hiveNull = "__HIVE_DEFAULT_PARTITION__"

// partitionColumns reads the partition values from the files' folders into the
// files, as text: "01" stays "01". All files must have the same columns.
func partitionColumns(url string, files []File) ([]string, error) {
	var names []string
	for i := range files {
		mine := readFolders(&files[i])
		if i == 0 {
			names = mine
		}
		if !slices.Equal(mine, names) {
			return nil, &verdict.Error{
				Code:  verdict.CopyNotACopy,
				What:  fmt.Sprintf("the partition folders of %q differ", url),
				Facts: verdict.Facts("one file", files[0].Key, "another", files[i].Key),
				Why:   "A row's partition values come from its folders; where the folders differ, a value is missing or belongs to another column.",
				Hint:  []string{"Give the folder of one of the two layouts, or move the files of the other away."},
			}
		}
	}
	for i, n := range names {
		if slices.ContainsFunc(names[:i], func(m string) bool { return schema.SameName(m, n) }) {
			return nil, &verdict.Error{
				Code:  verdict.ColumnAmbiguous,
				What:  fmt.Sprintf("partition column %q stands twice in the folders of %q", n, url),
				Facts: verdict.Facts("file", files[0].Key),
				Hint:  []string{"Rename one of the folders' columns."},
			}
		}
	}
	return names, nil
}

func readFolders(f *File) (names []string) {
	parts := strings.Split(f.Key, "/")
	for _, dir := range parts[:len(parts)-1] {
		name, value, ok := strings.Cut(dir, "=")
		if !ok || name == "" {
			continue
		}
		name = percentDecode(name)
		names = append(names, name)
		if f.Partition == nil {
			f.Partition = map[string]*string{}
		}
		if value == hiveNull {
			f.Partition[name] = nil
			continue
		}
		text := percentDecode(value)
		f.Partition[name] = &text
	}
	return names
}

// percentDecode turns %XX into its byte. A percent sign that begins no code
// stays, as writers that do not encode leave it; a plus is a plus.
func percentDecode(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := unhex(s[i+1]), unhex(s[i+2])
			if hi >= 0 && lo >= 0 {
				b.WriteByte(byte(hi<<4 | lo))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
