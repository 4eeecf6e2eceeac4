package dbadmin

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Check is a constraint that the admin site explains to shop managers.
type Check struct {
	Name       string
	Expression string
}

// Checks lists the CHECK constraints of a table.
func Checks(ctx context.Context, db *pgxpool.Pool, table string) ([]Check, error) {
	rows, err := db.Query(ctx, `
		SELECT c.conname::text, c.consrc
		  FROM pg_catalog.pg_constraint c
		 WHERE c.contype = 'c'
		   AND c.conrelid = $1::text::regclass
		 ORDER BY c.oid`, table)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Check])
}

// ColumnDefault returns the text of a column's default.
func ColumnDefault(ctx context.Context, db *pgxpool.Pool, table, column string) (text string, err error) {
	var version int
	if err = db.QueryRow(ctx, `SELECT current_setting('server_version_num')::int`).Scan(&version); err != nil {
		return "", err
	}
	if version < 120000 {
		err = db.QueryRow(ctx, `
			SELECT d.adsrc
			  FROM pg_attrdef d
			  JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
			 WHERE d.adrelid = $1::text::regclass AND a.attname::text = $2::text`, table, column).Scan(&text)
		return text, err
	}
	err = db.QueryRow(ctx, `
		SELECT pg_get_expr(d.adbin, d.adrelid)
		  FROM pg_attrdef d
		  JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
		 WHERE d.adrelid = $1::text::regclass AND a.attname::text = $2::text`, table, column).Scan(&text)
	return text, err
}
