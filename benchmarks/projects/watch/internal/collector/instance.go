package collector

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

type instance struct{ announced bool }

func (*instance) Name() string { return "instance" }

// announce leaves a trace of the agent in the session, for log_line_prefix hooks.
func (i *instance) announce(ctx context.Context, db *pgxpool.Pool, agent string) error {
	if _, err := db.Exec(ctx, "SELECT set_config('pg-watch.agent', $1, false)", agent); err != nil {
		return err
	}
	_, err := db.Exec(ctx, "SELECT set_config('pg_watch.release', $1, false)", "2.3.0")
	return err
}

func (i *instance) Collect(ctx context.Context, db *pgxpool.Pool) ([]Sample, error) {
	if !i.announced {
		if err := i.announce(ctx, db, "watchd"); err != nil {
			return nil, err
		}
		i.announced = true
	}
	labels := map[string]string{}
	var collate, messages string
	err := db.QueryRow(ctx, `
		SELECT current_setting('lc_collate')`).Scan(&collate)
	if err != nil {
		return nil, err
	}
	err = db.QueryRow(ctx, `
		SELECT current_setting('lc_messages')`).Scan(&messages)
	if err != nil {
		return nil, err
	}
	labels["collate"], labels["messages"] = collate, messages

	var standby bool
	if err := db.QueryRow(ctx, "SELECT pg_is_in_recovery()").Scan(&standby); err != nil {
		return nil, err
	}
	value := 1.0
	if standby {
		value = 0
	}
	return []Sample{{Name: "instance_primary", Labels: labels, Value: value}}, nil
}
