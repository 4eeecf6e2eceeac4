{{ config(materialized='incremental', unique_key=['meter_id', 'day']) }}

SELECT
    r.meter_id,
    {{ local_day('r.read_at') }} AS day,
    sum(r.kwh) AS kwh,
    coalesce(sum(r.kwh) FILTER (WHERE r.band = 'peak'), 0) AS peak_kwh
FROM {{ ref('stg_readings') }} r
WHERE r.quality < 9
{% if is_incremental() %}
  AND r.read_at >= (SELECT max(day) FROM {{ this }})
{% endif %}
GROUP BY r.meter_id, day
