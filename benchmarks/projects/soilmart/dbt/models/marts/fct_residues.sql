{{ config(materialized='table') }}

-- Loses its share each day: what is left of each application on the day of the report
select
    a.id as application_id,
    a.station_code,
    a.substance_code,
    date '{{ var("residues_as_of") }}' as as_of,
    a.dose_g_ha
        * power(1 - s.daily_loss, date '2024-07-01' - a.applied_on)
        as remaining_g_ha
from {{ source('core', 'applications') }} a
join {{ source('core', 'substances') }} s on s.code = a.substance_code
order by a.id
