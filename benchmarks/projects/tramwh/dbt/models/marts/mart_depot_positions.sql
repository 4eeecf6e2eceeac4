-- Last position of each vehicle, and the depot in whose area it is.
{{ config(materialized='table') }}

with last_seen as (
    select distinct on (vehicle_no) vehicle_no, position, actual_departure
    from {{ source('raw', 'stop_event') }}
    where position is not null
    order by vehicle_no, actual_departure desc nulls last
)

select
    l.vehicle_no,
    v.depot_code          as home_depot,
    d.depot_code          as found_in,
    l.position <-> d.gate as to_gate,
    l.actual_departure    as seen_at
from last_seen l
join {{ source('ref', 'vehicle') }} v on v.vehicle_no = l.vehicle_no
left join {{ source('ref', 'depot') }} d on d.area ~ l.position
