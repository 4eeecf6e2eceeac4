"""Objects and properties that depend on the build, not on the major. Comparisons leave them out."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OfTheBuild:
    """Objects, or properties of objects, that differ between builds of one release.

    Parameters:
        kind: the kind of the objects.
        names: a regular expression that matches their whole names.
        reason: why they differ between builds.
        properties: the properties that the build determines; empty if it determines the whole object.
    """

    kind: str
    names: str
    reason: str
    properties: tuple[str, ...] = ()


_PATHS = (
    "config_file|data_directory|hba_file|ident_file|external_pid_file|stats_temp_directory|krb_server_keyfile"
    "|unix_socket_directories|dynamic_library_path|extension_control_path"
)
_CONFIGURED = (
    "block_size|wal_block_size|segment_size|wal_segment_size|max_function_args|max_identifier_length|max_index_keys"
    "|debug_assertions|integer_datetimes"
)
_OF_INITDB = (
    "lc_.*|default_text_search_config|TimeZone|log_timezone|server_encoding|client_encoding"
    "|timezone_abbreviations"
)
_OF_DEVELOPERS = "trace_.*|debug_.*_trace|wal_debug|lock_.*_trace|optimize_bounded_sort|debug_discard_caches"
_OPTIONAL = "xml2|uuid-ossp|sslinfo|sepgsql"
_LANGUAGES = ".*pl(perl|python|tcl).*"

OF_THE_BUILD: tuple[OfTheBuild, ...] = (
    OfTheBuild(
        "setting",
        "server_version|server_version_num",
        "the release itself",
        ("default", "minimum", "maximum"),
    ),
    OfTheBuild("setting", _PATHS, "a path that the packager chose", ("default",)),
    OfTheBuild("setting", "extension_destdir", "a setting of Debian's packages"),
    OfTheBuild("setting", "ssl_.*", "the SSL library", ("default", "values")),
    OfTheBuild(
        "setting",
        "wal_sync_method|dynamic_shared_memory_type|shared_memory_type|syslog_facility|io_method",
        "the platform",
        ("values", "default"),
    ),
    OfTheBuild(
        "setting", "(effective|maintenance)_io_concurrency", "whether there is posix_fadvise", ("maximum",)
    ),
    OfTheBuild("setting", _CONFIGURED, "options of configure", ("default", "minimum", "maximum")),
    OfTheBuild(
        "setting",
        "wal_compression|default_toast_compression",
        "which compression libraries were there",
        ("values", "default"),
    ),
    OfTheBuild("setting", _OF_INITDB, "the environment of initdb", ("default",)),
    OfTheBuild("setting", "max_stack_depth", "the platform's limit on a stack", ("maximum", "default")),
    OfTheBuild("setting", _OF_DEVELOPERS, "compiled in for developers only", ("default", "maximum")),
    OfTheBuild("extension", _LANGUAGES, "configure --with-perl, --with-python, --with-tcl"),
    OfTheBuild(
        "extension", _OPTIONAL, "configure --with-libxml, --with-uuid, --with-openssl, --with-selinux"
    ),
    OfTheBuild("extension", "pldbgapi|test_parser", "packagers add them"),
    OfTheBuild("extension function", f"({_LANGUAGES}|{_OPTIONAL}): .*", "as the extension itself"),
    OfTheBuild("program", "(ecpg|pg_config|postmaster)( .*)?", "packagers put them into other packages"),
)


def of_the_build(kind: str, name: str) -> OfTheBuild | None:
    """The entry for an object that the build determines as a whole, or None."""
    return next(
        (
            row
            for row in OF_THE_BUILD
            if row.kind == kind and not row.properties and re.fullmatch(row.names, name)
        ),
        None,
    )


def properties_of_the_build(kind: str, name: str) -> frozenset[str]:
    """The properties of an object that the build determines."""
    return frozenset(
        each
        for row in OF_THE_BUILD
        if row.kind == kind and re.fullmatch(row.names, name)
        for each in row.properties
    )
