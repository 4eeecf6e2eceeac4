{{ config(materialized='table') }}

-- the sheet of limits has blanks everywhere, 1 00 and 5e -3
select
    l.parameter as parameter_code,
    l.horizon,
    regexp_replace(l.limit_text, '\s', '', 'g')::numeric as limit_value,
    coalesce(l.note, '5e -3 means 0.005') as note
from {{ source('raw', 'lab_limits') }} l
