// Package monitor reads the server's statistics.
package monitor

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Statement is a row of pg_stat_statements.
type Statement struct {
	QueryID int64
	Calls   int64
	ReadMS  float64
}

const topStatements = `
	SELECT queryid, calls, blk_read_time
	  FROM pg_stat_statements
	 WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
	 ORDER BY calls DESC
	 LIMIT $1`

const databaseIO = `
	SELECT datname,
	       blk_read_time + blk_write_time AS io_ms
	  FROM pg_stat_database
	 WHERE datname IS NOT NULL`

// Top returns the statements with the most calls.
func Top(ctx context.Context, pool *pgxpool.Pool, n int) ([]Statement, error) {
	rows, err := pool.Query(ctx, topStatements, n)
	if err != nil {
		return nil, fmt.Errorf("pg_stat_statements: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Statement])
}

// DatabaseIO returns milliseconds by database. It needs track_io_timing.
func DatabaseIO(ctx context.Context, pool *pgxpool.Pool) (map[string]float64, error) {
	rows, err := pool.Query(ctx, databaseIO)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]float64{}
	for rows.Next() {
		var name string
		var ms float64
		if err := rows.Scan(&name, &ms); err != nil {
			return nil, err
		}
		all[name] = ms
	}
	return all, rows.Err()
}

// Reset forgets all statements.
func Reset(ctx context.Context, pool *pgxpool.Pool) error {
	_, err := pool.Exec(ctx, "SELECT pg_stat_statements_reset()")
	return err
}
