"""Predefined roles and reserved connections: section 4.5.2 of the PostgreSQL 16 verification report."""

from pytest_pgfeatures import behavior

REPORT = "PostgreSQL 16 verification report"

# --- pg_maintain -------------------------------------------------------------------------------------------

MAINTENANCE = {
    "VACUUM": "VACUUM t_owned",
    "ANALYZE": "ANALYZE t_owned",
    "CLUSTER": "CLUSTER t_owned USING t_owned_pkey",
    "REFRESH MATERIALIZED VIEW": "REFRESH MATERIALIZED VIEW m_owned",
    "REINDEX": "REINDEX TABLE t_owned",
    "LOCK TABLE": "DO $$ BEGIN LOCK TABLE t_owned IN ACCESS EXCLUSIVE MODE; END $$",
}


def create_owned(lab):
    """Create a table and a materialized view of the superuser."""
    lab.sql("CREATE TABLE t_owned (id int PRIMARY KEY)")
    lab.sql("CREATE MATERIALIZED VIEW m_owned AS SELECT 1 AS one")


def allowed(session):
    """Return the maintenance commands that a session's role may run. VACUUM and ANALYZE only warn if it may not."""
    return [
        name
        for name, command in MAINTENANCE.items()
        if session.sqlstate(command) is None and not session.transcript.entries[-1].notices
    ]


@behavior(
    "17/pg-maintain",
    title="A member of pg_maintain may VACUUM, REINDEX and otherwise maintain everyone's tables",
    area="roles",
    source=f"{REPORT}, 4.5.2",
    manual="predefined-roles#PREDEFINED-ROLE-PG-MAINTAIN",
    isolation="cluster",
    expect={"<17": "42704", ">=17": list(MAINTENANCE)},
    note="The report, written on 16beta2, lists it for 16. No release of 16 has it: it was reverted, and"
    " came with 17.",
)
def pg_maintain(lab):
    create_owned(lab)
    if absent := lab.sqlstate("CREATE ROLE maintainer LOGIN IN ROLE pg_maintain"):
        return absent
    return allowed(lab.session("maintainer", user="maintainer"))


@behavior(
    "17/pg-maintain-only",
    title="A member of pg_maintain may neither read nor truncate the tables it maintains",
    area="roles",
    source=f"{REPORT}, 4.5.2",
    manual="predefined-roles#PREDEFINED-ROLE-PG-MAINTAIN",
    isolation="cluster",
    expect={"<17": "42704", ">=17": {"SELECT": "42501", "TRUNCATE": "42501"}},
)
def pg_maintain_only(lab):
    create_owned(lab)
    if absent := lab.sqlstate("CREATE ROLE maintainer LOGIN IN ROLE pg_maintain"):
        return absent
    maintainer = lab.session("maintainer", user="maintainer")
    return {
        "SELECT": maintainer.sqlstate("SELECT * FROM t_owned"),
        "TRUNCATE": maintainer.sqlstate("TRUNCATE t_owned"),
    }


@behavior(
    "17/grant-maintain",
    title="The privilege to maintain one table can be granted",
    area="roles",
    source=f"{REPORT}, 4.5.2",
    manual="ddl-priv",
    isolation="cluster",
    expect={"<17": "42601", ">=17": ["VACUUM", "ANALYZE", "CLUSTER", "REINDEX", "LOCK TABLE"]},
    note="The privilege behind pg_maintain. Here it is granted on the table, not on the materialized view.",
)
def grant_maintain(lab):
    create_owned(lab)
    lab.sql("CREATE ROLE maintainer LOGIN")
    if absent := lab.sqlstate("GRANT MAINTAIN ON t_owned TO maintainer"):
        return absent
    return allowed(lab.session("maintainer", user="maintainer"))


@behavior(
    "17/maintenance-without-privilege",
    title="Without a privilege, only the owner and superusers may maintain a table",
    area="roles",
    source=f"{REPORT}, 4.5.2",
    manual="sql-vacuum",
    isolation="cluster",
    expect={"all": []},
    note="This is what pg_maintain changes. VACUUM and ANALYZE only warn; the other commands are refused.",
)
def maintenance_without_privilege(lab):
    create_owned(lab)
    lab.sql("CREATE ROLE visitor LOGIN")
    return allowed(lab.session("visitor", user="visitor"))


# --- pg_create_subscription --------------------------------------------------------------------------------


