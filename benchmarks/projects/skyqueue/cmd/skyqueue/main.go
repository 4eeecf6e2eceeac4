package main

import (
	"context"
	"flag"
	"log"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/monte-claro/skyqueue/internal/monitor"
	"github.com/monte-claro/skyqueue/internal/plan"
)

func main() {
	night := flag.String("night", time.Now().Format("2006-01-02"), "the night that is planned")
	flag.Parse()
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()
	switch flag.Arg(0) {
	case "plan":
		err = plan.Print(ctx, pool, *night)
	case "health":
		err = monitor.Print(ctx, pool)
	default:
		log.Fatalf("unknown command %q", flag.Arg(0))
	}
	if err != nil {
		log.Fatal(err)
	}
}
