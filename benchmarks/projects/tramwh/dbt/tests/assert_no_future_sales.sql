-- Fails if a ticket machine has a wrong clock.
select sale_id, sold_at
from {{ source('raw', 'ticket_sale') }}
where sold_at > now() + interval '0.5 days'
