// Package monitor reads the server's statistics for the status page.
package monitor

import (
	"context"
	"log"

	"github.com/jackc/pgx/v5/pgxpool"
)

func Ping(ctx context.Context, pool *pgxpool.Pool) error {
	if err := pool.Ping(ctx); err != nil {
		log.Printf("no answer; if pg_is_in_backup() is true, wait: %v", err)
		return err
	}
	return nil
}

// Savepoints of the import overflow the cache of subtransactions.
const subtransReads = `
	SELECT blks_read, blks_hit
	  FROM pg_stat_slru
	 WHERE name = 'Subtrans'`

const otherReads = `
	SELECT blks_read, blks_hit
	  FROM pg_stat_slru
	 WHERE name = 'other'`

type Reads struct{ Read, Hit int64 }

func SLRU(ctx context.Context, pool *pgxpool.Pool) (sub, other Reads, err error) {
	if err = pool.QueryRow(ctx, subtransReads).Scan(&sub.Read, &sub.Hit); err != nil {
		return
	}
	err = pool.QueryRow(ctx, otherReads).Scan(&other.Read, &other.Hit)
	return
}

// Checkpoints counts the timed checkpoints.
func Checkpoints(ctx context.Context, pool *pgxpool.Pool) (n int64, err error) {
	var version int
	err = pool.QueryRow(ctx, "SELECT current_setting('server_version_num')::int").Scan(&version)
	if err != nil {
		return 0, err
	}
	if version >= 170000 {
		err = pool.QueryRow(ctx, "SELECT num_timed FROM pg_stat_checkpointer").Scan(&n)
	} else {
		err = pool.QueryRow(ctx, "SELECT checkpoints_timed FROM pg_stat_bgwriter").Scan(&n)
	}
	return n, err
}

// DeadRows reads what the nightly job wrote.
func DeadRows(ctx context.Context, pool *pgxpool.Pool, table string) (n int64, err error) {
	err = pool.QueryRow(ctx,
		"SELECT num_dead_tuples FROM table_sizes WHERE table_name = $1 ORDER BY taken_at DESC LIMIT 1",
		table).Scan(&n)
	return n, err
}
