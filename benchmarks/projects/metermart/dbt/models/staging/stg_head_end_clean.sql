{{ config(materialized='view') }}

SELECT
    h.message_id,
    replace(h.raw_value, ' ', '')::numeric AS kwh,
    h.quality
FROM {{ source('raw', 'head_end_messages') }} h
WHERE h.quality <> 9 AND h.unit = 'kWh'
ORDER BY h.message_id
