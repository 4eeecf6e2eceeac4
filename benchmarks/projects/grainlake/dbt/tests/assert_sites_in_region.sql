-- every site lies in a region
select s.site_id
from {{ source('raw', 'sites') }} s
where not exists (
    select 1 from {{ source('raw', 'regions') }} r where s.location <@ r.outline
)
