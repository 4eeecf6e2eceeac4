package main

import (
	"context"
	"log"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/spokeworks/franchise/internal/dbadmin"
	"github.com/spokeworks/franchise/internal/store"
)

// The worker prepares royalty statements at night. It keeps away from the database while a base backup runs.
func main() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatalf("database: %v", err)
	}
	defer pool.Close()

	s := store.New(pool)
	for range time.Tick(15 * time.Minute) {
		busy, err := dbadmin.BackupRunning(ctx, pool)
		if err != nil {
			log.Printf("pg_stop_backup() may have been forgotten: %v", err)
			continue
		}
		if busy {
			continue
		}
		if err := s.CloseMonth(ctx, time.Now().AddDate(0, -1, 0)); err != nil {
			log.Printf("royalties: %v", err)
		}
	}
}
