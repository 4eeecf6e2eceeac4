{{ config(materialized='table') }}

{% set open_until = "timestamptz '2024-04-01 00:00+00'" %}

SELECT
    o.feeder,
    count(*) AS outages,
    sum(extract(epoch FROM coalesce(o.ended_at, {{ open_until }}) - o.began_at) / 60)::int AS minutes,
    extract(quarter FROM min(o.began_at))::int AS quarter
FROM {{ source('raw', 'outages') }} o
WHERE o.began_at > timestamptz '2024-03-31 00:00+00' + interval '60 days ago'
GROUP BY o.feeder
ORDER BY o.feeder
