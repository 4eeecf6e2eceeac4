"""Observations that several modules of the atlas share, such as a removed setting or a renamed function."""

import contextlib
from pathlib import Path

from pytest_pgfeatures import NotYet, Remedied, Row, VersionSet
from pytest_pgfeatures.affects import (
    Call,
    Column,
    Constant,
    Default,
    ParseNode,
    RefusedWith,
    SettingUsed,
)
from pytest_pgfeatures.atlas.in_catalogs import configurations

UPGRADES = {"pg_controldata": "<9.6"}
"""The program that pg_upgrade needs from an old server's install. From 9.6 on, the server itself has the data."""

NAMING_TYPES = ("TypeName", "typeName", "argType", "returnType", "ofTypename")
"""The nodes that name a type."""


def relation(*names, schema="pg_catalog", **conditions):
    """Return evidence of a catalog or view that a statement reads.

    Parameters:
        schema: the schema that may stand before it; None for any.
        conditions: those of :class:`~pytest_pgfeatures.affects.ParseNode`.
    """
    lacks = {} if schema is None else {"schemaname": f"^(?!{schema}$)."}
    return ParseNode("RangeVar", relname=f"^({'|'.join(names)})$", lacks=lacks, **conditions)


def of_type(*names, **conditions):
    """Return evidence of PostgreSQL's types as those of columns, arguments, variables or casts."""
    return ParseNode(*NAMING_TYPES, names=f"<type:{'|'.join(names)}>", **conditions)


def gone_in(major, before, after, *, since=None, not_yet=None):
    """Return the expectation table of something that a major removed.

    Parameters:
        before: the outcome while it exists.
        after: the outcome once it is gone.
        since: the first major that has it; None if all older ones have it.
        not_yet: the outcome on majors before ``since``; ``after``, if not given.
    """
    if since is None:
        return {f"<{major}": before, f">={major}": after}
    while_there = str(VersionSet(f">={since}") & VersionSet(f"<{major}"))
    not_yet = after if not_yet is None else not_yet
    return {f"<{since}": NotYet(not_yet), while_there: before, f">={major}": after}


def met(lab, setting, value):
    """Try a setting in SHOW, in SET, and in postgresql.conf at server start."""
    return {
        "SHOW": lab.value_or_sqlstate(f"SHOW {setting}"),
        "SET": lab.sqlstate(f"SET {setting} = '{value}'"),
        "start": lab.start_refusal(f"{setting} = '{value}'"),
    }


def unknown(setting):
    """Return the answers to a setting that the server doesn't know."""
    return {"SHOW": "42704", "SET": "42704", "start": f'unrecognized configuration parameter "{setting}"'}


def gone_setting(release_note, setting, value, *, default, set_by="SET", since=None, **fields):
    """Make a row for a removed setting.

    Parameters:
        value: the value to try.
        default: the setting's value in SHOW, where the setting exists.
        set_by: ``SET``, or ``start`` if only a start or a reload changes the setting.
        since: the first major that has it; None if all older ones have it.
    """
    known = {"SHOW": default, "SET": None if set_by == "SET" else "55P02", "start": None}
    return Row(
        release_note,
        setting.replace("_", "-"),
        lambda lab: met(lab, setting, value),
        expect=gone_in(_major(release_note), known, unknown(setting), since=since),
        **{
            "title": f"The setting {setting} is gone",
            "area": "settings",
            "affects": SettingUsed(setting),
            **fields,
        },
    )


def renamed_function(release_note, old, new, arguments="", *, answer=True, since=None, **fields):
    """Make a row for a renamed function.

    Parameters:
        arguments: the arguments of the call, the same for both names.
        answer: True if the call succeeds, else its SQLSTATE.
        since: the first major that has it; None if all older ones have it.
    """
    major = _major(release_note)
    return Row(
        release_note,
        old.replace("_", "-"),
        f"SELECT count({old}({arguments})) >= 0",
        expect=gone_in(major, answer, "42883", since=since),
        title=f"The function {old} is called {new}",
        remedy=f"Call {new}.",
        remedied=Remedied(
            f"SELECT count({new}({arguments})) >= 0",
            {f"<{major}": NotYet("42883"), f">={major}": answer},
        ),
        affects=Call(old),
        **fields,
    )


