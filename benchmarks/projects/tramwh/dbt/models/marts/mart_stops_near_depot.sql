select
    d.depot_code,
    s.stop_code,
    s.name,
    s.zone
from {{ source('ref', 'stop') }} s
join {{ source('ref', 'depot') }} d on s.position <@ d.area
where s.name !~ '^\(closed\)'
