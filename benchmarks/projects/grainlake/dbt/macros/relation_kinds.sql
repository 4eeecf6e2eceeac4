{% macro relation_kinds(schema) %}

select c.relname::text as name, 'table or view'::text as what, c.relkind::text as kind
from pg_catalog.pg_class c
where c.relnamespace = '{{ schema }}'::regnamespace and c.relkind in ('r', 'v', 'm', 'p')

{% endmacro %}
