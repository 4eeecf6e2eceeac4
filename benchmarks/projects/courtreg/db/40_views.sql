SET search_path = registry, public;

CREATE VIEW registry.open_case AS
SELECT c.case_id, c.case_no, c.court_code, t.name AS type_name, c.status, c.filed_on,
       registry.is_stale(c.case_id) AS stale
  FROM registry.court_case c
  JOIN registry.case_type t USING (type_code)
 WHERE c.status NOT IN ('decided', 'closed');

CREATE VIEW registry.filing_channel AS
SELECT case_id,
       case_no,
       json_value(payload, 'channel') AS channel
  FROM registry.court_case;

CREATE VIEW registry.filing_language AS
SELECT case_id,
       coalesce(registry.json_value(payload, 'language'), 'nl') AS language
  FROM registry.court_case;

CREATE VIEW registry.upcoming_hearing AS
SELECT h.hearing_id, c.case_no, h.room, h.starts_at, h.starts_at + h.lasts AS ends_at
  FROM registry.hearing h
  JOIN registry.court_case c USING (case_id)
 WHERE NOT h.cancelled AND h.starts_at >= CURRENT_DATE;

-- The clerks' program of 2004 deletes hearings; they must stay on record.
CREATE RULE cancel_hearing AS ON DELETE TO registry.upcoming_hearing
    DO INSTEAD UPDATE registry.hearing SET cancelled = true WHERE hearing_id = OLD.hearing_id;

CREATE RULE enter_case_type AS ON UPDATE TO registry.case_type
    WHERE NEW.type_code <> OLD.type_code
    DO INSTEAD NOTHING;

CREATE MATERIALIZED VIEW registry.court_load AS
SELECT court_code, count(*) AS cases, count(*) FILTER (WHERE status = 'stayed') AS stayed
  FROM registry.court_case
 GROUP BY court_code
  WITH NO DATA;
