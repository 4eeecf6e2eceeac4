{{ config(materialized='table') }}

select
    r.id as result_id,
    r.sample_no,
    upper(r.parameter) as parameter_code,
    r.raw_value::numeric as value,
    coalesce(r.unit, p.unit) as unit
from {{ source('raw', 'lab_results') }} r
join {{ source('core', 'parameters') }} p on p.code = upper(r.parameter)
where r.raw_value is not null
order by r.id
