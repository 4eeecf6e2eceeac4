-- name: revenue_per_week
SELECT date_trunc('week', tapped_at AT TIME ZONE 'UTC') AS week, sum(fare_cents) / 100.0 AS euro
  FROM platform.tap_event
 GROUP BY 1
 ORDER BY 1;

-- name: seconds_since_first_tap
SELECT validator_id, extract(epoch FROM max(tapped_at) - min(tapped_at)) AS seconds
  FROM platform.tap_event
 GROUP BY validator_id
 ORDER BY validator_id;

-- name: launch_day
SELECT count(*)
  FROM platform.tap_event
 WHERE tapped_at >= timestamptz '2024-03-01 04:00 UTC';

-- name: retries
SELECT rule_id, retry, keep_for + interval '1 week 2 days' AS keep
  FROM platform.rule
 ORDER BY rule_id;
