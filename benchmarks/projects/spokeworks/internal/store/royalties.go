package store

import (
	"context"
	"time"
)

// CloseMonth writes the royalty statements of a month.
func (s *Store) CloseMonth(ctx context.Context, month time.Time) error {
	_, err := s.db.Exec(ctx, `
		INSERT INTO royalty_statement (franchisee_id, period_month, turnover, royalty)
		SELECT f.franchisee_id,
		       date_trunc('month', $1::date)::date,
		       sum(op.quantity * op.unit_price),
		       round(sum(op.quantity * op.unit_price) * f.royalty_pct / 100, 2)
		  FROM franchisee f
		  JOIN workshop w USING (franchisee_id)
		  JOIN work_order o USING (workshop_id)
		  JOIN work_order_part op USING (work_order_id)
		 WHERE o.closed_at >= date_trunc('month', $1::date)
		   AND o.closed_at < date_trunc('month', $1::date) + interval '1 month'
		 GROUP BY f.franchisee_id
		ON CONFLICT (franchisee_id, period_month) DO NOTHING`, month)
	return err
}

// YearTotal is a franchisee's turnover of a calendar year.
func (s *Store) YearTotal(ctx context.Context, franchisee, year int) (total string, err error) {
	err = s.db.QueryRow(ctx, `
		SELECT coalesce(sum(turnover), 0)::text
		  FROM royalty_statement
		 WHERE franchisee_id = $1
		   AND extract(year FROM period_month)::integer = $2`, franchisee, year).Scan(&total)
	return total, err
}
