{{ config(materialized='table') }}

SELECT
    u.meter_id,
    sum(u.kwh) AS kwh,
    round(sum(u.kwh) * power(1.02, 3), 3) AS expected_kwh,
    util.array_sort(array_agg(u.kwh)) AS highest_first
FROM {{ ref('fct_daily_usage') }} u
GROUP BY u.meter_id
ORDER BY u.meter_id
