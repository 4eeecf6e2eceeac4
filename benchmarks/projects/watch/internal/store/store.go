package store

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"

	"git.ops.internal/dba/watch/internal/collector"
)

// Store is the agent's own database.
type Store struct{ pool *pgxpool.Pool }

// Open connects to the agent's database.
func Open(ctx context.Context, dsn string) (*Store, error) {
	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return nil, err
	}
	return &Store{pool: pool}, nil
}

// Close releases the connections.
func (s *Store) Close() { s.pool.Close() }

const insertSample = `
	INSERT INTO watch.sample (collector, metric, labels, value)
	VALUES ($1, $2, $3::jsonb, $4)`

// Write keeps the samples of one run.
func (s *Store) Write(ctx context.Context, name string, samples []collector.Sample) error {
	for _, each := range samples {
		labels, err := json.Marshal(each.Labels)
		if err != nil {
			return err
		}
		if _, err := s.pool.Exec(ctx, insertSample, name, each.Name, string(labels), each.Value); err != nil {
			return err
		}
	}
	return nil
}

// Expire deletes what is older than a year and a half.
func (s *Store) Expire(ctx context.Context) (int64, error) {
	tag, err := s.pool.Exec(ctx,
		"DELETE FROM watch.sample WHERE taken < now() - interval '1.5 years'")
	return tag.RowsAffected(), err
}

// Owner returns the team that a rule names.
func (s *Store) Owner(ctx context.Context, rule int) (string, error) {
	var owner string
	err := s.pool.QueryRow(ctx,
		`SELECT watch.json_value(r.options, 'owner') FROM watch.rule r WHERE r.id = $1`, rule).Scan(&owner)
	return owner, err
}

// Checkpoints returns the rollup of an instance.
func (s *Store) Checkpoints(ctx context.Context, instance string) (timed, requested int64, err error) {
	err = s.pool.QueryRow(ctx, `
		SELECT sum(h.checkpoints_timed)::bigint, sum(h.requested)::bigint
		  FROM watch.checkpoint_hour h
		 WHERE h.instance = $1`, instance).Scan(&timed, &requested)
	return timed, requested, err
}
