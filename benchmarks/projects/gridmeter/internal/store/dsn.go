// Package store opens connections.
package store

import (
	"context"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Config is what the environment gives.
type Config struct {
	Host, Name, User string
	Legacy           bool
}

// DSN without the password, which comes from .pgpass.
func (c Config) DSN() string {
	query := url.Values{}
	query.Set("application_name", "gridmeter")
	query.Set("connect_timeout", "5")
	return (&url.URL{Scheme: "postgres", Host: c.Host, Path: c.Name, User: url.User(c.User), RawQuery: query.Encode()}).String()
}

// Open makes the pool. Imports of the old concentrators send backslashes.
func Open(ctx context.Context, c Config) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(c.DSN())
	if err != nil {
		return nil, fmt.Errorf("dsn: %w", err)
	}
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		if c.Legacy {
			_, err := conn.Exec(ctx, "SET standard_conforming_strings = off")
			return err
		}
		_, err := conn.Exec(ctx, "SET standard_conforming_strings = on")
		return err
	}
	return pgxpool.NewWithConfig(ctx, config)
}

// Tune is called for long reports.
func Tune(ctx context.Context, tx pgx.Tx) error {
	for _, statement := range []string{
		"SET LOCAL work_mem = '256MB'",
		"SET LOCAL enable_nestloop = off",
		"SET LOCAL jit = on",
	} {
		if _, err := tx.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
