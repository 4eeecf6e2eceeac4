"""The catalog of an install. A server is queried once, and the store keeps the result."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psycopg

from pytest_pgfeatures.catalog.programs import program_options
from pytest_pgfeatures.catalog.questions import EXTENSION_FUNCTIONS, QUESTIONS
from pytest_pgfeatures.catalog.tried_words import error_conditions, explain_options
from pytest_pgfeatures.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.server import Cluster, Clusters
    from pytest_pgfeatures.version import PgVersion

    Objects = Mapping[str, Mapping[str, str]]

_FORMAT = 4
"""A version number, increased when the queries change, so that older records are not used."""


@dataclass(frozen=True, slots=True)
class Catalog:
    """The catalog of one install: its server, programs and extensions.

    Parameters:
        version: the release.
        source: the source of the install.
        objects: the properties of each object, by kind, then by name.
    """

    version: PgVersion
    source: str
    objects: Mapping[str, Objects]


def catalog_of(install: Install, clusters: Clusters) -> Catalog:
    """The catalog of an install, from the store's record unless the install has changed.

    Raises:
        ServerError: the server did not start.
        StoreError: the record can't be written.
    """
    store = clusters.resolver.store
    record = store.probes / f"catalog-{_key(install)}.json"
    known = _read(record, install)
    if known is None:
        with store.lock(record.stem):
            known = _read(record, install) or _ask_and_keep(install, clusters, record)
    return known


def _key(install: Install) -> str:
    facts = (install.program("postgres")).stat()
    identity = (_FORMAT, str(install.bindir), facts.st_ino, facts.st_size, facts.st_mtime_ns)
    return hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:20]


def _read(record: Path, install: Install) -> Catalog | None:
    try:
        return Catalog(install.version, install.source, json.loads(record.read_bytes()))
    except (OSError, ValueError):
        return None


def _ask_and_keep(install: Install, clusters: Clusters, record: Path) -> Catalog:
    cluster = clusters.create(install)
    try:
        objects = ask(cluster)
    finally:
        clusters.remove(cluster)
    with clusters.resolver.store.explaining():
        write_atomically(record, json.dumps(objects, separators=(",", ":"), sort_keys=True) + "\n")
    return Catalog(install.version, install.source, objects)


def ask(cluster: Cluster) -> dict[str, Objects]:
    """Query a running server about everything it offers, and leave nothing behind on it."""
    with cluster.connect() as connection:
        objects: dict[str, Objects] = {}
        for question in QUESTIONS:
            if cluster.version in question.versions:
                objects[question.kind] = _rows(connection, question.sql)
        objects["EXPLAIN option"] = explain_options(connection, cluster.install)
        objects["error condition"] = error_conditions(connection, cluster.install)
        objects["extension function"] = {
            name: properties
            for extension in objects["extension"]
            for name, properties in _of_extension(connection, extension).items()
        }
    objects["program"] = program_options(cluster.install)
    return objects


def _rows(connection: psycopg.Connection, query: str, *parameters: str) -> dict[str, dict[str, str]]:
    cursor = connection.execute(query.encode(), parameters or None)
    names = [column.name for column in cursor.description or ()][1:]
    return {
        name: {
            property_: _text(value)
            for property_, value in zip(names, values, strict=True)
            if value not in (None, "")
        }
        for name, *values in cursor
    }


def _text(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _of_extension(connection: psycopg.Connection, extension: str) -> dict[str, dict[str, str]]:
    """The functions of an extension; empty if this build can't create it."""
    try:
        with connection.transaction(force_rollback=True):
            cascade = " CASCADE" if connection.info.server_version >= 90600 else ""
            connection.execute(f'CREATE EXTENSION "{extension}"{cascade}'.encode())
            return _rows(connection, EXTENSION_FUNCTIONS, extension)
    except psycopg.Error:
        return {}
