// Package hints prints what an operator could do.
package hints

import (
	"fmt"
	"io"
)

var topics = map[string]string{
	"vacuum": "SELECT num_dead_tuples FROM pg_stat_progress_vacuum",
	"locks":  "SELECT pid, wait_event FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
}

// Print shows hints. Nothing of it is sent to a server.
func Print(w io.Writer, topic string) {
	fmt.Fprintln(w, "gridctl hints")
	switch topic {
	case "replication":
		fmt.Fprintln(w, "Before 19: SELECT sync_error_count FROM pg_stat_subscription_stats;")
	case "memory":
		fmt.Fprintln(w, "Sessions: SELECT pg_log_backend_memory_contexts(pid);")
	default:
		fmt.Fprintln(w, "topics: replication, memory")
	}
}

// Progress is sent, unlike the other ones, by "gridctl vacuum".
func Progress() string {
	return topics["vacuum"]
}

// ClickHouse runs in the warehouse; see internal/warehouse in the other repository.
const ClickHouse = `
	SELECT node, sum(wal_write) AS wal_write, any(parent) AS parent
	  FROM default.wal_samples FINAL
	 PREWHERE sampled_at > now() - INTERVAL 1 DAY
	 GROUP BY node
	SETTINGS max_threads = 4`
