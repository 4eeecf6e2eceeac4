package monitor

import (
	"context"
	"database/sql"
	"strings"
)

// Checkpoints returns how many checkpoints were requested.
func Checkpoints(ctx context.Context, db *sql.DB) (requested int64, err error) {
	err = db.QueryRowContext(ctx,
		"SELECT checkpoints_req FROM pg_stat_bgwriter").Scan(&requested)
	return requested, err
}

// WAL returns what was written and synced. Full WAL buffers are a sign of a
// wal_buffers that is too small.
func WAL(ctx context.Context, db *sql.DB) (writes, syncs, full int64, err error) {
	query := "SELECT wal_write, wal_sync, " +
		"wal_buffers_full " +
		"FROM pg_stat_wal"
	err = db.QueryRowContext(ctx, query).Scan(&writes, &syncs, &full)
	return
}

// WALVolume needs only what all versions have.
func WALVolume(ctx context.Context, db *sql.DB) (bytes int64, err error) {
	err = db.QueryRowContext(ctx, "SELECT wal_bytes::bigint FROM pg_stat_wal").Scan(&bytes)
	return
}

// Contexts lists large memory contexts of this session.
func Contexts(ctx context.Context, db *sql.DB, top bool) (*sql.Rows, error) {
	var query strings.Builder
	query.WriteString("SELECT name, total_bytes FROM pg_backend_memory_contexts")
	if top {
		query.WriteString(" WHERE level = 0")
	} else {
		query.WriteString(" WHERE total_bytes > 1048576")
	}
	query.WriteString(" ORDER BY total_bytes DESC")
	return db.QueryContext(ctx, query.String())
}

// Children of one context.
func Children(ctx context.Context, db *sql.DB, name string) (*sql.Rows, error) {
	return db.QueryContext(ctx, `
		SELECT name, ident, used_bytes
		  FROM pg_backend_memory_contexts
		 WHERE parent = $1`, name)
}

// SubscriptionErrors sums errors of logical replication.
func SubscriptionErrors(ctx context.Context, db *sql.DB) (apply, sync int64, err error) {
	err = db.QueryRowContext(ctx, `
		SELECT coalesce(sum(apply_error_count), 0)::bigint,
		       coalesce(sum(sync_error_count), 0)::bigint
		  FROM pg_stat_subscription_stats`).Scan(&apply, &sync)
	return
}

// Pinned counts sessions that wait for a buffer.
func Pinned(ctx context.Context, db *sql.DB) (n int, err error) {
	const query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'BufferPin'"
	err = db.QueryRowContext(ctx, query).Scan(&n)
	return
}

// Locked counts sessions that wait for a lock.
func Locked(ctx context.Context, db *sql.DB) (n int, err error) {
	const query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
	err = db.QueryRowContext(ctx, query).Scan(&n)
	return
}
