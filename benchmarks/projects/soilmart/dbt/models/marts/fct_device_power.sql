{{ config(materialized='table') }}

select
    d.station_code,
    count(*) as devices,
    sum(d.power) as power,
    min(d.battery_mv) as weakest_mv,
    max(public.to_bin(d.status_flags)) as worst_lamps,
    string_agg(to_bin(d.status_flags & 15, d.serial_no), ', ' order by d.serial_no) as to_bin
from {{ source('core', 'devices') }} d
group by d.station_code
