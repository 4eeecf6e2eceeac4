CREATE VIEW open_tickets AS
SELECT t.id, t.account_id, t.stake, leg.selection_id
  FROM tickets t
 CROSS JOIN LATERAL unnest(t.legs) AS leg (selection_id)
 WHERE t.settled_at IS NULL;

CREATE VIEW turnover AS
SELECT date_part('year', placed_at) AS year, sport, sum(stake) AS staked
  FROM tickets t
  JOIN selections s ON s.id = t.legs[1]
  JOIN events e ON e.id = s.event_id
 GROUP BY 1, 2;
