-- name: staff_seen
-- the list beside the shift plan, in the order of the logins
SELECT u.login AS system_user, u.display_name, u.last_seen
  FROM system_users u
 WHERE u.active
 ORDER BY system_user;

-- name: staff_of_port
SELECT d."system_user", d.display_name
  FROM desk_staff d
 WHERE d.port = %(port)s
 ORDER BY d.system_user;

-- name: audit_of_row
SELECT a.at, a.actor AS system_user, a.action
  FROM audit_log a
 WHERE a.table_name = %(table)s AND a.row_id = %(id)s
 ORDER BY a.at, a.id;

-- name: cards_to_renew
-- cards run for a year and a half, then they are printed again
SELECT l.number, l.issued_on + interval '1.5 years' AS runs_out
  FROM loyalty_cards l
 ORDER BY l.number;

-- name: cards_to_remind
SELECT l.number, (l.issued_on + interval '13 months' - interval '2.5 days')::date AS remind_on
  FROM loyalty_cards l
 ORDER BY l.number;

-- name: balances
SELECT b.reference, b.due, b.paid, b.due - b.paid AS open
  FROM open_balances b
 WHERE b.due <> b.paid
 ORDER BY b.reference;

-- name: checkout_times
SELECT p.method, max(p.total_time) AS slowest, count(*) AS payments
  FROM payments p
 GROUP BY p.method
 ORDER BY p.method;

-- name: lanes_of_vessel
SELECT d.vessel_id, collect_lanes(d.lanes ORDER BY d.deck_no) AS lanes, collect_distinct(d.height_cm ORDER BY d.deck_no) AS heights
  FROM vessel_decks d
 GROUP BY d.vessel_id
 ORDER BY d.vessel_id;
