"""ALTER SYSTEM, tablespaces and weaker locks, from part 2 of the PostgreSQL 9.4 verification report."""

from pytest_pgfeatures import behavior

REPORT = "PostgreSQL 9.4 verification report"

# --- ALTER SYSTEM ------------------------------------------------------------------------------------------


def work_mem(lab):
    """Return the value of work_mem in a new session."""
    with lab.session() as session:
        return session.value("SHOW work_mem")


@behavior(
    "9.4/alter-system",
    title="ALTER SYSTEM changes a setting for the whole server, at the next reload",
    area="administration",
    source=f"{REPORT}, SQL (2)",
    manual="sql-altersystem",
    isolation="cluster",
    expect={
        "<9.4": "42601",
        ">=9.4": {"before reload": "4MB", "after reload": "10MB", "DEFAULT": "4MB"},
    },
    note="The command doesn't reload: pg_ctl reload or pg_reload_conf() does.",
)
def alter_system(lab):
    if refused := lab.sqlstate("ALTER SYSTEM SET work_mem TO '10MB'"):
        return refused
    before = work_mem(lab)
    lab.cluster.reload()
    after = work_mem(lab)
    lab.sql("ALTER SYSTEM SET work_mem TO DEFAULT")
    lab.cluster.reload()
    return {"before reload": before, "after reload": after, "DEFAULT": work_mem(lab)}


@behavior(
    "9.4/alter-system-file",
    title="ALTER SYSTEM writes postgresql.auto.conf",
    area="administration",
    source=f"{REPORT}, SQL (2)",
    manual="sql-altersystem",
    isolation="cluster",
    expect={
        "<9.4": "42601",
        ">=9.4": {"SET": ["work_mem = '10MB'"], "SET TO DEFAULT": []},
    },
    note="The lines of the file that aren't comments.",
)
def alter_system_file(lab):
    def written():
        lines = lab.value("SELECT pg_read_file('postgresql.auto.conf', 0, 10000)").splitlines()
        return [line for line in lines if line and not line.startswith("#")]

    if refused := lab.sqlstate("ALTER SYSTEM SET work_mem TO '10MB'"):
        return refused
    changed = written()
    lab.sql("ALTER SYSTEM SET work_mem TO DEFAULT")
    return {"SET": changed, "SET TO DEFAULT": written()}


@behavior(
    "9.4/alter-system-precedence",
    title="ALTER SYSTEM overrides postgresql.conf",
    area="administration",
    source=f"{REPORT}, SQL (2)",
    manual="config-setting#CONFIG-SETTING-CONFIGURATION-FILE",
    isolation="cluster",
    expect={"<9.4": "42601", ">=9.4": "10MB"},
    note="postgresql.conf gets 3MB after ALTER SYSTEM has set 10MB.",
)
def alter_system_precedence(lab):
    if refused := lab.sqlstate("ALTER SYSTEM SET work_mem TO '10MB'"):
        return refused
    lab.cluster.append_conf(work_mem="3MB")
    lab.cluster.reload()
    return work_mem(lab)


@behavior(
    "9.4/alter-system-refused",
    title="ALTER SYSTEM needs a superuser, and can't run in a transaction block",
    area="administration",
    source=f"{REPORT}, SQL (2)",
    manual="sql-altersystem",
    isolation="cluster",
    expect={"<9.4": {"BEGIN": "42601", "alice": "42601"}, ">=9.4": {"BEGIN": "25001", "alice": "42501"}},
    note="The report doesn't mention it. From 15 on, the privilege can be granted.",
)
def alter_system_refused(lab):
    lab.sql("CREATE ROLE alice LOGIN")
    change = "ALTER SYSTEM SET work_mem TO '10MB'"
    lab.sql("BEGIN")
    in_transaction = lab.sqlstate(change)
    lab.sql("ROLLBACK")
    return {"BEGIN": in_transaction, "alice": lab.session("alice", user="alice").sqlstate(change)}


