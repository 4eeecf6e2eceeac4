"""Changes of 16 that its list of incompatibilities leaves out."""

from pytest_pgfeatures import Row, rows
from pytest_pgfeatures.affects import Call, TypeName

rows(
    Row(
        (),
        "aclitem-size",
        "SELECT typlen FROM pg_type WHERE typname = 'aclitem'",
        12,
        16,
        since="16",
        title="An aclitem takes 16 bytes, not 12",
        area="types",
        source="PostgreSQL 16 release notes, Privileges",
        manual="ddl-priv",
        note="So pg_upgrade refuses a cluster with columns of that type.",
        remedy="Drop columns of type aclitem before pg_upgrade, or keep their text.",
        affects=TypeName("aclitem"),
    ),
    Row(
        (),
        "viewdef-without-relation",
        "SELECT pg_get_viewdef('v'::regclass) LIKE '% a.oid%'",
        True,
        False,
        since="16",
        setup="CREATE VIEW v AS SELECT a.oid FROM pg_class a",
        title="A view's definition has no relation before its columns where there is one relation only",
        area="catalogs",
        source="PostgreSQL 16 release notes, System Views",
        manual="functions-info#FUNCTIONS-INFO-CATALOG",
        remedy="Compare definitions of one version only.",
        affects=Call("pg_get_viewdef", may="if its text is compared"),
    ),
)
