package collector

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

type waits struct{}

func (waits) Name() string { return "waits" }

// Snapshots are taken under this lock: many waiters mean too many connections.
const procArrayWaiters = "SELECT count(*) FROM pg_stat_activity " +
	"WHERE state = 'active' " +
	"AND wait_event_type = 'LWLock' AND wait_event = 'ProcArrayLock'"

const ioWaiters = "SELECT count(*) FROM pg_stat_activity " +
	"WHERE state = 'active' " +
	"AND wait_event_type = 'IO' AND wait_event IN ('DataFileRead', 'DataFileExtend')"

var byTypeQuery = strings.Join([]string{
	"SELECT coalesce(wait_event_type, 'CPU'), count(*)",
	"FROM pg_stat_activity",
	"WHERE state = 'active' AND pid <> pg_backend_pid()",
	"GROUP BY 1",
}, "\n")

func (waits) Collect(ctx context.Context, db *pgxpool.Pool) ([]Sample, error) {
	var snapshots, io float64
	if err := db.QueryRow(ctx, procArrayWaiters).Scan(&snapshots); err != nil {
		return nil, err
	}
	if err := db.QueryRow(ctx, ioWaiters).Scan(&io); err != nil {
		return nil, err
	}
	samples, err := pairs(ctx, db, "waits", byTypeQuery)
	if err != nil {
		return nil, err
	}
	return append(samples,
		Sample{Name: "waits_snapshot", Value: snapshots},
		Sample{Name: "waits_io", Value: io}), nil
}
