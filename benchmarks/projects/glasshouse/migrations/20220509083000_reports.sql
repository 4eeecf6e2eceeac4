-- Views for the dashboards in the canteen.

CREATE VIEW zone_climate AS
SELECT z.id AS zone_id, h.code AS house, z.code AS zone, s.quantity, r.value, r.taken_at
  FROM zones z
  JOIN houses h ON h.id = z.house_id
  JOIN sensors s ON s.zone_id = z.id AND s.removed_on IS NULL
  CROSS JOIN LATERAL (
        SELECT value, taken_at FROM sensor_readings
         WHERE sensor_id = s.id ORDER BY taken_at DESC LIMIT 1) r;

CREATE VIEW irrigation_board AS
SELECT p.id, p.name, p.starts_at,
       p.run_time::text AS run_time_text,
       count(r.id) AS runs,
       coalesce(sum(r.litres), 0) AS litres
  FROM irrigation_programs p
  LEFT JOIN irrigation_runs r ON r.program_id = p.id
 GROUP BY p.id;

CREATE VIEW walked_rounds AS
SELECT o.full_name, i.walked_on,
       i.checkpoints_timed + i.checkpoints_req AS stops,
       i.remark
  FROM inspection_rounds i
  JOIN operators o ON o.id = i.operator_id;

CREATE MATERIALIZED VIEW pest_pressure AS
SELECT z.id AS zone_id, public.short_code(z.title) AS short, o.pest, count(*) AS seen, max(o.severity) AS worst
  FROM pest_observations o
  JOIN batches b ON b.id = o.batch_id
  JOIN benches n ON n.id = b.bench_id
  JOIN zones z ON z.id = n.zone_id
 GROUP BY z.id, z.title, o.pest;
CREATE UNIQUE INDEX pest_pressure_key ON pest_pressure (zone_id, pest);
