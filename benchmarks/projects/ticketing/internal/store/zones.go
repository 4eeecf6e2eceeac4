package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

type Zone struct {
	Abbrev string
	DST    bool
}

// Zones fills the picker of the event editor.
func (s *Store) Zones(ctx context.Context) ([]Zone, error) {
	rows, err := s.pool.Query(ctx, `
		SELECT abbrev, is_dst
		  FROM pg_timezone_abbrevs()
		 WHERE utc_offset >= '0'
		 ORDER BY abbrev`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Zone])
}
