package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Letter is what the print shop needs.
type Letter struct {
	Permit int64
	Plate  string
	Ends   time.Time
}

const batch = 500

// ExpiringLetters hands the permits that end before until to send, in batches.
func (s *Store) ExpiringLetters(ctx context.Context, until time.Time, send func([]Letter) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT open_expiring($1::date)`, until); err != nil {
			return err
		}
		for {
			rows, err := tx.Query(ctx, `FETCH FORWARD 500 FROM expiring`)
			if err != nil {
				return err
			}
			letters, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Letter])
			if err != nil {
				return err
			}
			if len(letters) == 0 {
				return nil
			}
			if err := send(letters); err != nil {
				return err
			}
		}
	})
}

type Reminder struct {
	Fine   int64
	Amount string
	Plate  string
}

// Reminders does the same for unpaid fines, which are few.
func (s *Store) Reminders(ctx context.Context, since time.Time) ([]Reminder, error) {
	var reminders []Reminder
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT open_unpaid($1::date)`, since); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `FETCH ALL FROM unpaid`)
		if err != nil {
			return err
		}
		reminders, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Reminder])
		return err
	})
	return reminders, err
}