def subscribe(session, name="s", password="password=secret"):
    """Return the answer to a CREATE SUBSCRIPTION that does not connect yet."""
    return session.sqlstate(
        f"CREATE SUBSCRIPTION {name} CONNECTION 'host=nowhere user=someone {password}' PUBLICATION p"
        " WITH (connect = false)"
    )


def grant_create(lab):
    lab.sql(f"GRANT CREATE ON DATABASE {lab.value('SELECT current_database()::text')} TO subscriber")


@behavior(
    "16/pg-create-subscription",
    title="A member of pg_create_subscription with CREATE on the database may create subscriptions",
    area="roles",
    source=f"{REPORT}, 4.5.2",
    manual="predefined-roles#PREDEFINED-ROLE-PG-CREATE-SUBSCRIPTION",
    isolation="cluster",
    since="16",
    expect={
        "<10": "42601",
        "10..15": "42704",
        ">=16": {
            "neither": "42501",
            "member": "42501",
            "member, CREATE": None,
        },
    },
    note="Up to 15 only superusers may, and the role doesn't exist; 10 brought subscriptions.",
)
def pg_create_subscription(lab):
    lab.sql("CREATE ROLE subscriber LOGIN")
    subscriber = lab.session("subscriber", user="subscriber")
    neither = subscribe(subscriber)
    if neither == "42601":
        return neither
    if absent := lab.sqlstate("GRANT pg_create_subscription TO subscriber"):
        return absent
    member = subscribe(subscriber)
    grant_create(lab)
    return {"neither": neither, "member": member, "member, CREATE": subscribe(subscriber)}


@behavior(
    "16/subscription-password",
    title="Roles without SUPERUSER need a password in a subscription's connection string",
    area="roles",
    source=f"{REPORT}, 4.5.2",
    manual="sql-createsubscription#SQL-CREATESUBSCRIPTION-PARAMS-WITH-PASSWORD-REQUIRED",
    isolation="cluster",
    since="16",
    expect={"<16": "42704", ">=16": {"superuser": None, "member of pg_create_subscription": "2F003"}},
    note="Without a password, a subscription could connect as the operating system's user that runs the"
    " server.",
)
def subscription_password(lab):
    if absent := lab.sqlstate("CREATE ROLE subscriber LOGIN IN ROLE pg_create_subscription"):
        return absent
    grant_create(lab)
    subscriber = lab.session("subscriber", user="subscriber")
    return {
        "superuser": subscribe(lab, "by_superuser", password=""),
        "member of pg_create_subscription": subscribe(subscriber, "by_member", password=""),
    }


# --- reserved_connections ----------------------------------------------------------------------------------


def connections(lab, user):
    """Count the connections that a role gets until the server refuses one. They stay open."""
    count = 0
    while lab.refusal(user=user) is None:
        count += 1
    return count


@behavior(
    "16/reserved-connections",
    title="reserved_connections keeps connections for members of pg_use_reserved_connections",
    area="roles",
    source=f"{REPORT}, 4.5.2",
    manual="runtime-config-connection#GUC-RESERVED-CONNECTIONS",
    isolation="cluster",
    expect={
        "<16": {"alice": 7, "bob": 0, "postgres": 3},
        ">=16": {"alice": 4, "bob": 3, "postgres": 3},
    },
    note=(
        "The report's ten connections: three reserved for superusers, and since 16 three for bob, who is in"
        " pg_use_reserved_connections. The three roles connect one after the other, each until it is refused."
    ),
)
def reserved_connections(lab):
    lab.restart(
        max_connections=11,  # ten, and the lab's own
        superuser_reserved_connections=3,
        reserved_connections=3,
        max_wal_senders=0,  # before 12 they count among the connections
    )
    lab.sql("CREATE ROLE alice LOGIN")
    lab.sql("CREATE ROLE bob LOGIN")
    lab.sqlstate("GRANT pg_use_reserved_connections TO bob")
    return {user: connections(lab, user) for user in ("alice", "bob", "postgres")}


@behavior(
    "16/reserved-connections-default",
    title="By default, connections are reserved only for superusers",
    area="roles",
    source=f"{REPORT}, 4.5.2",
    manual="runtime-config-connection#GUC-RESERVED-CONNECTIONS",
    isolation="transaction",
    expect={"<16": "42704", ">=16": "0"},
)
def reserved_connections_default(lab):
    return lab.value_or_sqlstate("SHOW reserved_connections")
