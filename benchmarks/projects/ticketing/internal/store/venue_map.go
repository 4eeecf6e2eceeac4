package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Map editor: seats that lie outside of their section's outline are shown in red.
const (
	selectSeats = "SELECT s.seat_id, s.row_label, s.number FROM seats s JOIN sections x ON "

	bySection = selectSeats + "x.section_id = s.section_id " +
		"WHERE x.venue_id = $1"

	touching = selectSeats + "s.pos <@ x.outline " +
		"WHERE x.section_id = $1"

	byOutline = selectSeats +
		"s.pos @ x.outline " +
		"WHERE x.venue_id = $1 AND x.section_id <> s.section_id"
)

func (s *Store) Misplaced(ctx context.Context, venue int32) ([]Seat, error) {
	rows, err := s.pool.Query(ctx, byOutline, venue)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Seat])
}

func (s *Store) Touching(ctx context.Context, section int32) ([]Seat, error) {
	rows, err := s.pool.Query(ctx, touching, section)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Seat])
}

func (s *Store) VenueSeats(ctx context.Context, venue int32) ([]Seat, error) {
	rows, err := s.pool.Query(ctx, bySection, venue)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Seat])
}
