"""Clients of PostgreSQL 12: pg_checksums, pg_restore, psql, and libpq's parameters."""

from pytest_pgfeatures import NotYet, Remedied, Row, behavior, rows
from pytest_pgfeatures.affects import Constant, ProgramCall, ScriptText
from pytest_pgfeatures.atlas.client_library import run_libpq
from pytest_pgfeatures.atlas.patterns import programs

FROM_13 = "No install source has the programs of 11 and 12: this ran from 13 on."


NO_INTEGER = (
    r"\b(PGCONNECT_TIMEOUT|connect_timeout|keepalives|keepalives_idle|keepalives_interval|keepalives_count)="
    r"(?!-?\d+(\b|$)|[$'\"{%:]|\s|$)\w*"
)
"""A regular expression for a connection parameter whose value must be an integer, and isn't."""


@behavior(
    "12/pg-checksums",
    title="The program pg_verify_checksums is called pg_checksums",
    area="programs",
    release_note="12.12",
    kind="incompatibility",
    manual="app-pgchecksums",
    isolation="transaction",
    needs=["pg_controldata"],
    since="12",
    expect={"<11": NotYet([]), "11": ["pg_verify_checksums"], ">=12": ["pg_checksums"]},
    remedy="Write pg_checksums --check.",
    note=FROM_13,
    affects=ProgramCall("pg_verify_checksums"),
)
def pg_checksums(lab):
    return programs(lab, "pg_verify_checksums", "pg_checksums")


def dump_file(lab):
    lab.sql("CREATE TABLE t (a int)")
    file = lab.cluster.socket_directory / "dump"
    lab.run_server_program("pg_dump", "--format=custom", "--file", file, "--dbname", lab.dsn)
    return file


@behavior(
    "12/pg-restore-to-stdout",
    title="pg_restore needs -d or -f; -f - writes to standard output",
    area="programs",
    release_note="12.13",
    kind="incompatibility",
    manual="app-pgrestore",
    isolation="cluster",
    needs=["pg_restore", "pg_dump"],
    expect={"<12": [0, True], ">=12": [1, False]},
    remedy="Add -f -.",
    remedied=lambda lab: restored(lab, "-f", "-"),
    note=f"The exit status of pg_restore, and whether it wrote a script. {FROM_13}",
    affects=ProgramCall(
        "pg_restore",
        unless=("-d", "--dbname", "-f", "--file", "-l", "--list"),
    ),
)
def pg_restore_to_stdout(lab):
    return restored(lab)


def restored(lab, *options):
    lab.sql("DROP TABLE IF EXISTS t")
    ran = lab.run_server_program("pg_restore", *options, dump_file(lab))
    return [ran.status, "CREATE TABLE public.t" in ran.output]


@behavior(
    "12/psql-pset-format",
    title="psql refuses an abbreviation in \\pset format that fits several formats",
    area="programs",
    release_note="12.14",
    kind="incompatibility",
    manual="app-psql#APP-PSQL-META-COMMAND-PSET",
    isolation="transaction",
    needs=["psql"],
    expect={
        "<12": "Output format is aligned.",
        ">=12": 'ambiguous abbreviation "a" matches both "aligned" and "asciidoc"',
    },
    remedy="Write the format's name in full.",
    remedied=lambda lab: formatted(lab, "aligned"),
    note=FROM_13,
    affects=[
        ProgramCall("psql", word=r"(-P|--pset=)?format=(a|l|la|lat|late)"),
        ScriptText(r"\\pset\s+format\s+(a|l|la|lat|late)(\s|$|['\"])"),
    ],
)
def psql_pset_format(lab):
    return formatted(lab, "a")


def formatted(lab, name):
    ran = lab.run("psql", "--no-psqlrc", stdin=f"\\pset format {name}\n")
    return (ran.output + ran.errors).strip().rpartition("\\pset: ")[2]


rows(
    Row(
        "12.23",
        "libpq-port",
        lambda lab: connected(lab, "5432x"),
        None,
        "08001",
        title="libpq refuses a port with a letter after the number",
        area="clients",
        isolation="database",
        needs=["contrib:dblink"],
        manual="libpq-connect#LIBPQ-PARAMKEYWORDS",
        remedy="Correct the connection string.",
        remedied=lambda lab: connected(lab, "5432"),
        note="dblink connects with the libpq of the server's install.",
        affects=[ScriptText(NO_INTEGER, settings=True), Constant(text=f".*{NO_INTEGER}.*")],
    ),
)


def connected(lab, port):
    """Connect with this port, and return the SQLSTATE of a refusal, or None."""
    lab.sql("CREATE EXTENSION IF NOT EXISTS dblink")
    host = lab.cluster.socket_directory
    return lab.sqlstate(
        f"SELECT dblink_connect('{port}', 'port={port} host={host} dbname=postgres user={lab.cluster.user}')"
    )


@behavior(
    "12/libpq-connect-timeout",
    title="libpq refuses a connect_timeout that isn't a number",
    area="clients",
    release_note="12.23",
    kind="incompatibility",
    manual="libpq-connect#LIBPQ-CONNECT-CONNECT-TIMEOUT",
    isolation="transaction",
    expect={"<12": "connected", ">=12": "refused"},
    remedy="Correct the connection string.",
    remedied=Remedied(lambda lab: connected_with(lab, "connect_timeout=10"), {"all": "connected"}),
    note="A libpq of the same major connects.",
)
def libpq_connect_timeout(lab):
    return connected_with(lab, "connect_timeout=abc")


CONNECT = """
import ctypes, sys
libpq = ctypes.CDLL(sys.argv[1])
libpq.PQconnectdb.restype = ctypes.c_void_p
connection = ctypes.c_void_p(libpq.PQconnectdb(sys.argv[2].encode()))
print("refused" if libpq.PQstatus(connection) else "connected")
libpq.PQfinish(connection)
"""


def connected_with(lab, parameter):
    """Connect with one more parameter, and return libpq's answer: ``connected`` or ``refused``."""
    return run_libpq(lab, CONNECT, f"{lab.dsn} {parameter}")
