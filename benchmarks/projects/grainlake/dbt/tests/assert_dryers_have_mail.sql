select site_id
from {{ source('raw', 'sites') }}
where attributes @> 'dryer=>yes'
  and (email is null or split_part(email, '@', 2) !~ '\.')
