"""Changes of 14 that the release notes don't list as incompatibilities."""

from pytest_pgfeatures import NotYet, Row, behavior, rows
from pytest_pgfeatures.affects import Call, Column, Constant, ParseNode, RefusedWith, ScriptText
from pytest_pgfeatures.atlas.client_library import run_libpq
from pytest_pgfeatures.atlas.patterns import other_unaccent
from pytest_pgfeatures.atlas.taken_names import hiding_configurations

# A definition with syntax that calls a function.
_KEPT = r"\b(extract|substring|position|overlay|btrim|ltrim|rtrim) \("
OF_VIEWS = {"may": "if you compare definitions", "present": ParseNode("ViewStmt", query=_KEPT)}
OF_INDEXES = OF_VIEWS | {"present": ParseNode("IndexStmt", indexParams=_KEPT)}
# A server that accepts TLS, and reads the first message of the handshake, which isn't encrypted.
FIRST_TLS_MESSAGE = """
import ctypes, socket, sys, threading
listening = socket.create_server(("127.0.0.1", 0))
name = b"server.name.example"
said = []
def serve():
    client = listening.accept()[0]
    client.recv(8)
    client.sendall(b"S")
    said.append(client.recv(4096))
    client.close()
serving = threading.Thread(target=serve, daemon=True)
serving.start()
libpq = ctypes.CDLL(sys.argv[1])
libpq.PQconnectdb.restype = ctypes.c_void_p
wanted = b"host=%s hostaddr=127.0.0.1 port=%d sslmode=require connect_timeout=60 user=u dbname=d"
libpq.PQfinish(ctypes.c_void_p(libpq.PQconnectdb(wanted % (name, listening.getsockname()[1]))))
serving.join(60)
print("sent" if name in said[0] else "not sent")
"""


@behavior(
    "14/server-name-indication",
    title="libpq sends the server's name before the connection is encrypted",
    area="clients",
    source="PostgreSQL 14 release notes, libpq",
    manual="libpq-connect#LIBPQ-CONNECT-SSLSNI",
    kind="incompatibility",
    isolation="transaction",
    expect={"<14": "not sent", ">=14": "sent"},
    note="A libpq of the same major connects. Debian's programs of all majors load the same libpq.",
    remedy="Set sslsni=0 in the connection string.",
    affects=ScriptText(
        r"sslmode=(allow|prefer|require|verify-ca|verify-full)|\bPGSSLMODE\b",
        settings=True,
        may="others on the network can read the server's name, and a proxy may route by it",
    ),
)
def server_name_indication(lab):
    return run_libpq(lab, FIRST_TLS_MESSAGE)


@behavior(
    "14/reindex-partitioned-table",
    title="REINDEX of a partitioned table covers its partitions, and can't run in a transaction",
    area="statements",
    source="PostgreSQL 14 release notes, Utility Commands",
    manual="sql-reindex",
    kind="incompatibility",
    since="14",
    isolation="transaction",
    expect={"<10": NotYet("42601"), "10..13": None, ">=14": "25001"},
    remedy="Run it outside of transactions and functions.",
    affects=ParseNode("ReindexStmt", relation="<partitioned>", may="in a transaction or a function"),
)
def reindex_partitioned_table(lab):
    if refused := lab.sqlstate("CREATE TABLE t (a integer) PARTITION BY LIST (a)"):
        return refused
    return lab.sqlstate("REINDEX TABLE t")


rows(
    Row(
        (),
        "multirange-type-name",
        "CREATE TYPE a_range AS RANGE (subtype = integer)",
        None,
        "42710",
        since="14",
        setup="CREATE TYPE a_multirange AS (a integer)",
        title="CREATE TYPE ... AS RANGE creates a multirange type, too, whose name must be free",
        area="types",
        source="PostgreSQL 14 release notes, Data Types",
        manual="sql-createtype",
        remedy="Name the multirange type: CREATE TYPE ... AS RANGE (..., multirange_type_name = ...).",
        affects=RefusedWith("42710", 'type ".*multirange.*" already exists'),
    ),
    Row(
        (),
        "numeric-infinity",
        "SELECT 'Infinity'::numeric::text",
        "22P02",
        "Infinity",
        since="14",
        title="numeric accepts infinities instead of refusing them",
        area="types",
        source="PostgreSQL 14 release notes, Data Types",
        manual="datatype-numeric#DATATYPE-NUMERIC-DECIMAL",
        remedy="Refuse them by CHECK (a < 'Infinity' AND a > '-Infinity').",
        affects=Constant("numeric", text=r"[+-]?inf(inity)?", may="it was refused"),
    ),
    Row(
        (),
        "reltuples-unknown",
        "SELECT reltuples::integer FROM pg_class WHERE oid = 't'::regclass",
        0,
        -1,
        since="14",
        setup="CREATE TABLE t (a integer)",
        title="pg_class.reltuples is -1, not 0, until the first VACUUM or ANALYZE",
        area="catalogs",
        source="PostgreSQL 14 release notes, System Views",
        manual="catalog-pg-class",
        remedy="Read -1 as unknown; write greatest(reltuples, 0) where you need 0.",
        remedied="SELECT greatest(reltuples, 0)::integer FROM pg_class WHERE oid = 't'::regclass",
        affects=Column(
            "pg_class",
            "reltuples",
            unless=r"IS_GREATEST|reltuples (:: \w+ )?(> (\d|\$)|>= [1-9])",
            may="it is -1 until the first VACUUM or ANALYZE",
        ),
    ),
    other_unaccent("14", "\u00b1", "\u00b1", "+/-"),
    Row(
        (),
        "view-definition-syntax",
        "SELECT pg_get_viewdef('v'::regclass) LIKE '%EXTRACT(year FROM %'",
        False,
        True,
        since="14",
        setup="CREATE VIEW v AS SELECT EXTRACT(year FROM now()) AS a",
        title="Definitions keep EXTRACT, SUBSTRING, POSITION, TRIM and OVERLAY as they were written",
        area="catalogs",
        source="PostgreSQL 14 release notes, Utility Commands",
        manual="functions-info#FUNCTIONS-INFO-CATALOG",
        remedy="Compare definitions of one version only.",
        note="Up to 13, definitions have calls instead: date_part('year'::text, now()).",
        affects=[
            Call("pg_get_viewdef", **OF_VIEWS),
            Column("pg_views", "definition", **OF_VIEWS),
            Call("pg_get_indexdef", **OF_INDEXES),
            Column("pg_indexes", "indexdef", **OF_INDEXES),
        ],
    ),
)

rows(hiding_configurations("14", "catalan", "armenian", "basque", "hindi", "serbian", "yiddish"))
