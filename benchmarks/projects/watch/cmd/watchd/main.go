package main

import (
	"context"
	"flag"
	"log"
	"os/signal"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"git.ops.internal/dba/watch/internal/collector"
	"git.ops.internal/dba/watch/internal/store"
)

func main() {
	dsn := flag.String("target", "", "connection string of the monitored instance")
	own := flag.String("store", "", "connection string of the agent's database")
	every := flag.Duration("every", 30*time.Second, "polling interval")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()

	target, err := pgxpool.New(ctx, *dsn)
	if err != nil {
		log.Fatalf("target: %v", err)
	}
	defer target.Close()
	st, err := store.Open(ctx, *own)
	if err != nil {
		log.Fatalf("store: %v", err)
	}
	defer st.Close()

	tick := time.NewTicker(*every)
	defer tick.Stop()
	for {
		for _, c := range collector.All {
			samples, err := c.Collect(ctx, target)
			if err != nil {
				log.Printf("%s: %v (num_dead_tuples is missing on a standby)", c.Name(), err)
				continue
			}
			if err := st.Write(ctx, c.Name(), samples); err != nil {
				log.Printf("store %s: %v", c.Name(), err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
