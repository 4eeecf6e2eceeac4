// Package store has the statements of the API.
package store

import (
	"context"
	"fmt"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Store struct {
	pool *pgxpool.Pool
}

func New(pool *pgxpool.Pool) *Store { return &Store{pool: pool} }

func (s *Store) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.NotFound(w, r)
	})
}

// inTx runs f in a transaction whose audit rows carry the request's id.
func (s *Store) inTx(ctx context.Context, requestID, tenant string, f func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT set_config('ticketing.tenant', $1, true)", tenant); err != nil {
			return fmt.Errorf("tenant: %w", err)
		}
		if _, err := tx.Exec(ctx, "SELECT set_config('ticketing-api.request_id', $1, true)", requestID); err != nil {
			return fmt.Errorf("request: %w", err)
		}
		return f(tx)
	})
}

type Seat struct {
	ID     int32
	Row    string
	Number int32
}

const freeSeats = `
	SELECT s.seat_id, s.row_label, s.number
	  FROM seats s
	  JOIN tickets t ON t.seat_id = s.seat_id
	 WHERE t.event_id = $1
	   AND t.sold_at IS NULL
	   AND NOT EXISTS (SELECT FROM seat_holds h WHERE h.seat_id = s.seat_id AND h.until > now())
	 ORDER BY s.row_label, s.number`

// FreeSeats lists what can be bought.
func (s *Store) FreeSeats(ctx context.Context, event int32) ([]Seat, error) {
	rows, err := s.pool.Query(ctx, freeSeats, event)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Seat])
}

// Hold reserves a seat for ten minutes.
func (s *Store) Hold(ctx context.Context, requestID, tenant string, seat int32, key string) error {
	return s.inTx(ctx, requestID, tenant, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx,
			`INSERT INTO seat_holds (seat_id, session_key) VALUES ($1, $2) ON CONFLICT DO NOTHING`, seat, key)
		if err == nil && tag.RowsAffected() == 0 {
			err = fmt.Errorf("seat %d is gone, sold out !", seat)
		}
		return err
	})
}

// Tag adds a tag to an event.
func (s *Store) Tag(ctx context.Context, event int32, tag string) error {
	_, err := s.pool.Exec(ctx, `UPDATE events SET tags = array_append(tags, $2) WHERE event_id = $1`, event, tag)
	return err
}

// Voucher reads the voucher's code from the shop's payload.
func (s *Store) Voucher(ctx context.Context, order int64) (code *string, err error) {
	err = s.pool.QueryRow(ctx,
		`SELECT api.json_value(payload, '{voucher,code}') FROM orders WHERE order_id = $1`, order).Scan(&code)
	return code, err
}

// Recent lists events that were tagged lately; banner is shown where none is left.
func (s *Store) Recent(ctx context.Context) (pgx.Rows, error) {
	return s.pool.Query(ctx, `
		SELECT e.title, CASE WHEN count(t.*) = 0 THEN 'sold out !' ELSE '' END AS banner
		  FROM events e
		  LEFT JOIN tickets t ON t.event_id = e.event_id AND t.sold_at IS NULL
		 WHERE e.doors_at > now() - interval '2 days'
		 GROUP BY e.event_id, e.title`)
}
