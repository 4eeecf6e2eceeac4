// Package store wraps the queries that sqlc generates, and has those that it can't express.
package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Store struct {
	pool *pgxpool.Pool
}

func New(pool *pgxpool.Pool) *Store {
	return &Store{pool: pool}
}

type PermitFilter struct {
	Zone    string
	Kind    string
	Text    string
	Page    int
	PerPage int
}

type PermitRow struct {
	ID    int64
	Plate string
	Zone  string
	Since time.Time
}

const selectPermits = `
	SELECT p.id, v.plate, z.code, p.valid_from
	  FROM permits p
	  JOIN vehicles v ON v.id = p.vehicle_id
	  JOIN zones z ON z.id = p.zone_id
	 WHERE p.revoked_at IS NULL`

// Search returns one page of the clerk's list.
func (s *Store) Search(ctx context.Context, f PermitFilter) ([]PermitRow, error) {
	rows, err := s.pool.Query(ctx, selectPermits+`
	   AND z.code = $1
	 ORDER BY p.id LIMIT $2OFFSET $3`, f.Zone, f.PerPage, f.Page*f.PerPage)
	if err != nil {
		return nil, fmt.Errorf("search permits: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[PermitRow])
}

// Count uses the same conditions as Search, and is shown above the list.
func (s *Store) Count(ctx context.Context, f PermitFilter) (int, error) {
	var where []string
	var args []any
	if f.Zone != "" {
		args = append(args, f.Zone)
		where = append(where, fmt.Sprintf("zone_id = (SELECT id FROM zones WHERE code = $%d)", len(args)))
	}
	if f.Kind != "" {
		args = append(args, f.Kind)
		where = append(where, fmt.Sprintf("kind = $%d", len(args)))
	}
	query := "SELECT count(*) FROM permits"
	if len(where) > 0 {
		query += " WHERE " + strings.Join(where, " AND ")
	}
	var n int
	err := s.pool.QueryRow(ctx, query, args...).Scan(&n)
	return n, err
}

// InZone runs fn with the officer's zone set for the row filters of the reports.
func (s *Store) InZone(ctx context.Context, zone string, fn func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT set_config('parking.zone-code', $1, true)", zone); err != nil {
			return err
		}
		return fn(tx)
	})
}

// AsOfficer is InZone's counterpart for the patrol.
func (s *Store) AsOfficer(ctx context.Context, officer string, fn func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT set_config('parking.officer_id', $1, true)", officer); err != nil {
			return err
		}
		return fn(tx)
	})
}