# --- Moving all of a tablespace ----------------------------------------------------------------------------


def create_tablespaces(lab):
    """Create two empty tablespaces outside the data directory, and two tables with one index each."""
    for name in ("tblspc1", "tblspc2"):
        location = lab.cluster.socket_directory / name
        lab.sql(f"COPY (SELECT 1 WHERE false) TO PROGRAM 'mkdir {location}'")
        lab.sql(f"CREATE TABLESPACE {name} LOCATION '{location}'")
    lab.sql("CREATE TABLE a (id int PRIMARY KEY)")
    lab.sql("CREATE TABLE b (id int PRIMARY KEY)")


@behavior(
    "9.4/alter-all-in-tablespace",
    title="All tables, or all indexes, of a tablespace move with one command",
    area="administration",
    source=f"{REPORT}, SQL (2)",
    manual="sql-altertable",
    isolation="cluster",
    expect={
        "<9.4": "42601",
        ">=9.4": {"a": "tblspc1", "a_pkey": "tblspc2", "b": "tblspc1", "b_pkey": "tblspc2"},
    },
    note="It is ALTER TABLE ALL IN TABLESPACE ... SET TABLESPACE. The report writes ALTER TABLESPACE ... MOVE.",
)
def alter_all_in_tablespace(lab):
    create_tablespaces(lab)
    if refused := lab.sqlstate("ALTER TABLE ALL IN TABLESPACE pg_default SET TABLESPACE tblspc1"):
        return refused
    lab.sql("ALTER INDEX ALL IN TABLESPACE pg_default SET TABLESPACE tblspc2")
    return dict(
        lab.sql(
            "SELECT relname, spcname FROM pg_class JOIN pg_tablespace ON pg_tablespace.oid = reltablespace"
            " WHERE relname IN ('a', 'b', 'a_pkey', 'b_pkey')"
        )
    )


@behavior(
    "9.4/alter-tablespace-move",
    title="No release has ALTER TABLESPACE ... MOVE",
    area="administration",
    source=f"{REPORT}, SQL (2)",
    manual="sql-altertablespace",
    since="9.4",
    isolation="transaction",
    expect={"all": {"TABLES": "42601", "INDEXES": "42601"}},
    note="The report took it from a beta of 9.4. The releases have ALTER TABLE ALL IN TABLESPACE instead.",
)
def alter_tablespace_move(lab):
    return {
        "TABLES": lab.sqlstate("ALTER TABLESPACE pg_default MOVE TABLES TO tblspc1"),
        "INDEXES": lab.sqlstate("ALTER TABLESPACE pg_default MOVE INDEXES TO tblspc2"),
    }


# --- Weaker locks ------------------------------------------------------------------------------------------


def create_table(lab):
    lab.sql("CREATE TABLE t_other (id int PRIMARY KEY)")
    lab.sql("INSERT INTO t_other VALUES (1)")
    lab.sql("CREATE TABLE t_lock (id int PRIMARY KEY, n int)")
    lab.sql("INSERT INTO t_lock VALUES (1, 1)")
    lab.sql("ALTER TABLE t_lock ADD CONSTRAINT positive CHECK (n > 0) NOT VALID")


@behavior(
    "9.4/alter-table-concurrently",
    title="A table can be read and written while ALTER COLUMN ... SET STATISTICS is not committed",
    area="administration",
    source=f"{REPORT}, SQL (3)",
    manual="sql-altertable",
    expect={
        "<9.4": {"SELECT": "55P03", "UPDATE": "55P03"},
        ">=9.4": {"SELECT": None, "UPDATE": None},
    },
    note="Another session reads and writes the table, with lock_timeout set.",
)
def alter_table_concurrently(lab):
    create_table(lab)
    other = lab.session("other")
    other.sql("SET lock_timeout = '20ms'")
    lab.sql("BEGIN")
    lab.sql("ALTER TABLE t_lock ALTER COLUMN n SET STATISTICS 400")
    return {
        "SELECT": other.sqlstate("SELECT * FROM t_lock"),
        "UPDATE": other.sqlstate("UPDATE t_lock SET n = 2"),
    }


