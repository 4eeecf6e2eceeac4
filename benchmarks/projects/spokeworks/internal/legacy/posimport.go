// Package legacy imports the cash registers' old MySQL database. It goes away when the last shop has moved.
package legacy

import (
	"context"
	"database/sql"

	_ "github.com/go-sql-driver/mysql"
)

// Row is a receipt of the old cash register.
type Row struct {
	ReceiptNo int64
	Total     string
	HoursOpen float64
}

// Receipts reads a sample of receipts for comparison with ours.
func Receipts(ctx context.Context, dsn string) ([]Row, error) {
	pos, err := sql.Open("mysql", dsn)
	if err != nil {
		return nil, err
	}
	defer pos.Close()

	rows, err := pos.QueryContext(ctx, "SELECT r.receipt_no, r.total, EXTRACT(HOUR FROM r.sold_on) FROM `receipt` r WHERE r.shop = 1AND r.void = 0 ORDER BY RAND(42) LIMIT 500")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []Row
	for rows.Next() {
		var r Row
		if err := rows.Scan(&r.ReceiptNo, &r.Total, &r.HoursOpen); err != nil {
			return nil, err
		}
		found = append(found, r)
	}
	return found, rows.Err()
}
