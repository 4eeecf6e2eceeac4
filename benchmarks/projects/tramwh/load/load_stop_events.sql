-- psql -v day=2023-05-14 -v batch=b20230514 -f load/load_stop_events.sql < stop_events.csv
\set ON_ERROR_STOP on
BEGIN;
CREATE TEMP TABLE incoming (LIKE raw.stop_event INCLUDING DEFAULTS) ON COMMIT DROP;
\copy incoming (event_id, service_date, line_no, run_no, vehicle_no, stop_code, direction, planned_departure, actual_arrival, actual_departure, boarded, position) FROM pstdin WITH (FORMAT csv, HEADER)

DELETE FROM raw.stop_event WHERE service_date = :'day';

INSERT INTO raw.stop_event
SELECT event_id, service_date, line_no, run_no, vehicle_no, stop_code, direction,
       planned_departure, actual_arrival, actual_departure, boarded, position, :'batch'
  FROM incoming
 WHERE service_date = :'day';

INSERT INTO dwh.fact_stop_event
SELECT service_date, line_no, stop_code, count(*),
       count(*) FILTER (WHERE actual_departure > planned_departure + interval '3 minutes'),
       sum(boarded)
  FROM raw.stop_event
 WHERE service_date = :'day'
 GROUP BY service_date, line_no, stop_code;
COMMIT;
