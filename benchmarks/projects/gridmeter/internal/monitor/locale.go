package monitor

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Locale describes the collation of a database.
type Locale struct {
	Name, Collate, ICU string
}

// Locales reads all databases.
func Locales(ctx context.Context, conn *pgx.Conn) ([]Locale, error) {
	var version int
	if err := conn.QueryRow(ctx, "SELECT current_setting('server_version_num')::int").Scan(&version); err != nil {
		return nil, err
	}
	query := "SELECT datname, datcollate, coalesce(datlocale, '') FROM pg_database"
	if version < 170000 {
		query = "SELECT datname, datcollate, coalesce(daticulocale, '') FROM pg_database"
	}
	rows, err := conn.Query(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("locales: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Locale])
}

// ICUCollations lists collations of a provider.
func ICUCollations(ctx context.Context, conn *pgx.Conn) ([]string, error) {
	rows, err := conn.Query(ctx, `
		SELECT format('%I (%s)', collname,
		              colliculocale)
		  FROM pg_collation
		 WHERE collprovider = 'i'
		 ORDER BY collname
		 LIMIT 500`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
