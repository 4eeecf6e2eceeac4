{{ config(materialized='view') }}

select
    event_id,
    service_date,
    ltrim(line_no, '0')                                            as line_no,
    vehicle_no,
    stop_code,
    direction,
    planned_departure,
    actual_departure,
    date_part('epoch', actual_departure - actual_arrival)          as dwell_s,
    extract(hour from planned_departure)::int                      as service_hour,
    position
from {{ source('raw', 'stop_event') }}
where line_no ~ '^[0-9]+[A-Z]?$'
  and service_date >= '{{ var("first_day") }}'
