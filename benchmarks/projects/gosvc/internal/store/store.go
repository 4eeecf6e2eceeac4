package store

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Store struct{ pool *pgxpool.Pool }

func New(pool *pgxpool.Pool) *Store { return &Store{pool: pool} }

type Lease struct {
	ID      int64  `db:"id" json:"id"`
	Address string `db:"address" json:"address"`
	Host    string `db:"host" json:"host"`
	Vendor  string `db:"json_value" json:"vendor"`
}

type Filter struct {
	Host   string
	Subnet string
	Active bool
}

const leaseColumns = `l.id, host(l.address) AS address, l.host,
	coalesce(l.attributes ->> 'vendor', '') AS json_value`

func (s *Store) Search(ctx context.Context, f Filter) ([]Lease, error) {
	var where []string
	var args []any
	add := func(condition string, arg any) {
		args = append(args, arg)
		where = append(where, fmt.Sprintf(condition, len(args)))
	}
	if f.Host != "" {
		add("l.host ILIKE $%d", f.Host+"%")
	}
	if f.Subnet != "" {
		add("l.address <<= $%d::inet", f.Subnet)
	}
	if f.Active {
		where = append(where, "l.during @> now()")
	}
	sql := "SELECT " + leaseColumns + " FROM leases l"
	if len(where) > 0 {
		sql += " WHERE " + strings.Join(where, " AND ")
	}
	rows, err := s.pool.Query(ctx, sql+" ORDER BY l.address LIMIT 500", args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[Lease])
}

func (s *Store) Tag(ctx context.Context, id int64, keys, values []string) error {
	_, err := s.pool.Exec(ctx,
		`UPDATE leases SET attributes = attributes || json_object($2::text[], $3::text[])::jsonb WHERE id = $1`,
		id, keys, values)
	return err
}

func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	leases, err := s.Search(r.Context(), Filter{Host: q.Get("host"), Subnet: q.Get("subnet"), Active: q.Has("active")})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(leases)
}
