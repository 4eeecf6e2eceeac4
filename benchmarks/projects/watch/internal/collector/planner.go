package collector

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

type planner struct{}

func (planner) Name() string { return "planner" }

// Columns of large tables that still have the default statistics target.
const defaultTargets = `
	SELECT c.relname::text, count(*)
	  FROM pg_attribute a
	  JOIN pg_class c ON c.oid = a.attrelid
	 WHERE a.attnum > 0 AND NOT a.attisdropped
	   AND a.attstattarget = -1
	   AND c.relpages > 100000
	 GROUP BY c.relname`

// Columns for which somebody raised it.
const raisedTargets = `
	SELECT c.relname::text, count(*)
	  FROM pg_attribute a
	  JOIN pg_class c ON c.oid = a.attrelid
	 WHERE a.attnum > 0 AND NOT a.attisdropped
	   AND a.attstattarget > 100
	 GROUP BY c.relname`

func (planner) Collect(ctx context.Context, db *pgxpool.Pool) ([]Sample, error) {
	low, err := pairs(ctx, db, "planner_default_target", defaultTargets)
	if err != nil {
		return nil, err
	}
	high, err := pairs(ctx, db, "planner_raised_target", raisedTargets)
	if err != nil {
		return nil, err
	}
	return append(low, high...), nil
}
