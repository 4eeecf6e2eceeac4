{% macro record_rows(relation, counted) %}
    insert into ops.loads (job, finished_at, rows_in)
    values ('{{ relation }}', now(), {{ counted }})
{% endmacro %}

{% macro database_locale() %}
    {% set q %}
        select d.datcollate, d.datctype from pg_database d where d.datname = current_database()
    {% endset %}
    {{ return(run_query(q)) }}
{% endmacro %}

{% macro number_format() %}
    {{ return(run_query("show lc_numeric")) }}
{% endmacro %}
