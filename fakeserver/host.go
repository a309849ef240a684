package fakeserver

import (
	"strconv"
	"strings"
	"time"
)

// host is the simulated SQL Server: everything that a statement can see or a
// test can change. Its user holds the server's lock.
type host struct {
	settings  ServerSettings
	zone      *time.Location
	zoneName  string // empty where the server cannot name its zone
	major     int
	databases []*database
	logins    []*login
	now       func() time.Time // UTC
}

// login is an account with its users by database.
type login struct {
	Login
	users    map[string]*User // lower-case database name
	attempts int
}

func (h *host) azure() bool { return h.settings.EngineEdition == 5 }

// local is the server's clock as a datetime value.
func (h *host) local() time.Time { return toDateTime(h.now().In(h.zone)) }

func (h *host) database(name string) *database {
	for _, d := range h.databases {
		if strings.EqualFold(d.name, name) {
			return d
		}
	}
	return nil
}

func (h *host) login(name string) *login {
	for _, l := range h.logins {
		if strings.EqualFold(l.Name, name) {
			return l
		}
	}
	return nil
}

// majorVersion is the first number of a product version, 0 when it is none.
func majorVersion(version string) int {
	first, _, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(first)
	if err != nil {
		return 0
	}
	return n
}

// managedInstance is Azure SQL Managed Instance.
const managedInstance = 8

// namesZone tells whether CURRENT_TIMEZONE_ID exists here: from SQL Server 2022
// and in Azure, whose product version is no guide.
func (h *host) namesZone() bool {
	return h.major >= 16 || h.azure() || h.settings.EngineEdition == managedInstance
}

// systemDatabases are there before any user database.
func systemDatabases(azure bool) []*database {
	names := []string{"master", "tempdb", "model", "msdb"}
	if azure {
		names = names[:1]
	}
	var out []*database
	for i, n := range names {
		versioned := n == "master" || n == "msdb" // as they are installed
		out = append(out, &database{name: n, id: int64(i + 1), system: true, snapshot: versioned, collation: defaultCollation})
	}
	return out
}

const defaultCollation = "SQL_Latin1_General_CP1_CI_AS"
