{{ config(materialized='table') }}

select
    s.code as station_code,
    s.name,
    s.country,
    s.timezone,
    array_sort(s.depths_cm) as depths_cm,
    cardinality(public.array_sort(s.depths_cm)) as levels,
    s.installed_on,
    extract(quarter from s.installed_on)::int as installed_quarter
from {{ source('core', 'stations') }} s
