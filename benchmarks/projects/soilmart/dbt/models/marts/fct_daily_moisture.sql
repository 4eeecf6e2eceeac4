{{ config(materialized='table') }}

-- days as the people at the station count them, not in IST for all
select
    m.station_code,
    (m.measured_at at time zone s.timezone)::date as day,
    m.depth_cm,
    avg(m.value) as mean
from {{ source('core', 'measurements') }} m
join {{ ref('dim_station') }} s on s.station_code = m.station_code
where m.parameter_code = 'SM'
  and m.measured_at > timestamptz '2024-07-01 00:00+00' - interval '1 year'
group by 1, 2, 3
