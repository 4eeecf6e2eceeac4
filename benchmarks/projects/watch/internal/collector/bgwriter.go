package collector

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

type bgwriter struct{}

func (bgwriter) Name() string { return "bgwriter" }

// The background writer's own work, and what backends had to do themselves.
const bgwriterQuery = `
	SELECT w.buffers_clean,
	       w.maxwritten_clean,
	       w.buffers_backend
	  FROM pg_catalog.pg_stat_bgwriter AS w`

const allocQuery = `
	SELECT buffers_alloc
	  FROM pg_catalog.pg_stat_bgwriter`

func (bgwriter) Collect(ctx context.Context, db *pgxpool.Pool) ([]Sample, error) {
	var clean, maxwritten, backend, alloc float64
	if err := db.QueryRow(ctx, bgwriterQuery).Scan(&clean, &maxwritten, &backend); err != nil {
		return nil, err
	}
	if err := db.QueryRow(ctx, allocQuery).Scan(&alloc); err != nil {
		return nil, err
	}
	samples := []Sample{
		{Name: "bgwriter_clean", Value: clean},
		{Name: "bgwriter_maxwritten", Value: maxwritten},
		{Name: "bgwriter_backend", Value: backend},
		{Name: "bgwriter_alloc", Value: alloc},
	}
	version, err := serverVersion(ctx, db)
	if err != nil {
		return nil, err
	}
	var sync float64
	if version >= 170000 {
		err = db.QueryRow(ctx, "SELECT sync_time FROM pg_stat_checkpointer").Scan(&sync)
	} else {
		err = db.QueryRow(ctx, "SELECT checkpoint_sync_time FROM pg_stat_bgwriter").Scan(&sync)
	}
	if err != nil {
		return nil, err
	}
	return append(samples, Sample{Name: "checkpoint_sync_ms", Value: sync}), nil
}
