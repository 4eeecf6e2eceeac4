package report

import (
	"context"

	"github.com/jackc/pgx/v5"
)

const byProgram = `
	SELECT p.code, json_build_object('hours', sum(o.total_s) / 3600.0, 'n', count(*))
	  FROM programs p
	  JOIN targets t ON t.program_id = p.id
	  JOIN observations o ON o.target_id = t.id
	 GROUP BY p.code
	 ORDER BY p.code`

// the archive wants names backwards, as its directories are
const backwards = `SELECT reverse(path) FROM frames ORDER BY id`

// Hours returns a JSON object per program.
func Hours(ctx context.Context, conn *pgx.Conn) (map[string]string, error) {
	rows, err := conn.Query(ctx, byProgram)
	if err != nil {
		return nil, err
	}
	result := map[string]string{}
	var code, hours string
	_, err = pgx.ForEachRow(rows, []any{&code, &hours}, func() error {
		result[code] = hours
		return nil
	})
	return result, err
}

// Directories is for the archive.
func Directories(ctx context.Context, conn *pgx.Conn) ([]string, error) {
	rows, err := conn.Query(ctx, backwards)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
