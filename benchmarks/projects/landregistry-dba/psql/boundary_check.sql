-- Checks of geometry, run before each publication of the cadastral index map.
\set ON_ERROR_STOP on
\set tolerance 5
\pset format aligned

\echo 'parcels whose centroid is outside of their district'
SELECT p.parcel_id, d.code
  FROM registry.parcel p
  JOIN registry.district d USING (district_id)
 WHERE NOT (p.centroid @ d.extent)
 ORDER BY p.parcel_id;

\echo 'parcels whose centroid is outside of their own extent'
SELECT p.parcel_id
  FROM registry.parcel p
 WHERE NOT (p.centroid <@ p.extent)
 ORDER BY p.parcel_id;

\echo 'parcels in more than one district'
SELECT p.parcel_id, count(*) AS districts
  FROM registry.parcel p
  JOIN registry.district d ON d.extent && p.extent
 WHERE NOT (d.extent @> p.extent)
 GROUP BY p.parcel_id
 ORDER BY p.parcel_id;

\echo 'areas that differ from the previous survey by more than the tolerance (in square metres)'
SELECT p.parcel_id, p.area_m2
  FROM registry.parcel p
  JOIN registry.survey_plan s USING (parcel_id)
 WHERE @ (p.area_m2 - (SELECT (max(m.easting) - min(m.easting)) * (max(m.northing) - min(m.northing))
                         FROM registry.plan_mark m
                        WHERE m.plan_id = s.plan_id)) > :tolerance
 ORDER BY p.parcel_id;

\echo 'proprietors without a valid e-mail address'
SELECT r.proprietor_id, r.name
  FROM registry.proprietor r
 WHERE r.email IS NULL OR r.email !~ '^[^@]+@[^@]+$'
 ORDER BY r.proprietor_id;

-- Fingerprints of the parcels. The publisher compares them with those that it has.
\echo 'fingerprints'
SELECT p.parcel_id,
       md5(p.lot_no::text || '/' || p.area_m2::text) AS register_print,
       md5(p.computed_area::text) AS survey_print,
       md5(d.code || d.name) AS district_print
  FROM registry.parcel p
  JOIN registry.district d USING (district_id)
 ORDER BY p.parcel_id;

SELECT s.plan_no, md5(string_agg(m.easting::text || ' ' || m.northing::text, ',' ORDER BY m.mark_no)) AS plan_print
  FROM registry.survey_plan s
  JOIN registry.plan_mark m USING (plan_id)
 GROUP BY s.plan_no
 ORDER BY s.plan_no;
