{{ config(materialized='table') }}

SELECT
    r.meter_id,
    r.read_at,
    r.kwh * m.multiplier AS kwh,
    public.band_of(r.read_at) AS band,
    r.quality
FROM {{ source('raw', 'readings') }} r
JOIN {{ source('raw', 'meters') }} m USING (meter_id)
WHERE r.read_at >= '{{ var("first_day") }}'
