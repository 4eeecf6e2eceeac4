// Package metrics exports what the on-call colleague wants to see of the database.
package metrics

import (
	"context"
	"log"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
)

type Collector struct {
	pool     *pgxpool.Pool
	version  int
	written  *prometheus.Desc
	waiting  *prometheus.Desc
	requests *prometheus.Desc
}

func NewCollector(pool *pgxpool.Pool, version int) *Collector {
	return &Collector{
		pool:     pool,
		version:  version,
		written:  prometheus.NewDesc("parking_buffers_written_total", "Buffers written by checkpoints", nil, nil),
		waiting:  prometheus.NewDesc("parking_sessions_idle", "Sessions that wait for us", nil, nil),
		requests: prometheus.NewDesc("parking_checkpoints_requested_total", "Checkpoints on request", nil, nil),
	}
}

func (c *Collector) Describe(ch chan<- *prometheus.Desc) {
	ch <- c.written
	ch <- c.waiting
	ch <- c.requests
}

// requested counts the checkpoints that something asked for.
func (c *Collector) requested(ctx context.Context) (n int64, err error) {
	if c.version >= 170000 {
		err = c.pool.QueryRow(ctx, "SELECT num_requested FROM pg_stat_checkpointer").Scan(&n)
	} else {
		err = c.pool.QueryRow(ctx, "SELECT checkpoints_req FROM pg_stat_bgwriter").Scan(&n)
	}
	return n, err
}

func (c *Collector) Collect(ch chan<- prometheus.Metric) {
	ctx := context.Background()
	var buffers, idle int64
	row := c.pool.QueryRow(ctx, `
		SELECT buffers_checkpoint
		  FROM pg_stat_bgwriter`)
	if err := row.Scan(&buffers); err != nil {
		log.Printf("metrics: buffers: %v", err)
	} else {
		ch <- prometheus.MustNewConstMetric(c.written, prometheus.CounterValue, float64(buffers))
	}
	row = c.pool.QueryRow(ctx, `
		SELECT count(*) FROM pg_stat_activity
		 WHERE datname = current_database() AND wait_event = 'ClientRead'`)
	if err := row.Scan(&idle); err != nil {
		log.Printf("metrics: sessions: %v", err)
	} else {
		ch <- prometheus.MustNewConstMetric(c.waiting, prometheus.GaugeValue, float64(idle))
	}
	if n, err := c.requested(ctx); err == nil {
		ch <- prometheus.MustNewConstMetric(c.requests, prometheus.CounterValue, float64(n))
	}
}

// History returns the samples of the last days for the capacity report.
func (c *Collector) History(ctx context.Context, days int) (map[string]int64, error) {
	rows, err := c.pool.Query(ctx, `
		SELECT to_char(taken_at, 'YYYY-MM-DD'),
		       max(checkpoints_timed)
		  FROM db_samples
		 WHERE taken_at > now() - $1 * interval '1 day'
		 GROUP BY 1`, days)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[string]int64{}
	for rows.Next() {
		var day string
		var n int64
		if err := rows.Scan(&day, &n); err != nil {
			return nil, err
		}
		found[day] = n
	}
	return found, rows.Err()
}
