"""The page ``docs/coverage.md``: the sections of each document, and the behaviors that check them.

``python -m devtools.coverage`` prints the page; ``make coverage`` writes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.atlas.release_notes import ENTRIES
from pytest_pgfeatures.atlas.without_behavior import WITHOUT_BEHAVIOR
from pytest_pgfeatures.behaviors.registry import atlas
from pytest_pgfeatures.behaviors.release_note import major_of
from pytest_pgfeatures.behaviors.source_tree import VARIABLE
from pytest_pgfeatures.experiments.registry import documents_experiments
from pytest_pgfeatures.install.capabilities import is_program
from pytest_pgfeatures.version import MAJORS, VersionSet, as_release

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pytest_pgfeatures.behaviors.model import Behavior
    from pytest_pgfeatures.measure.model import Experiment
    from pytest_pgfeatures.version import PgMajor


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a document.

    Parameters:
        name: its number or heading, as behaviors name it after the last comma of their ``source``.
        title: its subject.
        without: the reason why it has no behaviors; empty if it must have some.
        see: experiments of other sections that measure what this one is about.
    """

    name: str
    title: str
    without: str = ""
    see: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A document that the atlas makes executable.

    Parameters:
        name: its name, as behaviors give it before the last comma of their ``source``.
        about: a description.
        sections: its sections, in the document's order.
    """

    name: str
    about: str
    sections: tuple[Section, ...]


TOP = Path(__file__).parents[1]

SPEED = "measures speed, as the experiments do"
OTHER_PRODUCT = "compares with another product, which isn't available"
SETUP = "describes the setup of the authors' measurements"
PROSE = "states no fact of its own"


def _unlisted_changes() -> Iterator[Document]:
    """Yield the release notes' sections, other than lists of incompatibilities, that behaviors name."""
    found: dict[str, dict[str, set[str]]] = {}
    for behavior in atlas().values():
        document, _, section = behavior.source.rpartition(", ")
        if document.endswith(" release notes") and not behavior.release_note:
            found.setdefault(document, {}).setdefault(section, set()).add(behavior.area)
    for name in sorted(found, key=lambda name: [int(number) for number in name.split()[1].split(".")]):
        sections = (Section(section, ", ".join(sorted(areas))) for section, areas in found[name].items())
        yield Document(
            name,
            "Changes that affect applications, although no list of incompatibilities has them.",
            tuple(sections),
        )


