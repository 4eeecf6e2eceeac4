"""Changes in psql and libpq of 15. The client's major counts, not the server's."""

import tempfile
from pathlib import Path

from pytest_pgfeatures import NotYet, behavior
from pytest_pgfeatures.affects import ProgramCall, Unseen
from pytest_pgfeatures.atlas.client_library import run_libpq

SEVERAL = r"(?!\\)(?>(?:[^;'\"]++|'[^']*+'|\"[^\"]*+\")+);[\s;]*+[^\s;].*"
"""SQL text with several statements."""
SEVERAL_ROWS = rf"(?i:\s*+(?:select|with|values|table|show|explain)\b){SEVERAL}"
"""SQL text with several statements, of which the first returns rows."""

PIPELINE = """
import ctypes, sys
libpq = ctypes.CDLL(sys.argv[1])
libpq.PQconnectdb.restype = ctypes.c_void_p
connection = ctypes.c_void_p(libpq.PQconnectdb(sys.argv[2].encode()))
assert libpq.PQstatus(connection) == 0
if not hasattr(libpq, "PQenterPipelineMode"):
    print("no pipeline mode")
else:
    assert libpq.PQenterPipelineMode(connection) == 1
    print("sent" if libpq.PQsendQuery(connection, b"SELECT 1") else "refused")
libpq.PQfinish(connection)
"""


@behavior(
    "15/send-query-in-pipeline",
    release_note="15.25",
    title="libpq refuses PQsendQuery in pipeline mode",
    area="clients",
    kind="incompatibility",
    manual="libpq-pipeline-mode",
    isolation="transaction",
    since="15",
    expect={"<14": NotYet("no pipeline mode"), "14": "sent", ">=15": "refused"},
    remedy="Send statements of a pipeline with PQsendQueryParams.",
    affects=Unseen("C programs call PQsendQuery, and readiness doesn't read C code"),
)
def send_query_in_pipeline(lab):
    return run_libpq(lab, PIPELINE, lab.dsn)


@behavior(
    "15/home-directory",
    release_note="15.26",
    title="Client programs take the home directory from HOME",
    area="clients",
    kind="incompatibility",
    manual="app-psql",
    needs=["psql"],
    expect={"<15": "the account's", ">=15": "that of HOME"},
    remedy="Set HOME to the directory that has .psqlrc and .pgpass, or name the files in PSQLRC and"
    " PGPASSFILE.",
    note="Older majors take the home directory of the account in the system's user database.",
    affects=Unseen("it depends on the account that runs a program"),
)
def home_directory(lab):
    with tempfile.TemporaryDirectory() as home:
        Path(home).chmod(0o755)
        (Path(home) / ".psqlrc").write_text("\\echo read\n")
        ran = lab.run("psql", "-At", "-c", "SELECT 1", variables={"HOME": home, "PSQLRC": ""})
    return "that of HOME" if "read" in ran.output.splitlines() else "the account's"


@behavior(
    "15/single-transaction-client-error",
    release_note="15.28",
    title="psql --single-transaction rolls back after a client-side error if ON_ERROR_STOP is set",
    area="clients",
    kind="incompatibility",
    manual="app-psql",
    needs=["psql"],
    expect={"<15": "committed", ">=15": "rolled back"},
    remedy="Look at psql's exit status, and undo what a failed script left on older majors.",
    note="Without ON_ERROR_STOP nothing changed: the commands after the error are run, and committed.",
    affects=ProgramCall(
        "psql",
        option=("-1", "--single-transaction"),
        word=r"(-v|--set=|--variable=)?ON_ERROR_STOP(=(1|on|true|yes))?",
        may="if a meta-command or file fails",
    ),
)
def single_transaction_client_error(lab):
    stop = ["-X", "--single-transaction", "-v", "ON_ERROR_STOP=1"]
    lab.run("psql", *stop, "-c", "CREATE TABLE written (a int)", "-c", "\\i /no/such/file")
    rows = lab.sql("SELECT 1 FROM pg_tables WHERE tablename = 'written'")
    return "committed" if rows else "rolled back"


@behavior(
    "15/psql-all-results",
    release_note="15.x2",
    title="psql -c prints the result of each statement of a string",
    area="clients",
    kind="incompatibility",
    manual="app-psql",
    needs=["psql"],
    expect={"<15": ["2"], ">=15": ["1", "2"]},
    remedy="Set the variable SHOW_ALL_RESULTS to off; older majors ignore it.",
    remedied=lambda lab: lab.run(
        "psql", "-XAt", "-v", "SHOW_ALL_RESULTS=off", "-c", "SELECT 1; SELECT 2"
    ).output.split(),
    affects=[
        ProgramCall(
            "psql",
            option=("-c", "--command"),
            unless=("-q", "--quiet", ">/dev/null"),
            word=SEVERAL,
            may="if the output is read",
        ),
        ProgramCall(
            "psql",
            option=("-q", "--quiet"),
            unless=(">/dev/null",),
            word=SEVERAL_ROWS,
            may="if the output is read",
        ),
    ],
)
def psql_all_results(lab):
    return lab.run("psql", "-XAt", "-c", "SELECT 1; SELECT 2").output.split()
