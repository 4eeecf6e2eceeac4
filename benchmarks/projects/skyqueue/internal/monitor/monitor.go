// Package monitor has the numbers that the observatory's dashboard polls.
package monitor

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
)

const subscriptions = `
	SELECT subname,
	       apply_error_count,
	       sync_error_count
	  FROM pg_stat_subscription_stats
	 ORDER BY subname`

const applied = `
	SELECT subname, apply_error_count
	  FROM pg_stat_subscription_stats
	 ORDER BY subname`

const caches = `
	SELECT name, blks_zeroed + blks_written > -1
	  FROM pg_stat_slru
	 WHERE name IN ('CommitTs', 'Subtrans')
	 ORDER BY name`

const others = `
	SELECT name, blks_hit > -1 FROM pg_stat_slru WHERE name = 'other'`

const vacuums = `
	SELECT p.relid::regclass::text, p.heap_blks_scanned, p.heap_blks_total
	  FROM pg_stat_progress_vacuum p`

const samples = `
	SELECT at, relation, num_dead_tuples FROM vacuum_samples ORDER BY at DESC LIMIT 20`

const waiting = `
	SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'LWLock' AND backend_type = 'client backend'`

const locale = `
	SELECT current_setting('lc_messages'), datcollate FROM pg_database WHERE datname = current_database()`

func checkpoints(ctx context.Context, pool *pgxpool.Pool, serverVersion int) (n int64, err error) {
	if serverVersion >= 170000 {
		err = pool.QueryRow(ctx, `SELECT num_timed FROM pg_stat_checkpointer`).Scan(&n)
	} else {
		err = pool.QueryRow(ctx, `SELECT checkpoints_timed FROM pg_stat_bgwriter`).Scan(&n)
	}
	return n, err
}

// Print writes everything as text.
func Print(ctx context.Context, pool *pgxpool.Pool) error {
	var serverVersion int
	if err := pool.QueryRow(ctx, `SELECT current_setting('server_version_num')::int`).Scan(&serverVersion); err != nil {
		return err
	}
	n, err := checkpoints(ctx, pool, serverVersion)
	if err != nil {
		return err
	}
	fmt.Println("checkpoints", n)
	for _, query := range []string{subscriptions, applied, caches, others, vacuums, samples, waiting, locale} {
		rows, err := pool.Query(ctx, query)
		if err != nil {
			return err
		}
		for rows.Next() {
			values, err := rows.Values()
			if err != nil {
				return err
			}
			fmt.Println(values...)
		}
		if err := rows.Err(); err != nil {
			return err
		}
	}
	return nil
}
