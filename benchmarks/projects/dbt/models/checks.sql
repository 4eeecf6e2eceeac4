-- pg_is_in_backup() is checked by the operators, not here
select
    a.attname,
    t.typname,
    p.proname,
    pg_get_function_identity_arguments(p.oid) as arguments
from pg_catalog.pg_attribute a
join pg_catalog.pg_type t on t.oid = a.atttypid
cross join pg_catalog.pg_proc p
where p.proname = 'date_part' and a.attrelid = 'raw.events'::regclass
