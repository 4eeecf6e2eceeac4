package collector

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

type tables struct{}

func (tables) Name() string { return "tables" }

const largeTables = `
	SELECT c.oid::regclass::text, pg_total_relation_size(c.oid)
	  FROM pg_class c
	 WHERE c.relkind = 'r' AND c.reltuples > 5000000
	 ORDER BY 2 DESC
	 LIMIT 50 OFFSET $1::int`

// Tables that nothing has ever counted: autovacuum is off, or behind.
const neverAnalyzed = `SELECT n.nspname::text, count(*) FROM pg_class c` +
	` JOIN pg_namespace n ON n.oid = c.relnamespace` +
	` WHERE c.relkind = 'r' AND c.reltuples = 0` +
	` AND pg_relation_size(c.oid) > 8192` +
	` GROUP BY n.nspname`

func (tables) Collect(ctx context.Context, db *pgxpool.Pool) ([]Sample, error) {
	large, err := pairs(ctx, db, "tables_bytes", largeTables, 0)
	if err != nil {
		return nil, err
	}
	never, err := pairs(ctx, db, "tables_never_analyzed", neverAnalyzed)
	if err != nil {
		return nil, err
	}
	return append(large, never...), nil
}
