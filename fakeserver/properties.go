package fakeserver

import (
	"strings"
)

// serverProperty plays the properties that clients ask for. A property that
// SQL Server documents and that is not played is an error, not a NULL; one that
// there is not is NULL.
func serverProperty(s *session, a arguments) (any, error) {
	name, ok := a.text(0)
	if !ok {
		return nil, nil
	}
	h := s.srv.host
	parts := strings.Split(h.settings.ProductVersion+"...", ".")
	switch strings.ToLower(name) {
	case "productversion":
		return h.settings.ProductVersion, nil
	case "productmajorversion":
		return parts[0], nil
	case "productminorversion":
		return parts[1], nil
	case "productbuild":
		return parts[2], nil
	case "productlevel":
		return "RTM", nil
	case "edition":
		return h.settings.Edition, nil
	case "engineedition":
		return int64(h.settings.EngineEdition), nil
	case "collation":
		return defaultCollation, nil
	case "servername", "machinename", "computernamephysicalnetbios":
		return h.settings.Name, nil
	case "instancename":
		return nil, nil // the default instance
	case "isintegratedsecurityonly", "isclustered", "ishadrenabled":
		return int64(0), nil
	}
	if listed(unplayedServerProperties, name) {
		return nil, errNotPlayed("SERVERPROPERTY('" + name + "')")
	}
	return nil, nil
}

func databaseProperty(s *session, a arguments) (any, error) {
	name, ok := a.text(0)
	property, ok2 := a.text(1)
	d := s.srv.host.database(name)
	if !ok || !ok2 || d == nil {
		return nil, nil
	}
	switch strings.ToLower(property) {
	case "updateability":
		if s.srv.host.settings.ReadOnly && !d.system {
			return "READ_ONLY", nil
		}
		return "READ_WRITE", nil
	case "collation":
		if d.offline {
			return nil, nil
		}
		return d.collation, nil
	case "status":
		if d.offline {
			return "OFFLINE", nil
		}
		return "ONLINE", nil
	}
	if listed(unplayedDatabaseProperties, property) {
		return nil, errNotPlayed("DATABASEPROPERTYEX(..., '" + property + "')")
	}
	return nil, nil
}

// codePages pairs the beginning of a collation's name with its code page. A
// collation that is not listed has no code page here: NULL.
var codePages = map[string]int64{
	"arabic": 1256, "baltic": 1257, "chinese_prc": 936, "chinese_simplified": 936, "chinese_taiwan": 950, "chinese_traditional": 950,
	"cyrillic": 1251, "croatian": 1250, "czech": 1250, "danish": 1252, "estonian": 1257, "finnish": 1252, "french": 1252, "german": 1252,
	"greek": 1253, "hebrew": 1255, "hungarian": 1250, "icelandic": 1252, "japanese": 932, "korean": 949, "latvian": 1257, "lithuanian": 1257,
	"modern_spanish": 1252, "polish": 1250, "romanian": 1250, "slovak": 1250, "slovenian": 1250, "thai": 874, "traditional_spanish": 1252,
	"turkish": 1254, "ukrainian": 1251, "vietnamese": 1258, "latin1_general": 1252, "sql_latin1_general_cp1": 1252,
	"sql_latin1_general_cp850": 850, "sql_latin1_general_cp437": 437, "sql_latin1_general_cp1250": 1250, "sql_latin1_general_cp1251": 1251,
	"sql_latin1_general_cp1253": 1253, "sql_latin1_general_cp1254": 1254, "sql_latin1_general_cp1257": 1257,
}

func collationProperty(_ *session, a arguments) (any, error) {
	name, ok := a.text(0)
	property, ok2 := a.text(1)
	if !ok || !ok2 {
		return nil, nil
	}
	if !strings.EqualFold(property, "CodePage") {
		return nil, errNotPlayed("COLLATIONPROPERTY(..., '" + property + "')")
	}
	name = strings.ToLower(name)
	if strings.HasSuffix(name, "_utf8") {
		return int64(65001), nil
	}
	best, page := "", any(nil)
	for prefix, p := range codePages {
		if strings.HasPrefix(name, prefix+"_") && len(prefix) > len(best) {
			best, page = prefix, p
		}
	}
	return page, nil
}
