package main

import (
	"context"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"example.org/ticketing/internal/monitor"
	"example.org/ticketing/internal/store"
)

const (
	shutdownGrace = 10 * time.Second
	maxBody       = 1_048_576
	flagMask      = 0x1F
)

func main() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatalf("database: %v", err)
	}
	defer pool.Close()

	s := store.New(pool)
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, r *http.Request) {
		if err := monitor.Ping(r.Context(), pool); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		}
	})
	mux.Handle("/events/", http.MaxBytesHandler(s.Handler(), maxBody))

	srv := &http.Server{Addr: ":8080", Handler: mux, ReadHeaderTimeout: shutdownGrace}
	log.Fatal(srv.ListenAndServe())
}
