select
    s.site_id,
    s.name as site_name,
    s.location,
    r.region_code,
    s.attributes -> 'dryer' = 'yes' as dryer
from {{ source('raw', 'sites') }} s
left join {{ source('raw', 'regions') }} r
    on s.location @ r.outline