def changed_default(major, name, setting, expect, **fields):
    """Make a row for a changed default that the release notes don't list as an incompatibility.

    Parameters:
        major: the major that changed it.
        expect: the table of the built-in values in pg_settings; an empty list where the setting doesn't exist.
        fields: further fields of the row; the release notes' ``section``, and in ``may`` the new default's effect.
    """
    section, may = fields.pop("section"), fields.pop("may")
    return Row(
        (),
        name,
        f"SELECT boot_val FROM pg_settings WHERE name = '{setting}'",
        expect=expect,
        since=major,
        **{
            "kind": "default",
            "area": "settings",
            "source": f"PostgreSQL {major} release notes, {section}",
            "affects": Default(setting, may=may),
            **fields,
        },
    )


def hiding_function(
    major, name, types, arguments, *, among=(), section="Functions", manual="functions", **fields
):
    """Make a row for a built-in function that hides an application's, unless calls name the schema.

    Parameters:
        major: the first one that has the function.
        types: the types of its arguments.
        arguments: the arguments of the call; the built-in function must not return ``ours`` for them.
        among: the types that its arguments may have, if other majors have functions of that name, too.
        fields: further ones of a row.
    """
    call = f"{name}({arguments})"
    count = types.count(",") + 1 if types else 0
    return Row(
        (),
        f"{name.replace('_', '-')}-hides",
        f"SELECT x::text = 'ours' FROM {call} x LIMIT 1",
        before=True,
        after=False,
        since=major,
        setup=f"CREATE FUNCTION public.{name}({types}) RETURNS text LANGUAGE sql AS $$SELECT 'ours'::text$$",
        **{
            "title": f"PostgreSQL's {name}({types}) hides the application's",
            "area": "functions",
            "source": f"PostgreSQL {major} release notes, {section}",
            "manual": manual,
            "remedy": "Write the schema before the name, or give the function another name.",
            "remedied": f"SELECT x::text = 'ours' FROM public.{call} x LIMIT 1",
            "affects": Call(
                name, args=count, own=True, types=dict.fromkeys(range(1, count + 1), among) if among else ()
            ),
            **fields,
        },
    )


def defined(name):
    """Return evidence of a function's name that is refused: in its definition or signature, without quotes, or in a
    call with names of arguments."""
    return RefusedWith("42601", rf'at or near "({name}"|([(),]|=>|:=)"\n.*\b{name}\s*\()')


def function_syntax(major, name, *, release_note=(), **fields):
    """Make a row for a function name that became SQL syntax: as a function's name it needs quotes or a schema.

    Parameters:
        major: the first one that has the syntax.
        fields: further ones of a row.
    """
    return Row(
        release_note,
        f"{name.replace('_', '-')}-function",
        f"CREATE FUNCTION {name}(a int, b bool) RETURNS int LANGUAGE sql AS 'SELECT 1'",
        before=None,
        after="42601",
        since=major,
        **{
            "title": f"{name} can't be a function's name without quotes or a schema",
            "area": "sql",
            "remedy": f'Quote the name, "{name}", or write the schema before it: public.{name}.',
            "remedied": f"CREATE FUNCTION public.{name}(a int, c text) RETURNS int LANGUAGE sql AS 'SELECT 1'",
            "affects": [defined(name), Call(name, own=True)],
            **fields,
        },
    )


STATEMENTS = {"shared_preload_libraries": "pg_stat_statements"}


