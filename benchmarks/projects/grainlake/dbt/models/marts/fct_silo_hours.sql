select
    silo_id,
    date_part('hour', read_at at time zone 'UTC') as hour_of_day,
    avg(temperature) as temperature,
    avg(moisture) as moisture
from {{ ref('stg_silo_readings') }}
group by 1, 2
