// Package ingest registers the frames that the cameras write.
package ingest

import (
	"context"
	"io"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Frame struct {
	Path string
	Sum  string
}

// Sums are compared with the checksums in the camera's log.
func Sums(ctx context.Context, pool *pgxpool.Pool, observation int64) ([]Frame, error) {
	rows, err := pool.Query(ctx, `
		SELECT f.path,
		       crc32(f.header) AS sum
		  FROM frames f
		 WHERE f.observation_id = $1
		 ORDER BY f.path`, observation)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Frame])
}

// Bucket is the directory below which a frame's preview is kept.
func Bucket(ctx context.Context, pool *pgxpool.Pool, id int64) (bucket int, err error) {
	err = pool.QueryRow(ctx, `SELECT crc32c(f.path) FROM frames f WHERE f.id = $1`, id).Scan(&bucket)
	return bucket, err
}

// Checked is Sums for a single frame.
func Checked(ctx context.Context, pool *pgxpool.Pool, id int64) (sum string, err error) {
	err = pool.QueryRow(ctx, `SELECT public.crc32(f.header) FROM frames f WHERE f.id = $1`, id).Scan(&sum)
	return sum, err
}

// Catalogue loads a list of targets, and leaves out what is too faint.
func Catalogue(ctx context.Context, conn *pgx.Conn, list io.Reader) error {
	_, err := conn.PgConn().CopyFrom(ctx, list,
		`COPY targets (program_id, name, ra, dec, magnitude) FROM STDIN WHERE magnitude < 20`)
	return err
}
