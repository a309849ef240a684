package sqlserver

import (
	"context"
	"database/sql"
	"strconv"
	"strings"

	"cdcseed/engine/verdict"
)

// Identity is which server and database were reached, and as whom.
type Identity struct {
	Server         string `json:"server"`          // its own name, not the one dialled
	ProductVersion string `json:"product_version"` // 16.0.4125.3
	ProductMajor   int    `json:"product_major"`   // 16
	Edition        string `json:"edition"`
	EngineEdition  int    `json:"engine_edition"`
	Database       string `json:"database"`
	DatabaseID     int    `json:"database_id"`
	ReadOnly       bool   `json:"read_only,omitempty"` // a readable secondary, or a database set read only
	Login          string `json:"login"`
}

// NamesZone reports whether the server can name its own time zone: SQL Server
// 2022 and later, and Azure.
func (id Identity) NamesZone() bool {
	return id.ProductMajor >= 16 || id.EngineEdition == editionAzureDatabase || id.EngineEdition == editionManagedInstance
}

// convertsZones reports whether the server has AT TIME ZONE: SQL Server 2016 and later, and Azure.
func (id Identity) convertsZones() bool { return id.NamesZone() || id.ProductMajor >= 13 }

// Product is the server's product as people call it: "SQL Server 2022 (16.0.4125.3)".
func (id Identity) Product() string {
	years := map[int]string{11: "2012", 12: "2014", 13: "2016", 14: "2017", 15: "2019", 16: "2022", 17: "2025"}
	name := "SQL Server"
	switch {
	case id.EngineEdition == editionAzureDatabase:
		name = "Azure SQL Database"
	case id.EngineEdition == editionManagedInstance:
		name = "Azure SQL Managed Instance"
	case years[id.ProductMajor] != "":
		name += " " + years[id.ProductMajor]
	}
	return name + " (" + id.ProductVersion + ")"
}

// Identity asks the server who it is.
func (s *Source) Identity(ctx context.Context) (Identity, error) {
	var id Identity
	var server, version, major, edition, database, update, login sql.NullString
	var engine, number sql.NullInt64
	_, err := s.row(ctx, "identity", []any{&server, &version, &major, &edition, &engine, &database, &number, &update, &login})
	if err != nil {
		return Identity{}, err
	}
	id = Identity{
		Server:         server.String,
		ProductVersion: version.String,
		Edition:        edition.String,
		EngineEdition:  int(engine.Int64),
		Database:       database.String,
		DatabaseID:     int(number.Int64),
		ReadOnly:       update.String == "READ_ONLY",
		Login:          login.String,
	}
	first, _, _ := strings.Cut(version.String, ".")
	if major.Valid {
		first = major.String
	}
	// Before 2012's updates the property is missing; the version begins with the same number.
	if id.ProductMajor, err = strconv.Atoi(first); err != nil {
		return Identity{}, &verdict.Error{Code: verdict.Unexpected, What: "the server tells no product version", Facts: verdict.Facts("answer", version.String), Err: err}
	}
	return id, nil
}

// CheckCDC refuses a database without change data capture as verdict.CDCOff.
func (s *Source) CheckCDC(ctx context.Context) error {
	var on sql.NullBool
	found, err := s.row(ctx, "cdc_enabled", []any{&on})
	if err != nil {
		return err
	}
	if !found || !on.Bool {
		return cdcOff(s.options.Database)
	}
	return nil
}
