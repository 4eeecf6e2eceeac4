select l.parameter_code
from core.parameter_limits l
left join {{ source('core', 'parameters') }} p on p.code = l.parameter_code
where p.code is null or l.low > l.high