DOCUMENTS: tuple[Document, ...] = (
    Document(
        "PostgreSQL 16 verification report",
        "The report of SRA OSS on the features and incompatibilities of 16, written on its beta releases."
        " Chapter 5 has headings without numbers: 5.1 is the first of them.",
        (
            Section("1", "Introduction", PROSE),
            Section("2", "Overview", PROSE),
            Section("3", "Setup for the verification", SETUP),
            Section("4.1.1", "Parallel query"),
            Section("4.1.2", "SELECT DISTINCT with incremental sort"),
            Section("4.1.3", "Window functions"),
            Section("4.1.4", "Concurrent COPY"),
            Section("4.1.5", "SIMD"),
            Section("4.2.1", "SQL/JSON"),
            Section("4.2.2", "The aggregate any_value"),
            Section("4.2.3", "Numeric literals"),
            Section("4.2.4", "Collations by ICU"),
            Section("4.3.1", "Publication on a standby"),
            Section("4.3.2", "Parallel apply"),
            Section("4.3.3", "Indexes that are not the primary key"),
            Section("4.3.4", "Initial copy in binary format"),
            Section("4.3.5", "Logical replication in both directions"),
            Section("4.4.1", "Load balancing in libpq"),
            Section("4.4.2", "The extended query protocol in psql"),
            Section("4.4.3", "Compression in pg_dump"),
            Section("4.5.1", "New statistics"),
            Section("4.5.2", "New predefined roles"),
            Section("4.5.3", "Freezing page by page"),
            Section("4.5.4", "VACUUM's ring buffer"),
            Section("4.5.5", "Building with Meson"),
            Section("5.1", "Cursors of PL/pgSQL"),
            Section("5.2", "Primary keys and NULLS NOT DISTINCT"),
            Section("5.3", "REINDEX DATABASE"),
            Section("5.4", "Generated columns of parents and children"),
            Section("5.5", "Functions of pg_walinspect"),
            Section("5.6", "Views made with CREATE RULE"),
            Section("5.7", "Settings"),
            Section("5.8", "The program postmaster"),
            Section("6", "Disclaimer", PROSE),
        ),
    ),
    Document(
        "Performance of row filters and column lists in PostgreSQL 15",
        "An article of Fujitsu on what row filters and column lists of a publication save.",
        (
            Section("introduction", "Their definition"),
            Section("test method", "Method of measurement", SETUP),
            Section("settings and hardware", "Environment of the measurements", SETUP),
            Section("table structure", "The replicated table"),
            Section("row filters", "Results with row filters"),
            Section("column lists", "Results with column lists"),
            Section("effect", "Their savings"),
            Section("outlook", "Possible future features", PROSE),
        ),
    ),
    Document(
        "PostgreSQL 9.4 verification report",
        "The slides of SRA OSS on the features of 9.4, written on its beta releases.",
        (
            Section("GIN (1)", "Method of measurement of GIN indexes", SETUP),
            Section("GIN (2)", "Size and speed of GIN indexes"),
            Section("WAL (1)", "Less WAL for UPDATE"),
            Section("WAL (2)", "Concurrent writing of WAL", SPEED),
            Section("JSONB (1)", "json and jsonb: loading"),
            Section("JSONB (2)", "json and jsonb: searching"),
            Section("JSONB (3)", "Loading, against another product", OTHER_PRODUCT),
            Section("JSONB (4)", "Updating and searching, against another product", OTHER_PRODUCT),
            Section("replication slots (1)", "Definition of slots"),
            Section("replication slots (2)", "Physical slots"),
            Section("replication slots (3)", "Logical slots"),
            Section("SQL (1)", "CHECK OPTION of views, FILTER of aggregates"),
            Section("SQL (2)", "ALTER SYSTEM, moving what a tablespace has"),
            Section("SQL (3)", "REFRESH MATERIALIZED VIEW CONCURRENTLY, locks of ALTER TABLE"),
        ),
    ),
    Document(
        "PostgreSQL 17 VACUUM article",
        "An article on how VACUUM of 17 keeps track of dead rows.",
        (
            Section("summary", "Subject", PROSE),
            Section("improvements", "The memory limit, and the data structure without one"),
            Section("environment", "Environment of the measurements", SETUP),
            Section("comparison", "VACUUM's duration on 16 and 17", SPEED),
            Section("findings", "Conclusions from the durations", SPEED, ("17/vacuum-time",)),
            Section("other improvements", "Less memory, and no spilling below the limit"),
            Section("conclusion", "Conclusions", PROSE),
        ),
    ),
    Document(
        "LZ4 TOAST compression article (14)",
        "An article of Fujitsu on LZ4 for TOAST, which came with 14.",
        (
            Section("Introduction", "Subject", PROSE),
            Section("Background", "TOAST"),
            Section("How to use LZ4", "Setting, CREATE TABLE, ALTER TABLE"),
            Section("Notes", "Copying between tables, and pg_dump"),
            Section("Preparation", "Subject and environment of the measurements", SETUP),
            Section("Compression ratio", "Sizes, and when a method gives up"),
            Section("Speed", "INSERT and SELECT, of one client and of 16", SPEED),
            Section("String functions", "length, substr, upper, textcat"),
            Section(
                "Summary", "Conclusions from the measurements", SPEED, ("14/toast-sizes", "14/toast-insert")
            ),
            Section("Outlook", "Compression of WAL"),
        ),
    ),
    *_unlisted_changes(),
)


@dataclass(frozen=True, slots=True)
class Lack:
    """A capability that, on some majors, no build from a package registry has.

    Parameters:
        of: returns whether a capability is the missing one.
        versions: the majors.
        why: the reason that the page gives.
    """

    of: Callable[[str], bool]
    versions: VersionSet
    why: str


LACKS: tuple[Lack, ...] = (
    Lack(
        is_program, VersionSet("<14"), "builds of majors before 14 are bare servers without client programs"
    ),
    Lack(lambda name: name == "zstd", VersionSet("15"), "the builds of 15 come without Zstandard"),
)