def rows_of_statements(lab, *statements, like):
    """Run statements, and count their rows in pg_stat_statements.

    Parameters:
        like: a LIKE pattern that matches their texts.
    """
    for statement in ("CREATE EXTENSION pg_stat_statements", *statements):
        lab.sql(statement)
    return lab.value(
        f"SELECT count(*) FROM pg_stat_statements WHERE query LIKE '{like}'"
        " AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )


def statements_as_one(major, name, *statements, like, what):
    """Make a row for utility statements that pg_stat_statements counts as one, with a placeholder for one part.

    Parameters:
        major: the first one that does this.
        statements: two statements that differ only in this part, and the statements that they need around them.
        like: a LIKE pattern that matches the texts of those two.
        what: the part, in the plural.
    """
    return Row(
        (),
        name,
        lambda lab: rows_of_statements(lab, *statements, like=like),
        before=2,
        after=1,
        since=major,
        isolation="database",
        settings=STATEMENTS,
        needs=["contrib:pg_stat_statements"],
        title=f"pg_stat_statements has placeholders for {what}",
        area="extensions",
        source=f"PostgreSQL {major} release notes, pg_stat_statements",
        manual="pgstatstatements",
        remedy="In programs that search the texts, look for the placeholders, $1, too.",
        affects=Column(
            "pg_stat_statements",
            "query",
            extension="pg_stat_statements",
            may=f"it has placeholders for {what}",
        ),
    )


STEMS = "words have other stems: recompute stored values"


def other_stems(language):
    """Return evidence that an application uses text search in a language whose stemmer changed."""
    name = rf"(pg_catalog\.)?{language}"
    functions = (
        "to_tsvector", "to_tsquery", "plainto_tsquery", "phraseto_tsquery", "websearch_to_tsquery", "ts_headline"
    )  # fmt: skip
    return [
        Call(*functions, where={1: f"'{name}'"}, may=STEMS),
        Constant("regconfig", text=name, may=STEMS),
        Call("tsvector_update_trigger", where={2: f"'{name}'"}, may=STEMS),
        configurations(
            f"p.tmplname = 'snowball' AND d.dictinitoption ILIKE '%language = _{language}_%'",
            language,
            f"{language}_stem",
            "configuration",
            may=STEMS,
        ),
        Call("ts_lexize", where={1: rf"'(pg_catalog\.)?{language}_stem'"}, may=STEMS),
        SettingUsed("default_text_search_config", value=rf"(pg_catalog\.)?{language}", may=STEMS),
    ]


def other_stem(major, language, word, before=None, after=None, *, expect=None, note=None):
    """Make a row for a text search stemmer whose stems changed.

    Parameters:
        word: a word whose stem changed; its stems are ``before`` and ``after``, or in the table ``expect``.
    """
    stems = {} if expect else {"before": before, "after": after}
    return Row(
        (),
        f"{language}-stemmer",
        f"SELECT (ts_lexize('{language}_stem', '{word}'))[1]",
        **stems,
        expect=expect,
        since=major,
        title=f"The {language.capitalize()} stemmer gives other stems",
        area="types",
        source=f"PostgreSQL {major} release notes, Functions",
        manual="textsearch-dictionaries#TEXTSEARCH-SNOWBALL-DICTIONARY",
        note=note,
        remedy=f"Recompute stored tsvector values of the configuration {language}, and REINDEX.",
        affects=other_stems(language),
    )


def other_unaccent(
    major, character, before=None, after=None, *, expect=None, name="unaccent-rules", **fields
):
    """Make a row for characters that unaccent() newly replaces, or replaces differently.

    Parameters:
        character: one of them; its replacements are ``before`` and ``after``, or in the table ``expect``.
    """
    texts = {} if expect else {"before": before, "after": after}
    may = "it replaces other characters: recompute stored results, and REINDEX"
    return Row(
        (),
        name,
        f"SELECT unaccent('{character}')",
        **texts,
        expect=expect,
        since=major,
        setup="CREATE EXTENSION unaccent",
        needs=["contrib:unaccent"],
        **{
            "title": f"unaccent() changes more characters, such as {character}",
            "area": "extensions",
            "source": f"PostgreSQL {major} release notes, Additional Modules",
            "manual": "unaccent",
            "remedy": "Recompute stored results of unaccent(), and REINDEX; or keep the old rules in a file.",
            "affects": [
                Call("unaccent", extension="unaccent", may=may),
                configurations("p.tmplname = 'unaccent'", "unaccent", "configuration", may=may),
            ],
            **fields,
        },
    )


NULL_IN_OTHERS = "|".join((
    "backend_type", "dat(id|name)", "use(sysid|name)", "state", "(xact|query)_start", "wait_event_type",
    "client_addr", "backend_x(id|min)",
))  # fmt: skip
"""Columns of pg_stat_activity that tell the processes of clients from others."""


def more_activity(major, name, condition, **fields):
    """Make a row for server processes that pg_stat_activity newly shows."""
    return Row(
        (),
        name,
        f"SELECT count(*) > 0 FROM pg_stat_activity WHERE {condition}",
        since=major,
        area="monitoring",
        source=f"PostgreSQL {major} release notes, Monitoring",
        manual="monitoring-stats#MONITORING-PG-STAT-ACTIVITY-VIEW",
        remedy="Count rows with backend_type = 'client backend'. Up to 9.6 there is no such column: count"
        " all rows.",
        affects=relation(
            "pg_stat_activity",
            unless=ParseNode("ColumnRef", fields=f"({NULL_IN_OTHERS})$"),
            may="if it counts rows: there are more of them",
        ),
        **fields,
    )


def gone_extension(release_note, extension, **fields):
    """Make a row for an extension that is gone. Another one, citext, shows that contrib is installed."""
    major = _major(release_note)
    return Row(
        release_note,
        f"no-{extension.replace('_', '-')}",
        "SELECT string_agg(name::text, ', ' ORDER BY name::text COLLATE \"C\") FROM pg_available_extensions"
        f" WHERE name IN ('{extension}', 'citext')",
        ", ".join(sorted((extension, "citext"))),
        "citext",
        needs={f"contrib:{extension}": f"<{major}", "contrib:citext": f">={major}"},
        **{
            "affects": ParseNode("CreateExtensionStmt", "AlterExtensionStmt", extname=f"^{extension}$"),
            "area": "extensions",
            "manual": "contrib",
            **fields,
        },
    )


def constants_of_type(types, text, *, may=None, refused):
    """Return evidence for a type's constants in statements, and in loaded rows.

    Parameters:
        types: the names of the types, such as ``date|timestamp``.
        text: a regular expression that must match the whole constant.
        may: see :class:`~pytest_pgfeatures.affects.Constant`.
        refused: the SQLSTATE of a server that refuses such a value.
    """
    of_type = types.replace("timestamptz", r"timestamp( with time zone)?")
    message = rf'(?is)invalid input syntax for (type )?({of_type}): "({text})"(\s*$|, with \$\d)'
    return [Constant(*types.split("|"), text=text, may=may), RefusedWith(refused, message)]


def process_titles(lab):
    """Return the titles of a server's processes as ps shows them, from Linux's /proc."""
    titles = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # a process may end meanwhile
            parent = status.read_text().rpartition(")")[2].split()[1]
            if int(parent) == lab.cluster.pid:
                titles.append(status.with_name("cmdline").read_text().rstrip("\0 "))
    lab.remark("; ".join(sorted(titles)))
    return sorted(titles)


def upgradable_after(lab, major, statement):
    """Run a statement, and return whether pg_upgrade then finds nothing to refuse in the server.

    Parameters:
        major: the first one without the problem; for it and newer ones the answer is True without a check.
    """
    if lab.version in VersionSet(f">={major}"):
        return True
    lab.sql(statement)
    return "Clusters are compatible" in lab.upgrade_check().output


def programs(lab, *names):
    """Return the programs of this list that the server's install has."""
    return sorted(name for name in names if (lab.cluster.install.bindir / name).exists())


def _major(release_note):
    """Return the major of a key, or of the first of several keys."""
    return (release_note if isinstance(release_note, str) else release_note[0]).partition(".")[0]
