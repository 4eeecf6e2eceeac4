package main

import (
	"context"
	"log/slog"
	"net/http"
	"os"

	"github.com/golang-migrate/migrate/v4"
	_ "github.com/golang-migrate/migrate/v4/database/pgx/v5"
	_ "github.com/golang-migrate/migrate/v4/source/file"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"example.com/net/ipam/internal/debug"
	"example.com/net/ipam/internal/metrics"
	"example.com/net/ipam/internal/store"
)

func main() {
	ctx := context.Background()
	dsn := os.Getenv("DATABASE_URL")

	m, err := migrate.New("file:///db/migrations", dsn)
	if err == nil {
		err = m.Up()
	}
	if err != nil && err != migrate.ErrNoChange {
		slog.Error("migrations", "error", err)
		os.Exit(1)
	}

	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		slog.Error("connect", "error", err)
		os.Exit(1)
	}
	defer pool.Close()

	prometheus.MustRegister(metrics.NewPostgres(pool))
	http.Handle("/metrics", promhttp.Handler())
	http.Handle("/leases", store.New(pool))
	http.Handle("/debug/plan", debug.Plans(pool))
	slog.Error("serve", "error", http.ListenAndServe(":8080", nil))
}
