// Package dbadmin has what the worker and the on-call tool ask the server itself.
package dbadmin

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// BackupRunning tells whether a base backup is being taken.
func BackupRunning(ctx context.Context, db *pgxpool.Pool) (running bool, err error) {
	err = db.QueryRow(ctx, `SELECT pg_is_in_backup()`).Scan(&running)
	return running, err
}

// InRecovery tells whether this is the standby.
func InRecovery(ctx context.Context, db *pgxpool.Pool) (standby bool, err error) {
	err = db.QueryRow(ctx, `SELECT pg_is_in_recovery()`).Scan(&standby)
	return standby, err
}

// Waiting counts sessions that wait for a lock of another.
func Waiting(ctx context.Context, db *pgxpool.Pool) (n int64, err error) {
	err = db.QueryRow(ctx, `
		SELECT count(*)
		  FROM pg_stat_activity
		 WHERE backend_type = 'client backend'
		   AND wait_event_type = 'Lock'
		   AND wait_event = 'transactionid'`).Scan(&n)
	return n, err
}

// Slow is a statement as the on-call tool lists it.
type Slow struct {
	Query   string
	Calls   int64
	Seconds int64
}

// SlowStatements lists what took the most time since the statistics were reset.
func SlowStatements(ctx context.Context, db *pgxpool.Pool) ([]Slow, error) {
	rows, err := db.Query(ctx, `
		SELECT s.query, s.calls, (s.total_time / 1000)::bigint
		  FROM pg_stat_statements s
		 ORDER BY 3 DESC
		 LIMIT 20`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Slow])
}
