{{ config(materialized='table') }}

SELECT
    m.meter_id,
    m.serial,
    p.feeder,
    c.segment,
    chr(64 + m.phases) AS phase_class,
    jsonb_build_object('serial', m.serial, 'city', p.city) AS json_object
FROM {{ source('raw', 'meters') }} m
LEFT JOIN {{ source('raw', 'premises') }} p USING (premise_id)
LEFT JOIN {{ source('raw', 'customers') }} c USING (customer_id)
WHERE m.removed_on IS NULL
ORDER BY m.meter_id
