"""The role that a subscription writes as, and the setting that archives WAL, from 16 on."""

import itertools

from pytest_pgfeatures import NotYet, behavior
from pytest_pgfeatures.affects import ParseNode, SettingUsed
from pytest_pgfeatures.atlas.v15.subscription_owners import CREATE_ROLE, LOGICAL


@behavior(
    "16/subscription-as-table-owner",
    release_note="16.x5",
    title="A subscription writes as the tables' owners",
    area="replication",
    kind="incompatibility",
    manual="logical-replication-security",
    settings=LOGICAL,
    since="16",
    expect={"<10": NotYet("no subscriptions"), "10..15": "postgres", ">=16": "holder"},
    remedy="Use CREATE SUBSCRIPTION ... WITH (run_as_owner = true) if triggers rely on the subscription's"
    " owner.",
    note="Here a trigger of the table records the current user. postgres owns the subscription.",
    affects=ParseNode(
        "CreateSubscriptionStmt",
        lacks={"options": "run_as_owner"},
        may="if the subscription's owner is no superuser",
    ),
)
def subscription_as_table_owner(lab):
    table = "CREATE TABLE items (id int PRIMARY KEY)"
    lab.sql(table)
    if lab.sqlstate("CREATE PUBLICATION pub FOR TABLE items"):
        return "no subscriptions"
    subscriber = lab.peer("subscriber")
    subscriber.sql(table)
    subscriber.sql(CREATE_ROLE.format("holder"))
    subscriber.sql(
        "CREATE TABLE seen (name name);"
        "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN INSERT INTO public.seen VALUES (current_user); RETURN NEW; END $$;"
        "CREATE TRIGGER note BEFORE INSERT ON items FOR EACH ROW EXECUTE PROCEDURE note();"
        "ALTER TABLE items ENABLE ALWAYS TRIGGER note;"
        "ALTER TABLE items OWNER TO holder; GRANT ALL ON seen TO holder"
    )
    subscriber.sql(f"CREATE SUBSCRIPTION sub CONNECTION '{lab.dsn}' PUBLICATION pub")
    subscriber.wait_for_subscription_sync(lab, "sub")
    lab.sql("INSERT INTO items VALUES (1)")
    subscriber.poll_query_until("SELECT count(*) = 1 FROM seen")
    return subscriber.value("SELECT name::text FROM seen")


BOTH = """
archive_mode = on
archive_command = 'true'
archive_library = 'basic_archive'
basic_archive.archive_directory = 'pg_snapshots'
"""


@behavior(
    "16/archive-library-and-command",
    release_note="16.x6",
    title="archive_library and archive_command must not both be set",
    area="settings",
    kind="incompatibility",
    manual="runtime-config-wal#GUC-ARCHIVE-LIBRARY",
    needs={"contrib:basic_archive": ">=15"},
    isolation="cluster",
    since="16",
    expect={"<15": NotYet("no archive_library"), "15": "by the library", ">=16": "refused"},
    remedy="Keep one of the two.",
    note="The server starts, but its archiver refuses to work, and WAL files aren't archived.",
    affects=[
        SettingUsed(name, value=".+", file=True, present=SettingUsed(other, value=".+", file=True))
        for name, other in itertools.permutations(("archive_library", "archive_command"))
    ],
)
def archive_library_and_command(lab):
    if not lab.value("SELECT count(*) FROM pg_settings WHERE name = 'archive_library'"):
        return "no archive_library"
    lab.cluster.append_conf(BOTH)
    lab.restart()
    lab.sql("CREATE TABLE written (a int)")
    lab.sql("SELECT pg_switch_wal()")
    archived = "SELECT count(*) > 0 FROM pg_ls_dir('pg_snapshots') AS name WHERE name ~ '^[0-9A-F]{24}$'"

    def seen():
        if lab.value(archived):
            return "by the library"
        refused = 'both "?archive_command"? and "?archive_library"? set'
        return "refused" if lab.cluster.log_contains(refused) else None

    return lab.wait_until(seen, "a WAL file to be archived, or the archiver to refuse")
