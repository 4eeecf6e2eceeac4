"""What several modules of the atlas observe in the same way: a setting that is gone, a renamed function."""

import contextlib
from pathlib import Path

from pytest_pgfeatures import NotYet, Remedied, Row, VersionSet
from pytest_pgfeatures.affects import Call, Default, RefusedWith, SettingUsed, Sql

UPGRADES = {"pg_controldata": "<9.6"}
"""What pg_upgrade needs of an old server's install. From 9.6 on the server itself tells as much."""


def gone_in(major, before, after, *, since=None, not_yet=None):
    """The expectation table of something that went with a major.

    Parameters:
        before: what it was.
        after: what is there in its place.
        since: the first major that had it; None for all older ones.
        not_yet: what still older ones show; what newer ones do, if not given.
    """
    if since is None:
        return {f"<{major}": before, f">={major}": after}
    while_there = str(VersionSet(f">={since}") & VersionSet(f"<{major}"))
    not_yet = after if not_yet is None else not_yet
    return {f"<{since}": NotYet(not_yet), while_there: before, f">={major}": after}


def met(lab, setting, value):
    """What a setting's name meets in SHOW, in SET, and in postgresql.conf when the server starts."""
    return {
        "SHOW": lab.value_or_sqlstate(f"SHOW {setting}"),
        "SET": lab.sqlstate(f"SET {setting} = '{value}'"),
        "start": lab.start_refusal(f"{setting} = '{value}'"),
    }


def unknown(setting):
    """What a setting's name meets that the server does not know."""
    return {"SHOW": "42704", "SET": "42704", "start": f'unrecognized configuration parameter "{setting}"'}


def gone_setting(release_note, setting, value, *, default, set_by="SET", since=None, **fields):
    """A row for a setting that a server does not know any more.

    Parameters:
        value: to try.
        default: what SHOW gives where it is known.
        set_by: ``SET``, or ``start`` for one that only a start or a reload changes.
        since: the first major that knew it; None for all older ones.
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
    """A row for a function that has another name.

    Parameters:
        arguments: with which it is called by either name.
        answer: True if it takes the call, or the SQLSTATE with which it refuses.
        since: the first major that had it; None for all older ones.
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
    """A row for a setting's default that the release notes don't list as an incompatibility.

    Parameters:
        major: the major that changed it.
        expect: the table of what pg_settings has as the built-in value; an empty list where there is no setting.
        fields: further ones of a row, ``section`` of the release notes and what the new default ``may`` change.
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


def hiding_function(major, name, types, arguments, *, section="Functions", manual="functions", **fields):
    """A row for a built-in function that calls without a schema reach in place of the application's own.

    Parameters:
        major: the one that brought the function.
        types: those of its arguments.
        arguments: with which it is called; it must not answer ``ours``.
        fields: further ones of a row.
    """
    call = f"{name}({arguments})"
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
            "affects": Call(name, args=types.count(",") + 1 if types else 0, own=True),
            **fields,
        },
    )


def gone_extension(release_note, extension, **fields):
    """A row for an extension that does not come with a server any more, though other extensions of contrib do."""
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
            "affects": Sql("CREATE|ALTER EXTENSION [ IF NOT EXISTS ] {<it>}", tokens={"it": extension}),
            "area": "extensions",
            "manual": "contrib",
            **fields,
        },
    )


def constants_of_type(types, text, *, may=None, inserted=True, refused=None):
    """How a constant of some type shows in statements: by its type, by a cast, or by a column of that type.

    Parameters:
        types: the types, such as ``date|timestamp``.
        text: a regular expression that must match the whole constant.
        may: see :class:`~pytest_pgfeatures.affects.Sql`.
        inserted: whether INSERT counts, into any column of a table that has a column of the type.
        refused: the SQLSTATE with which one of the servers refuses such a value, in rows that are loaded, too.
    """
    found = [
        Sql(pattern, tokens={"text": text}, may=may)
        for pattern in (
            f"{types} {{<string:text>}}",
            f"{{<string:text>}} :: {types}",
            f"CAST ( {{<string:text>}} AS {types}",
            f"{types} [ NOT NULL ] DEFAULT|:= {{<string:text>}}",
            f"<column:{types}> =|<>|<|>|<=|>=|BETWEEN {{<string:text>}}",
        )
    ]
    if inserted:
        into = f"^ INSERT INTO <having:{types}> *** {{<string:text>}}"
        found.append(Sql(into, tokens={"text": text}, may=may or "if it is the value of such a column"))
    of_type = types.replace("timestamptz", r"timestamp( with time zone)?")
    message = rf'(?is)invalid input syntax for (type )?({of_type}): "({text})"\s*$'
    return [*found, *([RefusedWith(refused, message)] if refused is not None else [])]


def process_titles(lab):
    """The titles of the processes of a server, as ps shows them; from Linux's /proc."""
    titles = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # a process may end meanwhile
            parent = status.read_text().rpartition(")")[2].split()[1]
            if int(parent) == lab.cluster.pid:
                titles.append(status.with_name("cmdline").read_text().rstrip("\0 "))
    lab.remark("; ".join(sorted(titles)))
    return sorted(titles)


def upgradable_after(lab, major, statement):
    """Whether pg_upgrade finds nothing more against a server once a statement has run.

    Parameters:
        major: the one from which on there was nothing to begin with: such servers are not asked.
    """
    if lab.version in VersionSet(f">={major}"):
        return True
    lab.sql(statement)
    return "Clusters are compatible" in lab.upgrade_check().output


def programs(lab, *names):
    """Those of these programs that the server's install has."""
    return sorted(name for name in names if (lab.cluster.install.bindir / name).exists())


def _major(release_note):
    """The major of a key, or of the first of several."""
    return (release_note if isinstance(release_note, str) else release_note[0]).partition(".")[0]
