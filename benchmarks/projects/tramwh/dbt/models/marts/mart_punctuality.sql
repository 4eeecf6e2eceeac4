{{ config(materialized='table', indexes=[{'columns': ['line_no', 'stop_code']}]) }}

with departures as (
    select
        service_date,
        line_no,
        stop_code,
        service_hour,
        extract(epoch from actual_departure - planned_departure) as delay_s
    from {{ ref('stg_stop_events') }}
    where actual_departure is not null
)

select
    service_date,
    line_no,
    stop_code,
    service_hour,
    count(*)                                                       as departures,
    count(*) filter (where delay_s > {{ var('late_after_s') }})    as late,
    jsonb_agg(delay_s order by delay_s)                            as delays
from departures
group by 1, 2, 3, 4
