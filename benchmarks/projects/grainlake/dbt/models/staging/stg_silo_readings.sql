{{ config(materialized='incremental') }}

select
    silo_id,
    read_at,
    temperature,
    moisture
from {{ source('raw', 'silo_readings') }}
where moisture between 5 and 40
{% if is_incremental() %}
  and read_at > (select coalesce(max(read_at), '-infinity'::timestamptz) from {{ this }})
{% endif %}
