package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Store has the queries of the service.
type Store struct {
	db *pgxpool.Pool
}

// New returns a store on the pool.
func New(db *pgxpool.Pool) *Store {
	return &Store{db: db}
}

// Order is an open work order.
type Order struct {
	ID        int64
	Status    string
	Promised  *time.Time
	TotalTime int32
}

// OpenOrders lists a workshop's orders that aren't collected.
func (s *Store) OpenOrders(ctx context.Context, workshop int) ([]Order, error) {
	rows, err := s.db.Query(ctx, `
		SELECT o.work_order_id, o.status, o.promised_on, o.total_time
		  FROM work_order o
		 WHERE o.workshop_id = $1 AND o.closed_at IS NULL
		 ORDER BY o.total_time DESC`, workshop)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Order])
}

// AddTag marks an order.
func (s *Store) AddTag(ctx context.Context, order int64, tag string) error {
	_, err := s.db.Exec(ctx, `
		UPDATE work_order
		   SET tags = array_append(tags, $2::text)
		 WHERE work_order_id = $1`, order, tag)
	return err
}

// AverageTurnaround is the mean time from drop-off to collection, in hours.
func (s *Store) AverageTurnaround(ctx context.Context, workshop int, from, to time.Time) (hours string, err error) {
	err = s.db.QueryRow(ctx, `
		SELECT coalesce(round(avg(t.hours)::numeric, 1), 0)::text
		  FROM turnaround_hours($1, $2, $3) t`, workshop, from, to).Scan(&hours)
	return hours, err
}

// PromisedToday lists the orders that customers come for today.
func (s *Store) PromisedToday(ctx context.Context, workshop int) ([]int64, error) {
	rows, err := s.db.Query(ctx, `
		SELECT work_order_id
		  FROM work_order
		 WHERE workshop_id = $1
		   AND date_part('doy', promised_on) = date_part('doy', current_date)
		   AND promised_on > current_date - 1
		 ORDER BY priority DESC`, workshop)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}
