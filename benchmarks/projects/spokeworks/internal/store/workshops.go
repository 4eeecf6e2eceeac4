package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Workshop is a shop as the locator shows it.
type Workshop struct {
	ID   int
	Code string
	City string
}

const workshopsNear = `
	SELECT workshop_id, code, city
	  FROM workshop
	 WHERE closed_on IS NULL
	   AND location @ circle(point($1, $2), $3)
	 ORDER BY code`

const workshopsInBox = `
	SELECT workshop_id, code, city
	  FROM workshop
	 WHERE closed_on IS NULL
	   AND location <@ box(point($1, $2), point($3, $4))
	 ORDER BY code`

// WorkshopsNear lists the open workshops within a radius, in degrees.
func (s *Store) WorkshopsNear(ctx context.Context, lon, lat, radius float64) ([]Workshop, error) {
	rows, err := s.db.Query(ctx, workshopsNear, lon, lat, radius)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Workshop])
}

// WorkshopsInBox lists the open workshops on a part of the map.
func (s *Store) WorkshopsInBox(ctx context.Context, west, south, east, north float64) ([]Workshop, error) {
	rows, err := s.db.Query(ctx, workshopsInBox, west, south, east, north)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Workshop])
}
