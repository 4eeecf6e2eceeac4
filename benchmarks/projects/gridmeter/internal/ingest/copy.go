// Package ingest loads readings.
package ingest

import (
	"context"
	"io"

	"github.com/jackc/pgx/v5"
)

// Readings copies binary rows into the table, but not negative values.
func Readings(ctx context.Context, conn *pgx.Conn, r io.Reader) (int64, error) {
	tag, err := conn.PgConn().CopyFrom(ctx, r,
		"COPY readings (meter_id, taken_at, kwh) FROM STDIN WITH (FORMAT binary) WHERE kwh >= 0")
	if err != nil {
		return 0, err
	}
	return tag.RowsAffected(), nil
}

// Fresh loads a file, but nothing into the default partition.
func Fresh(ctx context.Context, conn *pgx.Conn, r io.Reader) (int64, error) {
	const statement = `COPY readings FROM STDIN WITH (FORMAT binary)
		WHERE tableoid <> 'readings_default'::regclass`
	tag, err := conn.PgConn().CopyFrom(ctx, r, statement)
	if err != nil {
		return 0, err
	}
	return tag.RowsAffected(), nil
}

// Misplaced finds rows of the default partition.
func Misplaced(ctx context.Context, conn *pgx.Conn) (n int64, err error) {
	err = conn.QueryRow(ctx,
		"SELECT count(*) FROM readings WHERE tableoid = 'readings_default'::regclass").Scan(&n)
	return
}

// Outage stores when a message says that power came back. Messages have the
// local abbreviation of India, as the concentrators send it.
func Outage(ctx context.Context, conn *pgx.Conn, meter int64) error {
	if _, err := conn.Exec(ctx, "SET timezone = 'Asia/Kolkata'"); err != nil {
		return err
	}
	_, err := conn.Exec(ctx, `
		INSERT INTO readings (meter_id, taken_at, kwh)
		VALUES ($1, timestamptz '2024-03-01 06:30:00 IST', 0)`, meter)
	return err
}

// Commissioned is the first reading of each meter.
func Commissioned(ctx context.Context, conn *pgx.Conn, meter int64) error {
	_, err := conn.Exec(ctx, `
		INSERT INTO readings (meter_id, taken_at, kwh)
		VALUES ($1, timestamptz '2024-03-01 06:30:00+05:30', 0)`, meter)
	return err
}
