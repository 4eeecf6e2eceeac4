package store

import "context"

// AdSources counts new customers by where they heard of us.
func (s *Store) AdSources(ctx context.Context, workshop int) (map[string]int64, error) {
	rows, err := s.db.Query(ctx, `
		SELECT coalesce(c.adsrc, 'unknown'), count(*)
		  FROM customer c
		 WHERE c.workshop_id = $1
		   AND c.created_at > now() - interval '1 year'
		 GROUP BY 1`, workshop)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[string]int64{}
	for rows.Next() {
		var source string
		var n int64
		if err := rows.Scan(&source, &n); err != nil {
			return nil, err
		}
		found[source] = n
	}
	return found, rows.Err()
}

// InvalidEmails counts customers that we can't send a receipt to.
func (s *Store) InvalidEmails(ctx context.Context, workshop int) (n int64, err error) {
	err = s.db.QueryRow(ctx, `
		SELECT count(*) FROM customer
		 WHERE workshop_id = $1
		   AND email !~ '^[^@ ]+@[^@ ]+$'`, workshop).Scan(&n)
	return n, err
}
