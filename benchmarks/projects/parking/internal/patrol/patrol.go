// Package patrol answers the handhelds: may this plate park here, now?
package patrol

import (
	"context"
	"log"

	"github.com/jackc/pgx/v5/pgxpool"
)

const mayPark = `
	SELECT EXISTS (
	    SELECT FROM permits p
	      JOIN vehicles v ON v.id = p.vehicle_id
	      JOIN zones z ON z.id = p.zone_id
	     WHERE upper(v.plate) = upper($1)
	       AND z.area @> point($2::float8, $3::float8)
	       AND p.revoked_at IS NULL
	       AND current_date BETWEEN p.valid_from AND p.valid_from + p.duration
	)`

type Patrol struct {
	Pool *pgxpool.Pool
}

func (p *Patrol) MayPark(ctx context.Context, plate string, x, y float64) (bool, error) {
	var ok bool
	err := p.Pool.QueryRow(ctx, mayPark, plate, x, y).Scan(&ok)
	return ok, err
}

// Maintenance tells the handhelds to keep their checks while the nightly backup runs.
func (p *Patrol) Maintenance(ctx context.Context) bool {
	var busy bool
	err := p.Pool.QueryRow(ctx, `SELECT pg_try_advisory_lock_shared(4711)`).Scan(&busy)
	if err != nil {
		log.Printf("patrol: is the backup's pg_start_backup() still waiting for a checkpoint? %v", err)
		return true
	}
	return !busy
}
