package main

import (
	"context"
	"log"
	"net/http"
	"os"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"git.stadtwerk.example/parking/permitd/internal/metrics"
)

func main() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()

	var version int
	if err := pool.QueryRow(ctx, "SELECT current_setting('server_version_num')::int").Scan(&version); err != nil {
		log.Fatal(err)
	}
	prometheus.MustRegister(metrics.NewCollector(pool, version))

	log.Fatal(http.ListenAndServe(os.Getenv("PERMITD_LISTEN"), nil))
}
