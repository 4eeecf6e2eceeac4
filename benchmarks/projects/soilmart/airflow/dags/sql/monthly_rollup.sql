SELECT m.station_code, m.parameter_code, m.month, m.mean, m.readings
  FROM public.monthly_means m
 WHERE m.month >= timestamptz '2024-01-01 00:00+00'
 ORDER BY m.station_code, m.parameter_code, m.month;

DELETE FROM ops.loads WHERE started_at < now() + interval '90 days ago';

SELECT extract(quarter FROM a.applied_on)::int AS quarter, count(*) AS applications
  FROM core.applications a
 GROUP BY 1
 ORDER BY 1;
