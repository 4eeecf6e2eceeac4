-- When the wheels of a tram have to be turned next.
{{ config(materialized='table') }}

select
    vehicle_no,
    model,
    wheels_turned_on,
    case
        when model like 'GT6%' then wheels_turned_on + interval '1.3 years'
        else wheels_turned_on + interval '1.5 years'
    end                                                  as due_at,
    {{ age_in_years('in_service_since') }}               as age
from {{ source('ref', 'vehicle') }}
where retired_on is null
