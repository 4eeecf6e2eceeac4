// Command gridctl: jobs by hand.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"

	"github.com/jackc/pgx/v5"

	"example.org/gridmeter/internal/hints"
)

const usage = `usage: gridctl [-topic NAME] vacuum|segment|analyze

  vacuum   progress of VACUUM
  segment  the segment to archive, by pg_walfile_name()
  analyze  statistics of all partitions
`

func main() {
	topic := flag.String("topic", "", "print hints: replication, memory")
	flag.Usage = func() { fmt.Fprint(os.Stderr, usage) }
	flag.Parse()
	if *topic != "" {
		hints.Print(os.Stdout, *topic)
		return
	}
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close(ctx)
	switch flag.Arg(0) {
	case "vacuum":
		var dead int64
		if err := conn.QueryRow(ctx, hints.Progress()).Scan(&dead); err == pgx.ErrNoRows {
			fmt.Println("no VACUUM is running")
		}
	case "segment":
		var name string
		err = conn.QueryRow(ctx, "SELECT pg_walfile_name(pg_switch_wal())").Scan(&name)
		fmt.Println(name, err)
	case "position":
		var position string
		err = conn.QueryRow(ctx, "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text").Scan(&position)
		fmt.Println(position, err)
	case "lsn":
		var text string
		err = conn.QueryRow(ctx, "SELECT lower(pg_current_wal_lsn()::text)").Scan(&text)
		fmt.Println(text, err)
	case "analyze":
		_, err = conn.Exec(ctx, "ANALYZE readings")
		fmt.Println(err)
	default:
		flag.Usage()
	}
}