def locks(lab, changes):
    """Return the strongest lock that each ALTER TABLE takes on the table."""
    create_table(lab)
    lab.sql("CREATE FUNCTION f_nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'")
    lab.sql("CREATE TRIGGER t_nothing AFTER INSERT ON t_lock EXECUTE PROCEDURE f_nothing()")
    strongest = {}
    for change in changes:
        lab.sql("BEGIN")
        lab.sql(f"ALTER TABLE t_lock {change}")
        held = {mode for (mode,) in lab.sql("SELECT mode FROM pg_locks WHERE relation = 't_lock'::regclass")}
        lab.sql("ROLLBACK")
        strongest[change] = next(mode for mode in STRENGTH if mode in held)
    return strongest


STRENGTH = ("AccessExclusiveLock", "ExclusiveLock", "ShareRowExclusiveLock", "ShareUpdateExclusiveLock")
WEAKENED = (
    "ALTER COLUMN n SET STATISTICS 400",
    "ALTER COLUMN n SET (n_distinct = 100)",
    "ALTER COLUMN n RESET (n_distinct)",
    "VALIDATE CONSTRAINT positive",
    "CLUSTER ON t_lock_pkey",
    "SET WITHOUT CLUSTER",
)


@behavior(
    "9.4/alter-table-locks",
    title="Several forms of ALTER TABLE no longer block reads and writes",
    area="administration",
    source=f"{REPORT}, SQL (3)",
    manual="sql-altertable",
    expect={
        "<9.4": dict.fromkeys(WEAKENED, "AccessExclusiveLock"),
        ">=9.4": dict.fromkeys(WEAKENED, "ShareUpdateExclusiveLock"),
    },
)
def alter_table_locks(lab):
    return locks(lab, WEAKENED)


@behavior(
    "9.5/alter-table-locks",
    title="ALTER TABLE ... DISABLE TRIGGER and ADD FOREIGN KEY block writes only",
    area="administration",
    source=f"{REPORT}, SQL (3)",
    manual="sql-altertable",
    expect={
        "<9.5": {
            "DISABLE TRIGGER t_nothing": "AccessExclusiveLock",
            "ADD FOREIGN KEY (n) REFERENCES t_other": "AccessExclusiveLock",
        },
        ">=9.5": {
            "DISABLE TRIGGER t_nothing": "ShareRowExclusiveLock",
            "ADD FOREIGN KEY (n) REFERENCES t_other": "ShareRowExclusiveLock",
        },
    },
    note="The report says that 9.4 weakens some locks. These came later.",
)
def alter_table_locks_9_5(lab):
    return locks(lab, ("DISABLE TRIGGER t_nothing", "ADD FOREIGN KEY (n) REFERENCES t_other"))


@behavior(
    "9.6/alter-table-locks",
    title="Storage parameters can be set while a table is read and written",
    area="administration",
    source=f"{REPORT}, SQL (3)",
    manual="sql-altertable",
    expect={
        "<9.6": {
            "SET (fillfactor = 50)": "AccessExclusiveLock",
            "ALTER COLUMN n SET DEFAULT 1": "AccessExclusiveLock",
        },
        ">=9.6": {
            "SET (fillfactor = 50)": "ShareUpdateExclusiveLock",
            "ALTER COLUMN n SET DEFAULT 1": "AccessExclusiveLock",
        },
    },
    note="Other forms, such as SET DEFAULT, still block reads and writes.",
)
def alter_table_locks_9_6(lab):
    return locks(lab, ("SET (fillfactor = 50)", "ALTER COLUMN n SET DEFAULT 1"))
