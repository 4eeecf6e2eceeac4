"""Programs that PostgreSQL 10 changed or removed."""

from pytest_pgfeatures import Remedied, behavior
from pytest_pgfeatures.affects import ProgramCall
from pytest_pgfeatures.atlas.patterns import programs


@behavior(
    "10/pg-ctl-waits",
    title="pg_ctl start waits until the server has started, and fails if it doesn't start",
    area="programs",
    release_note="10.12",
    kind="incompatibility",
    manual="app-pg-ctl",
    isolation="cluster",
    expect={"<10": 0, ">=10": 1},
    remedy="Add -W where a script must not wait.",
    note="The exit status of pg_ctl for a server that ends at once because of an error in its configuration.",
    remedied=lambda lab: start_with_a_mistake(lab, "-W"),
    affects=ProgramCall(
        "pg_ctl", word="start|restart|promote", unless=("-w", "-W", "--wait", "--no-wait"), may="it waits now"
    ),
)
def pg_ctl_waits(lab):
    return start_with_a_mistake(lab)


def start_with_a_mistake(lab, *options):
    lab.cluster.stop()
    return lab.run_server_program(
        "pg_ctl", "start", *options, "-D", lab.cluster.datadir, "-o", "-c nonsense=1", "-l", "/dev/null"
    ).status


@behavior(
    "10/pg-basebackup-wal",
    title="pg_basebackup streams the WAL that the backup needs",
    area="programs",
    release_note="10.10",
    kind="incompatibility",
    manual="app-pgbasebackup",
    isolation="cluster",
    needs=["pg_basebackup"],
    expect={"<10": False, ">=10": True},
    remedy="Add -X none where the WAL is archived.",
    remedied=lambda lab: backup_has_wal(lab, "without", "-X", "none"),
    note="Whether the backup has a WAL file. No install source has the programs of 9.6: this ran from 13 on.",
    affects=ProgramCall(
        "pg_basebackup",
        unless=("-X", "--xlog-method", "--wal-method", "-x", "--xlog"),
        may="the backup has its WAL",
    ),
)
def pg_basebackup_wal(lab):
    return backup_has_wal(lab, "backup")


def backup_has_wal(lab, name, *options):
    directory = lab.cluster.socket_directory / name
    lab.run_server_program(
        *("pg_basebackup", "--pgdata", directory, "--checkpoint=fast", "--dbname", lab.dsn, "--no-sync"),
        *options,
    )
    return any(directory.glob("pg_wal/0*"))


@behavior(
    "10/pg-basebackup-x",
    title="pg_basebackup has no option -x",
    area="programs",
    release_note="10.10",
    kind="incompatibility",
    manual="app-pgbasebackup",
    isolation="transaction",
    needs=["pg_basebackup"],
    expect={"<10": True, ">=10": False},
    remedy="Write -X fetch; or leave it out: pg_basebackup then streams the WAL.",
    note="Whether --help lists it. No install source has the programs of 9.6: this ran from 13 on.",
    affects=ProgramCall("pg_basebackup", option=("-x", "--xlog")),
)
def pg_basebackup_x(lab):
    return "-x, " in lab.run("pg_basebackup", "--help").output


@behavior(
    "10/createlang",
    title="The programs createlang and droplang are gone",
    area="programs",
    release_note="10.26",
    kind="incompatibility",
    manual="sql-createextension",
    isolation="transaction",
    needs=["createdb"],
    expect={"<10": ["createlang", "droplang"], ">=10": []},
    remedy="Run CREATE EXTENSION and DROP EXTENSION.",
    remedied=Remedied("CREATE EXTENSION IF NOT EXISTS plpgsql", {"all": None}),
    note="No install source has the programs of 9.6: this ran from 13 on.",
    affects=ProgramCall("createlang", "droplang"),
)
def createlang(lab):
    return programs(lab, "createlang", "droplang")
