"""Names that a major gives to new built-in objects: an application's object of that name is hidden or refused."""

from pytest_pgfeatures import Row
from pytest_pgfeatures.affects import Constant, ParseNode, RefusedWith
from pytest_pgfeatures.atlas.in_catalogs import configurations


def hiding_configurations(major, *languages):
    """Make a row for built-in text search configurations that hide an application's, unless calls name the schema.

    Parameters:
        major: the first one that has them.
        languages: their names; the row creates and looks up the first one.
    """
    first = languages[0]
    created = configurations(
        f"c.cfgname::text IN ({', '.join(map(repr, languages))})",
        *languages,
        may="without a schema, the name means PostgreSQL's",
    )
    return Row(
        (),
        "text-search-configurations",
        f"SELECT oid = '{first}'::regconfig FROM pg_ts_config WHERE cfgname = '{first}'"
        " AND cfgnamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'public')",
        before=True,
        after=False,
        since=major,
        setup=f"CREATE TEXT SEARCH CONFIGURATION public.{first} (COPY = simple)",
        title=f"PostgreSQL's text search configurations, such as {first}, hide the application's",
        area="types",
        source=f"PostgreSQL {major} release notes, Data Types",
        manual="textsearch-configuration",
        remedy=f"Write the schema before the name, 'public.{first}', or give the configuration another name.",
        remedied=f"SELECT oid = 'public.{first}'::regconfig FROM pg_ts_config WHERE cfgname = '{first}'"
        " AND cfgnamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'public')",
        affects=[created, Constant("regconfig", text="|".join(languages), present=created, may=created.may)],
    )


def taken_cast(major, name, from_type, *, made_of, title):
    """Make a row for built-in casts to and from bytea: an application can no longer create its own.

    Parameters:
        major: the first one that has the casts.
        name: the part of the behavior's id after the slash.
        from_type: the type whose cast to bytea is tried.
        made_of: the names of the types with such casts, as trees have them: ``int4|int8``.
    """
    return Row(
        (),
        name,
        f"CREATE CAST ({from_type} AS bytea) WITH FUNCTION as_bytea({from_type})",
        None,
        "42710",
        since=major,
        setup=f"CREATE FUNCTION as_bytea({from_type}) RETURNS bytea LANGUAGE sql AS $$SELECT 'x'::bytea$$",
        title=title,
        area="types",
        source=f"PostgreSQL {major} release notes, Data Types",
        manual="sql-createcast",
        remedy="Leave the cast out if PostgreSQL's does the same; otherwise call the function by its name.",
        affects=[
            RefusedWith("42710", "cast from type .* already exists"),
            ParseNode("CreateCastStmt", sourcetype=rf"\b({made_of})$", targettype="^bytea$"),
            ParseNode("CreateCastStmt", sourcetype="^bytea$", targettype=rf"\b({made_of})$"),
        ],
    )
