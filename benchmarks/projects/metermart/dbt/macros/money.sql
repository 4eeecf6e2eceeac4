{% macro rupees(column) %}
    round(({{ column }})::numeric, 2)
{% endmacro %}

{% macro local_day(column) %}
    ({{ column }} AT TIME ZONE 'Asia/Kolkata')::date
{% endmacro %}