def experiments_by_section() -> dict[tuple[str, str], list[Experiment]]:
    """Return the experiments by document and section, from their ``source``, and by the sections that name them."""
    experiments = documents_experiments()
    found: dict[tuple[str, str], list[Experiment]] = {}
    for each in experiments.values():
        document, _, section = each.source.rpartition(", ")
        found.setdefault((document, section), []).append(each)
    for whole in DOCUMENTS:
        for part in whole.sections:
            for id in part.see:
                found.setdefault((whole.name, part.name), []).append(experiments[id])
    return found


def by_section(behaviors: Iterable[Behavior]) -> dict[tuple[str, str], list[Behavior]]:
    """Return behaviors by document and section, from their ``source``."""
    found: dict[tuple[str, str], list[Behavior]] = {}
    for behavior in behaviors:
        document, _, section = behavior.source.rpartition(", ")
        found.setdefault((document, section), []).append(behavior)
    return found


def uncovered(behaviors: Iterable[Behavior]) -> list[str]:
    """Return the sections that must have behaviors, or experiments, but have none: ``DOCUMENT, SECTION``."""
    found, measured = by_section(behaviors), experiments_by_section()
    return [
        f"{document.name}, {section.name}"
        for document in DOCUMENTS
        for section in document.sections
        if (not section.without and (document.name, section.name) not in found)
        or (section.without == SPEED and (document.name, section.name) not in measured)
    ]


def page(behaviors: Iterable[Behavior]) -> str:
    """Return the page, in Markdown."""
    behaviors = list(behaviors)
    parts = (
        _lines(by_section(behaviors)),
        _release_notes(behaviors),
        _shown_by_others(behaviors),
        _lacking(behaviors),
    )
    return "".join(f"{line}\n" for part in parts for line in part)


def _lines(found: dict[tuple[str, str], list[Behavior]]) -> Iterator[str]:
    total = sum(map(len, found.values()))
    yield "# Behaviors by document"
    yield ""
    yield "<!-- Written by `make coverage` from the behaviors' declarations. Don't edit it. -->"
    yield ""
    yield f"The {total} behaviors of the atlas, by the documents and sections that state the facts they check."
    yield "An id begins with the major that brought the change, and links to the code that queries servers;"
    yield "`pgfeatures show ID --pg 15,16` runs it, and shows their answers."
    yield "*Measured by* are experiments: `pgfeatures measure -k ID` runs one, and [](measurements.md) has results."
    yield from ("", '<div class="filter"></div>')
    measured = experiments_by_section()
    for document in DOCUMENTS:
        yield from ("", f"## {document.name}", "", document.about)
        for section in document.sections:
            yield from ("", f"### {section.name}: {section.title}", "")
            if section.without:
                yield f"No behaviors: it {section.without}."
            elif (document.name, section.name) not in found:
                yield "**None yet.**"
            for behavior in found.get((document.name, section.name), ()):
                mark = " (incompatibility)" if behavior.kind == "incompatibility" else ""
                yield f"- {_linked(behavior)}: {_escaped(behavior.title)}{mark}"
            if experiments := measured.get((document.name, section.name)):
                yield from ("", f"Measured by {', '.join(f'`{each.id}`' for each in experiments)}.")


def by_release_note(behaviors: Iterable[Behavior]) -> dict[str, list[Behavior]]:
    """Return the behaviors by the release note entries that they check."""
    found: dict[str, list[Behavior]] = {}
    for behavior in behaviors:
        for key in behavior.release_note:
            found.setdefault(key, []).append(behavior)
    return found


def _release_notes(behaviors: Sequence[Behavior]) -> Iterator[str]:
    """Yield each release note entry, with its behaviors or the reason why it has none."""
    found = by_release_note(behaviors)
    yield from ("", "## Release notes", "")
    yield (
        f"{len(ENTRIES)} incompatibilities of PostgreSQL 10 and later, by their place in the release notes:"
        " `14.16` is the 16th item of the section Migration to Version 14, `14.x2` one that is not in it."
    )
    yield f"{len(found)} have behaviors, and {len(WITHOUT_BEHAVIOR)} a reason to have none."
    yield ""
    yield from _summary(behaviors)
    for major in dict.fromkeys(map(major_of, ENTRIES)):
        yield from ("", f"### PostgreSQL {major}", "", "| entry | | behaviors |", "|---|---|---|")
        for key, summary in ENTRIES.items():
            if major_of(key) == major:
                yield f"| {key} | {_escaped(summary)} | {_having(key, found)} |"


