{{ config(materialized='incremental', unique_key='message_id') }}

select
    m.id as message_id,
    m.station_code,
    m.payload ->> 'parameter' as parameter_code,
    jsonb_typeof(m.payload -> 'depth') as depth_type,
    crc32(m.body) as checksum,
    length(m.body) as body_length,
    m.received_at
from {{ source('raw', 'logger_messages') }} m
{% if is_incremental() %}
where m.id > (select coalesce(max(message_id), 0) from {{ this }})
{% endif %}
