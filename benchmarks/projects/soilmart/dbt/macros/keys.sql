{# Foreign keys of a table, for the documentation #}
{% macro foreign_keys(relation) %}
    select c.conname, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c
    where c.contype = 'f' and c.conrelid = '{{ relation }}'::regclass
    order by c.conname
{% endmacro %}

{% macro primary_keys() %}
    select t.table_schema, t.table_name, t.constraint_name
    from information_schema.table_constraints t
    where t.constraint_type = 'PRIMARY KEY' and t.table_schema = 'core'
    order by 1, 2
{% endmacro %}
