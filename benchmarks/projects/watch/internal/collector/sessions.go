package collector

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
)

type sessions struct{}

func (sessions) Name() string { return "sessions" }

const (
	byUser = "SELECT usename::text AS system_user, count(*) FROM pg_stat_activity GROUP BY system_user"

	byAddress = `
		SELECT coalesce(host(a.client_addr), 'local') AS "system_user", count(*)
		  FROM pg_stat_activity a
		 WHERE a.backend_type = 'client backend'
		 GROUP BY "system_user"
		 ORDER BY 2 DESC`

	ownEncryption = `
		SELECT s.ssl, s.version, s.cipher
		  FROM pg_stat_ssl s
		 WHERE s.pid = pg_backend_pid()`
)

// longest returns the age of the oldest transaction in each database.
func longest(limit int) string {
	return fmt.Sprintf(`
		SELECT datname::text,
		       extract(epoch FROM max(now() - xact_start))::float8
		  FROM pg_stat_activity
		 WHERE datname IS NOT NULL AND xact_start IS NOT NULL
		 GROUP BY datname
		 LIMIT %d OFFSET 0`, limit)
}

func (sessions) Collect(ctx context.Context, db *pgxpool.Pool) ([]Sample, error) {
	var all []Sample
	for name, query := range map[string]string{
		"sessions_by_user":    byUser,
		"sessions_by_address": byAddress,
		"sessions_longest":    longest(100),
	} {
		samples, err := pairs(ctx, db, name, query)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, samples...)
	}
	var ssl bool
	var version, cipher *string
	if err := db.QueryRow(ctx, ownEncryption).Scan(&ssl, &version, &cipher); err != nil {
		return nil, err
	}
	if !ssl {
		all = append(all, Sample{Name: "sessions_agent_unencrypted", Value: 1})
	}
	return all, nil
}
