{# For the documentation site: what is a table, what is a view #}
{% macro relation_kinds(schema_name) %}
    {% set kinds %}
        select c.relname,
               coalesce(obj_description(c.oid, 'pg_class'), c.relkind::text) as remark,
               case when c.relispartition then 'partition' else c.relkind::text end as kind
          from pg_catalog.pg_class c
         where c.relnamespace = '{{ schema_name }}'::regnamespace
         order by 1
    {% endset %}
    {{ return(run_query(kinds)) }}
{% endmacro %}
