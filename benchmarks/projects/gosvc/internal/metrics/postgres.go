package metrics

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
)

const (
	bgwriterSQL = `SELECT buffers_clean, buffers_backend, buffers_alloc FROM pg_stat_bgwriter`

	walVolumeSQL = `SELECT wal_records, wal_bytes::bigint FROM pg_stat_wal`

	walSyncSQL = `
		SELECT w.stats_reset,
		       w.wal_write + w.wal_sync
		  FROM pg_stat_wal w`
)

var (
	buffersBackend = prometheus.NewDesc("ipam_pg_buffers_backend", "Buffers written by backends.", nil, nil)
	walBytes       = prometheus.NewDesc("ipam_pg_wal_bytes", "WAL generated.", nil, nil)
	walCalls       = prometheus.NewDesc("ipam_pg_wal_calls", "Writes and syncs of WAL.", nil, nil)
	checkpoints    = prometheus.NewDesc("ipam_pg_checkpoints", "Checkpoints.", nil, nil)
)

type Postgres struct{ pool *pgxpool.Pool }

func NewPostgres(pool *pgxpool.Pool) *Postgres { return &Postgres{pool: pool} }

func (p *Postgres) Describe(ch chan<- *prometheus.Desc) {
	ch <- buffersBackend
	ch <- walBytes
	ch <- walCalls
	ch <- checkpoints
}

func (p *Postgres) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()

	var clean, backend, alloc, records, bytes, calls int64
	var reset *time.Time
	if err := p.pool.QueryRow(ctx, bgwriterSQL).Scan(&clean, &backend, &alloc); err != nil {
		slog.Warn("no buffers_backend in pg_stat_bgwriter", "error", err)
	} else {
		ch <- prometheus.MustNewConstMetric(buffersBackend, prometheus.CounterValue, float64(backend))
	}
	if err := p.pool.QueryRow(ctx, walVolumeSQL).Scan(&records, &bytes); err == nil {
		ch <- prometheus.MustNewConstMetric(walBytes, prometheus.CounterValue, float64(bytes))
	}
	if err := p.pool.QueryRow(ctx, walSyncSQL).Scan(&reset, &calls); err == nil {
		ch <- prometheus.MustNewConstMetric(walCalls, prometheus.CounterValue, float64(calls))
	}
	if n, err := p.checkpoints(ctx); err == nil {
		ch <- prometheus.MustNewConstMetric(checkpoints, prometheus.CounterValue, float64(n))
	}
}

func (p *Postgres) checkpoints(ctx context.Context) (n int64, err error) {
	var version int
	err = p.pool.QueryRow(ctx, "SELECT current_setting('server_version_num')::int").Scan(&version)
	if err != nil {
		return 0, err
	}
	if version >= 170000 {
		err = p.pool.QueryRow(ctx, "SELECT num_timed + num_requested FROM pg_stat_checkpointer").Scan(&n)
	} else {
		err = p.pool.QueryRow(ctx, "SELECT checkpoints_timed + checkpoints_req FROM pg_stat_bgwriter").Scan(&n)
	}
	return n, err
}
