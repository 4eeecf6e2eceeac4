// Package raffle draws the winners of contingents.
package raffle

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// The notary gets the seed and repeats the draw a year later: it has to name the same winner.
const pick = `SELECT 1 + floor(random() * $2)::integer FROM (SELECT setseed($1)) AS seeded`

// sample is for the newsletter's "win a seat" picture, nobody checks it
const sample = `SELECT seat_id FROM seats WHERE section_id = $1 ORDER BY random() LIMIT 3`

// lots is the number of orders in which the boxes can be opened
const lots = `
	SELECT (count(*)) !
	  FROM sections
	 WHERE venue_id = $1`

// Draw returns the number of the winning entry.
func Draw(ctx context.Context, tx pgx.Tx, seed float64, entries int) (winner int, err error) {
	err = tx.QueryRow(ctx, pick, seed, entries).Scan(&winner)
	return winner, err
}

func Sample(ctx context.Context, tx pgx.Tx, section int32) ([]int32, error) {
	rows, err := tx.Query(ctx, sample, section)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int32])
}

func Lots(ctx context.Context, tx pgx.Tx, venue int32) (n string, err error) {
	err = tx.QueryRow(ctx, lots, venue).Scan(&n)
	return n, err
}
