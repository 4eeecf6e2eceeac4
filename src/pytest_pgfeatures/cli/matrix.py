"""``pgfeatures matrix --pg 14..18 --format github``: the matrix of jobs that spreads versions over machines."""

from __future__ import annotations

import json

import click

from pytest_pgfeatures.cli.arguments import pg_option


@click.command("matrix")
@pg_option()
@click.option(
    "--format", "form", type=click.Choice(["github", "gitlab"]), default="github", show_default=True
)
def command(pg: str | None, form: str) -> None:
    """Print a matrix of jobs, one for each major version.

    For GitHub Actions it is one line of JSON for strategy.matrix: matrix.pg is what --pg takes, and matrix.name
    names the job. For GitLab it is YAML to include: a job that extends .pgfeatures runs once for each value
    of the variable PG.

    Each job writes its results with --json; pgfeatures merge puts them together.
    """
    from pytest_pgfeatures.json_values import to_plain
    from pytest_pgfeatures.report.install_documents import JobObject, JobsDocument
    from pytest_pgfeatures.workbench import Workbench

    # Several installs of one major are one job: in jobs of their own, both would have the cell pg17.
    majors: dict[str, list[str]] = {}
    for cell in Workbench(pg).cells:
        majors.setdefault(f"pg{cell.major}", []).append(str(cell.request))
    versions = {name: ",".join(requests) for name, requests in majors.items()}
    if form == "github":
        document = JobsDocument(tuple(JobObject(name, text) for name, text in versions.items()))
        click.echo(json.dumps(to_plain(document)))
    else:
        listed = json.dumps(list(versions.values()))  # a list in JSON is also one in YAML
        click.echo(f".pgfeatures:\n  parallel:\n    matrix:\n      - PG: {listed}")
