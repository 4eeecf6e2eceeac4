-- Views for the map

CREATE VIEW area_stations AS
    SELECT a.code AS area,
           s.code AS station,
           s.name
      FROM sea_areas a
      JOIN stations s
        ON s.location @ a.extent
     WHERE s.closed_on IS NULL;

CREATE VIEW outline_stations AS
    SELECT a.code AS area,
           s.code AS station
      FROM sea_areas a
      JOIN stations s
        ON a.outline @> s.location;

CREATE VIEW calibration_labels AS
    SELECT c.id,
           c.sensor_id,
           (c.raw_value * 100)::text AS raw_cm,
           (c.true_m * 100)::text AS true_cm,
           @ (c.true_m - c.raw_value::numeric) AS deviation
      FROM calibrations c;

CREATE VIEW sensor_factors AS
    SELECT s.id,
           'factor ' || s.factor AS factor,
           s.every::text AS every
      FROM sensors s;

CREATE VIEW last_readings AS
    SELECT DISTINCT ON (r.station_id)
           r.station_id,
           r.measured_at,
           r.level_m,
           level_class(r.level_m) AS class
      FROM readings r
     ORDER BY r.station_id, r.measured_at DESC;

CREATE MATERIALIZED VIEW station_months AS
    SELECT r.station_id,
           date_trunc('month', r.measured_at AT TIME ZONE 'UTC')::date AS month,
           count(*) AS readings,
           min(r.level_m) AS lowest,
           max(r.level_m) AS highest
      FROM readings r
     GROUP BY 1, 2;
CREATE UNIQUE INDEX station_months_key ON station_months (station_id, month);
