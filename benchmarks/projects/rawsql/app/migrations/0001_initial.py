from django.db import migrations

FORWARD = """
CREATE TABLE app_doc (
    id serial PRIMARY KEY,
    title text,
    body tsvector,
    data jsonb,
    amount numeric(8, 2),
    made timestamptz,
    kind text
);
CREATE FUNCTION app_words(t text) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
    SELECT to_tsvector('english', t)
$$;
CREATE AGGREGATE app_collect(anyelement) (sfunc = array_append, stype = anyarray, initcond = '{}');
CREATE AGGREGATE app_sum(int) (sfunc = int4pl, stype = int, initcond = '0');
"""

REVERSE = """
DROP AGGREGATE app_collect(anyelement);
DROP TABLE app_doc;
"""


class Migration(migrations.Migration):
    operations = [
        migrations.RunSQL(FORWARD, REVERSE),
        migrations.RunSQL("ALTER TABLE app_doc ADD COLUMN tags text[] DEFAULT '{}'"),
        migrations.RunSQL(
            "CREATE INDEX app_doc_body ON app_doc USING gin (body)",
            "DROP INDEX app_doc_body",
        ),
        migrations.RunSQL(
            sql="CREATE OPERATOR # (LEFTARG = text, PROCEDURE = upper)",
            reverse_sql="DROP OPERATOR # (text, NONE)",
        ),
    ]
