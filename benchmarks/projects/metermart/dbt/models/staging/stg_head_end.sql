{{ config(materialized='incremental', unique_key='message_id') }}

SELECT
    h.message_id,
    m.meter_id,
    h.batch,
    nullif(btrim(h.raw_value), '')::numeric * m.multiplier AS kwh,
    h.quality,
    h.received_at
FROM {{ source('raw', 'head_end_messages') }} h
LEFT JOIN {{ source('raw', 'meters') }} m ON m.serial = h.serial
WHERE h.unit = 'kWh'
{% if is_incremental() %}
  AND h.received_at > (SELECT max(t.received_at) FROM {{ this }} t)
{% endif %}
