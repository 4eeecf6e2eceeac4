// Package plan walks through the queue of a night.
package plan

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type step struct {
	ID       int64
	Name     string
	Exposure int
	Repeats  int
}

// Print reads the queue in portions: the hand paddle shows ten lines.
func Print(ctx context.Context, pool *pgxpool.Pool, night string) error {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, `SELECT open_queue($1::date)`, night); err != nil {
		return err
	}
	for {
		rows, err := tx.Query(ctx, `FETCH 10 FROM queue`)
		if err != nil {
			return err
		}
		steps, err := pgx.CollectRows(rows, pgx.RowToStructByPos[step])
		if err != nil || len(steps) == 0 {
			return err
		}
		for _, s := range steps {
			fmt.Printf("%6d %-20s %4d s x %d\n", s.ID, s.Name, s.Exposure, s.Repeats)
		}
	}
}

// Late says what was not finished by the end of the night.
func Late(ctx context.Context, pool *pgxpool.Pool) ([]int64, error) {
	rows, err := pool.Query(ctx, `
		SELECT o.id
		  FROM observations o
		 WHERE o.done_at IS NULL
		   AND o.night < timestamp '2024-11-05 06:00' + interval '90 minutes ago' -- end of twilight
		 ORDER BY o.id`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}
