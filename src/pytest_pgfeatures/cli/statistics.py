"""``pgfeatures statistics DSN > FILE``: export what the planner knows of a database."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from pytest_pgfeatures.cli.result_files import result_file, write_files

if TYPE_CHECKING:
    from pathlib import Path


@click.command("statistics")
@click.argument("dsn")
@click.option(
    "-o", "--output", type=result_file, metavar="FILE", help="Write to FILE instead of standard output."
)
@click.option(
    "--without-values",
    multiple=True,
    metavar="COLUMN",
    help="Leave out the values of table.column, or of all text columns with the word text; repeatable.",
)
@click.option("--no-schema", is_flag=True, help="Leave out the schema.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    metavar="SECONDS",
    help="Per statement (default: 60).",
)
def command(
    dsn: str, output: Path | None, without_values: tuple[str, ...], *, no_schema: bool, timeout: float
) -> None:
    """Export the planner's statistics of a database, its settings for the planner, and its schema.

    DSN is a connection string as psql takes it. One transaction reads, and nothing is written there. A role that
    is no superuser is enough; objects that it can't see are listed on standard error, and in the file.

    The file has values of the data: most common values and the bounds of histograms. See --without-values.

    With the file, plans are seen as in production on servers without its data: pgfeatures readiness --statistics
    FILE, and the fixture pg_transplant.
    """
    from pytest_pgfeatures.statistics import values as of_values
    from pytest_pgfeatures.statistics.document import text_of, write_statistics
    from pytest_pgfeatures.statistics.reading import export

    statistics = export(dsn, timeout=timeout, schema=not no_schema)
    if without_values:
        statistics, dropped = of_values.without_values(statistics, without_values)
        click.echo(f"without the values of {len(dropped)} columns; {of_values.COST}", err=True)
    for line in statistics.unseen:
        click.echo(f"not seen: {line}", err=True)
    if output is None:
        click.echo(text_of(statistics).encode("utf-8", "surrogateescape"), nl=False)
    write_files((output, partial(write_statistics, statistics)))
