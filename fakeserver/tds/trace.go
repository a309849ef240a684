package tds

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// describeLogin shows everything that LOGIN7 said except the passwords.
func describeLogin(l *Login) string {
	enc := "-"
	if e := l.Prelogin[plEncryption]; len(e) > 0 {
		enc = fmt.Sprint(e[0])
	}
	return fmt.Sprintf("tds=%08x packet=%d progver=%08x pid=%d flags=%02x/%02x/%02x/%02x tz=%d lcid=%08x "+
		"host=%q user=%q app=%q server=%q lib=%q lang=%q db=%q sspi=%d features=%v "+
		"preloginOptions=%v preloginEncrypt=%s encrypted=%v strict=%v",
		l.TDSVersion, l.PacketSize, l.ClientProgVer, l.ClientPID, l.Flags1, l.Flags2, l.TypeFlags, l.Flags3,
		l.TimeZone, l.LCID, l.HostName, l.UserName, l.AppName, l.ServerName, l.CtlIntName, l.Language,
		l.Database, len(l.SSPI), slices.Sorted(maps.Keys(l.Features)), slices.Sorted(maps.Keys(l.Prelogin)),
		enc, l.Encrypted, l.Strict)
}

// maxTracedValue is how much of one parameter value a trace line shows.
const maxTracedValue = 200

// describeRequest shows a request on one line.
func describeRequest(q *Request) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s reset=%v", q.Kind, q.Reset)
	if q.Proc != "" {
		fmt.Fprintf(&b, " proc=%s(%d)", q.Proc, q.ProcID)
	}
	if q.Name != "" {
		fmt.Fprintf(&b, " name=%q", q.Name)
	}
	if q.SQL != "" {
		fmt.Fprintf(&b, " sql=%q", q.SQL)
	}
	if q.Decl != "" {
		fmt.Fprintf(&b, " decl=%q", q.Decl)
	}
	for _, p := range q.Params {
		fmt.Fprintf(&b, " [%s 0x%02x/%d %s out=%v]", p.Name, byte(p.Type.ID), p.Type.Size, tracedValue(p.Value), p.Output)
	}
	return b.String()
}

func tracedValue(v any) string {
	switch x := v.(type) {
	case []byte:
		if len(x) > maxTracedValue {
			return fmt.Sprintf("%x... (%d bytes)", x[:maxTracedValue], len(x))
		}
		return fmt.Sprintf("%x", x)
	case string:
		if len(x) > maxTracedValue {
			return fmt.Sprintf("%q... (%d bytes)", x[:maxTracedValue], len(x))
		}
		return fmt.Sprintf("%q", x)
	}
	return fmt.Sprint(v)
}
