// Package debug shows how the address search is planned, for the on-call engineers.
package debug

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const search = "SELECT l.id FROM leases l WHERE l.address <<= '10.0.0.0/8' AND l.during @> now()"

var actualRows = regexp.MustCompile(`\(actual rows=(\d+) loops=(\d+)\)`)

func Plans(pool *pgxpool.Pool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("estimate") {
			var plan string
			if err := pool.QueryRow(r.Context(), "EXPLAIN (FORMAT JSON) "+search).Scan(&plan); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			fmt.Fprintln(w, plan)
			return
		}
		rows, err := pool.Query(r.Context(), "EXPLAIN (ANALYZE, TIMING OFF) "+search)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		lines, _ := pgx.CollectRows(rows, pgx.RowTo[string])
		total := 0
		for _, line := range lines {
			if m := actualRows.FindStringSubmatch(line); m != nil {
				n, _ := strconv.Atoi(m[1])
				loops, _ := strconv.Atoi(m[2])
				total += n * loops
			}
		}
		fmt.Fprintf(w, "%d rows in %d nodes\n", total, len(lines))
	})
}
