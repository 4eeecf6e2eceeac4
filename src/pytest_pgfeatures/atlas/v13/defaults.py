"""Defaults that 13 changed, and that the release notes don't list as incompatibilities."""

from pytest_pgfeatures import rows
from pytest_pgfeatures.atlas.patterns import changed_default

rows(
    changed_default(
        "13",
        "autovacuum-after-inserts",
        "autovacuum_vacuum_insert_threshold",
        {"<13": [], ">=13": "1000"},
        title="By default, autovacuum also vacuums insert-only tables",
        remedy="Set autovacuum_vacuum_insert_threshold = -1, or per table.",
        may="autovacuum also runs on tables that only grow",
        section="Utility Commands",
        manual="runtime-config-autovacuum#GUC-AUTOVACUUM-VACUUM-INSERT-THRESHOLD",
    ),
    changed_default(
        "13",
        "least-tls-version",
        "ssl_min_protocol_version",
        {"<12": [], "12": "TLSv1", ">=13": "TLSv1.2"},
        title="By default, TLS connections need at least TLS 1.2",
        remedy="Set ssl_min_protocol_version = 'TLSv1' for old clients.",
        may="clients with TLS 1.0 or 1.1 only can't connect",
        section="Server Configuration",
        manual="runtime-config-connection#GUC-SSL-MIN-PROTOCOL-VERSION",
    ),
)
