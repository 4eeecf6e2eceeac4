package collector

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Sample is one measured value.
type Sample struct {
	Name   string
	Labels map[string]string
	Value  float64
}

// Collector reads one group of metrics.
type Collector interface {
	Name() string
	Collect(ctx context.Context, db *pgxpool.Pool) ([]Sample, error)
}

// All is the list of collectors in the order in which they run.
var All = []Collector{
	&instance{}, &bgwriter{}, &waits{}, &sessions{}, &planner{}, &tables{},
}

type base struct{ name string }

func (b base) Name() string { return b.name }

// serverVersion returns server_version_num, such as 120022.
func serverVersion(ctx context.Context, db *pgxpool.Pool) (int, error) {
	var version int
	err := db.QueryRow(ctx, "SELECT current_setting('server_version_num')::int").Scan(&version)
	return version, err
}

func pairs(ctx context.Context, db *pgxpool.Pool, prefix, sql string, args ...any) ([]Sample, error) {
	rows, err := db.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (Sample, error) {
		s := Sample{Labels: map[string]string{}}
		var label string
		err := row.Scan(&label, &s.Value)
		s.Name, s.Labels["of"] = prefix, label
		return s, err
	})
}