def _having(key: str, found: dict[str, list[Behavior]]) -> str:
    if key in found:
        return ", ".join(map(_linked, found[key]))
    without = WITHOUT_BEHAVIOR.get(key)
    return f"none: it {without.reason}. {_escaped(without.tried)}" if without else "**None yet.**"


def _shown_by_others(behaviors: Sequence[Behavior]) -> Iterator[str]:
    """Yield the incompatibilities without their own evidence, and those of the same entry that have it."""
    found = by_release_note(behaviors)
    yield from ("", "## Incompatibilities found through another one", "")
    yield "`pgfeatures readiness` has no evidence for these incompatibilities themselves,"
    yield "but the evidence of another one of the same entry of the release notes shows both."
    yield ""
    for behavior in behaviors:
        if behavior.kind == "incompatibility" and not behavior.affects:
            others = [each.id for key in behavior.release_note for each in found[key] if each.affects]
            yield f"- {_linked(behavior)}: by {', '.join(f'`{id}`' for id in dict.fromkeys(others))}"


def _lacking(behaviors: Iterable[Behavior]) -> Iterator[str]:
    """Yield the cells that are unavailable with only servers from package registries."""
    yield from ("", "## Unavailable on embedded builds", "")
    yield "With only PyPI and Maven, these cells of the matrix are unavailable, and so is 9.4."
    yield "A full install, such as a distribution's packages or `path:DIR`, makes them available."
    for lack in LACKS:
        cells = {
            behavior.id: f"{ids[0]} to {ids[-1]}" if len(ids) > 1 else ids[0]
            for behavior in behaviors
            if (ids := [str(major) for major in MAJORS if _lacks(behavior, major, lack)])
        }
        yield from ("", f"{lack.why[0].upper()}{lack.why[1:]}:", "")
        yield from (f"- `{id}`: {versions}" for id, versions in cells.items())
    one_sided = [each for each in behaviors if _has_no_side_before(each)]
    yield from ("", f"{len(one_sided)} of these run only on the side after the change:", "")
    yield from (f"- `{behavior.id}`" for behavior in one_sided)
    yield from ("", f"Without PostgreSQL's sources, which `{VARIABLE}` names:", "")
    yield "- `16/build-with-meson`: every major"


def _has_no_side_before(behavior: Behavior) -> bool:
    """Whether every available older major lacks a capability that a behavior needs."""
    since = behavior.since
    older = [major for major in MAJORS if since and major.last < as_release(since) and str(major) != "9.4"]
    return bool(older) and all(any(_lacks(behavior, major, lack) for lack in LACKS) for major in older)


def _lacks(behavior: Behavior, major: PgMajor, lack: Lack) -> bool:
    return lack.versions.covers(major) and any(map(lack.of, behavior.needs_on(major)))


def _linked(behavior: Behavior) -> str:
    """Return a behavior's id, as a link to the module that checks it."""
    return f"[`{behavior.id}`](../{Path(behavior.file).relative_to(TOP).as_posix()})"


def _summary(behaviors: Sequence[Behavior]) -> Iterator[str]:
    """Yield a table of the majors, with the release notes' incompatibilities and the behaviors that check them."""
    found = by_release_note(behaviors)
    yield "<!-- summary -->"
    yield "| | incompatibilities in the release notes | with behaviors | without | behaviors |"
    yield "|---|---:|---:|---:|---:|"
    for major in dict.fromkeys(map(major_of, ENTRIES)):
        keys = [key for key in ENTRIES if major_of(key) == major]
        checked = sum(key in found for key in keys)
        own = sum(behavior.id.startswith(f"{major}/") for behavior in behaviors)
        yield f"| {major} | {len(keys)} | {checked} | {len(keys) - checked or ''} | {own} |"
    checked = sum(key in found for key in ENTRIES)
    yield f"| all | {len(ENTRIES)} | {checked} | {len(ENTRIES) - checked} | {len(behaviors)} |"
    yield "<!-- end of the summary -->"
    yield ""
    yield "*All* includes the behaviors of majors before 10."


def _escaped(title: str) -> str:
    """Return a title with Markdown's special characters escaped."""
    return "".join(f"\\{letter}" if letter in "_*<>[]`\\|" else letter for letter in title)


if __name__ == "__main__":
    print(page(atlas().values()), end="")
