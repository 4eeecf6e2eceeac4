package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// DrawMysteryVisits chooses the workshops that get a mystery shopper this quarter. The draw has the quarter's seed,
// so that head office can repeat it in front of the franchisees' council.
func (s *Store) DrawMysteryVisits(ctx context.Context, seed float64, n int) ([]int, error) {
	tx, err := s.db.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if _, err := tx.Exec(ctx, `SELECT setseed($1)`, seed); err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, `
		SELECT drawn.workshop_id
		  FROM (SELECT workshop_id FROM workshop WHERE closed_on IS NULL ORDER BY workshop_id) drawn
		 ORDER BY random()
		 LIMIT $1`, n)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int])
}

// EarlyVisits lists visits in the first hour of a day.
func (s *Store) EarlyVisits(ctx context.Context) ([]int, error) {
	rows, err := s.db.Query(ctx, `
		SELECT v.mystery_visit_id
		  FROM mystery_visit v
		 WHERE v.reltime < interval '1 hour'
		 ORDER BY v.visited_on`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int])
}

// PrinterLabels lists the printers whose labels have normalized SKUs.
func (s *Store) PrinterLabels(ctx context.Context) ([]string, error) {
	rows, err := s.db.Query(ctx, `SELECT printer FROM label_format WHERE normalize ORDER BY printer`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
