select
    day,
    extract(month from day) as month,
    extract(hour from day) as hour_of_day,
    extract(hour from occurred_at) as hour_of_event,
    substring(kind from 'a#"%#"b' for '#') as inner_kind,
    kind
from {{ source('raw', 'events') }}
