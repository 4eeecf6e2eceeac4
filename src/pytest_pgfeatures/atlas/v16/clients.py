"""libpq and psql: sections 4.4.1 and 4.4.2 of the PostgreSQL 16 verification report.

These are changes of clients: psql runs with the libpq of its own major, whatever the server's.
"""

import re

from pytest_pgfeatures import behavior
from pytest_pgfeatures.atlas.v16.logical_replication import REPLICATED

REPORT = "PostgreSQL 16 verification report"

# --- 4.4.1 Load balancing in libpq -------------------------------------------------------------------------

WHERE = "SELECT current_setting('unix_socket_directories')"
AT_ONCE = 5
"""The number of connections of one psql."""
ENOUGH = 64
"""The number of connections that reach both of two random servers, except in one run of 2 to the power of 63."""


def names(nodes):
    """Return the nodes by their socket's directory, which libpq takes as a host."""
    return {node.cluster.host: node.name for node in nodes}


def to(nodes, options=""):
    """Return a connection string with several hosts."""
    return f"host={','.join(names(nodes))} {options}"


def psql(lab, connections, query=WHERE, variables=None):
    """Run a query with one psql on one connection after the other, until one is refused."""
    first, *others = connections
    script = f"{query};\n" + "".join(f"\\connect '{each}'\n{query};\n" for each in others)
    return lab.run("psql", "-XAt", "-v", "VERBOSITY=verbose", first, stdin=script, variables=variables)


def servers(lab, nodes, connections, variables=None):
    """Return the servers that one psql's connections reach, until one is refused."""
    lines = psql(lab, connections, variables=variables).output.splitlines()
    found = [names(nodes)[line] for line in lines if line in names(nodes)]
    return found if len(found) == len(connections) else [*found, "refused"]


def by_psql(lab, nodes, connection, variables=None):
    """Return a function that connects a given number of times and returns the servers."""
    return lambda count: servers(lab, nodes, [connection] * count, variables)


def reached(connect, expected=1):
    """Return the servers that a few connections reach, or as many as it takes to reach ``expected`` servers."""
    seen = set()
    for _ in range(ENOUGH // AT_ONCE if expected > 1 else 1):
        seen.update(connect(AT_ONCE))
        if seen == {"refused"} or len(seen) == expected:
            break
    return sorted(seen)


OPTIONS = {
    "default": "",
    "disable": "load_balance_hosts=disable",
    "random": "load_balance_hosts=random",
    "random, standby": "load_balance_hosts=random target_session_attrs=standby",
    "random, primary": "load_balance_hosts=random target_session_attrs=primary",
    "foo": "load_balance_hosts=foo",
}
SEEN = {"random": 3, "random, standby": 2}


@behavior(
    "16/load-balance-hosts-psql",
    title="load_balance_hosts = random spreads psql's connections over the hosts",
    area="clients",
    source=f"{REPORT}, 4.4.1",
    manual="libpq-connect#LIBPQ-CONNECT-LOAD-BALANCE-HOSTS",
    since="16",
    needs=["psql"],
    expect={
        "<10": dict.fromkeys(OPTIONS, ("refused",)),
        "10..15": dict.fromkeys(OPTIONS, ("refused",)) | {"default": ["main"]},
        ">=16": {
            "default": ["main"],
            "disable": ["main"],
            "random": ["main", "standby1", "standby2"],
            "random, standby": ["standby1", "standby2"],
            "random, primary": ["main"],
            "foo": ["refused"],
        },
    },
    settings=REPLICATED,
    note="The servers reached, of a primary (main) and two standbys. libpq takes several hosts since 10.",
)
def load_balance_hosts_psql(lab):
    nodes = [lab, lab.shared_standby("standby1"), lab.shared_standby("standby2")]
    return {
        name: reached(by_psql(lab, nodes, to(nodes, options)), SEEN.get(name, 1))
        for name, options in OPTIONS.items()
    }


@behavior(
    "16/load-balance-hosts-variable",
    title="PGLOADBALANCEHOSTS sets load_balance_hosts for programs without a connection string",
    area="clients",
    source=f"{REPORT}, 4.4.1",
    manual="libpq-envars",
    since="16",
    needs=["psql"],
    expect={
        "<10": {"disable": ["refused"], "random": ["refused"], "foo": ["refused"]},
        "10..15": {"disable": ["main"], "random": ["main"], "foo": ["main"]},
        ">=16": {"disable": ["main"], "random": ["main", "standby1"], "foo": ["refused"]},
    },
    settings=REPLICATED,
    note="An older libpq ignores the variable, whatever its value.",
)
def load_balance_hosts_variable(lab):
    nodes = [lab, lab.shared_standby("standby1")]

    return {
        value: reached(
            by_psql(lab, nodes, to(nodes), {"PGLOADBALANCEHOSTS": value}), 2 if value == "random" else 1
        )
        for value in ("disable", "random", "foo")
    }


@behavior(
    "16/load-balance-hosts-psycopg",
    title="load_balance_hosts works with servers of any major: the client implements it",
    area="clients",
    source=f"{REPORT}, 4.4.1",
    manual="libpq-connect#LIBPQ-CONNECT-LOAD-BALANCE-HOSTS",
    expect={
        "all": {
            "disable": ["main"],
            "random": ["main", "standby1", "standby2"],
            "random, standby": ["standby1", "standby2"],
            "random, primary": ["main"],
        }
    },
    settings=REPLICATED,
    note="psycopg's binary wheels contain a libpq, 16 or newer.",
)
def load_balance_hosts_psycopg(lab):
    nodes = [lab, lab.shared_standby("standby1"), lab.shared_standby("standby2")]
    hosts = ",".join(names(nodes))

    def connect(options):
        pairs = dict(option.split("=") for option in options.split())
        with lab.cluster.connect(host=hosts, **pairs) as connection:
            return names(nodes)[connection.execute(WHERE).fetchone()[0]]

    def some(options):
        return lambda count: [connect(options) for _ in range(count)]

    return {
        name: reached(some(OPTIONS[name]), SEEN.get(name, 1))
        for name in ("disable", "random", "random, standby", "random, primary")
    }


ATTRIBUTES = ("any", "read-write", "read-only", "primary", "standby", "prefer-standby", "foo")


@behavior(
    "14/target-session-attrs",
    title="target_session_attrs chooses the primary or a standby among the hosts",
    area="clients",
    source=f"{REPORT}, 4.4.1",
    manual="libpq-connect#LIBPQ-CONNECT-TARGET-SESSION-ATTRS",
    since="14",
    needs=["psql"],
    expect={
        "<10": dict.fromkeys(ATTRIBUTES, ("refused", "refused")),
        "10..13": dict.fromkeys(ATTRIBUTES, ("refused", "refused"))
        | {"any": ["main", "standby1"], "read-write": ["main", "main"]},
        ">=14": {
            "any": ["main", "standby1"],
            "read-write": ["main", "main"],
            "read-only": ["standby1", "standby1"],
            "primary": ["main", "main"],
            "standby": ["standby1", "standby1"],
            "prefer-standby": ["standby1", "standby1"],
            "foo": ["refused", "refused"],
        },
    },
    settings=REPLICATED,
    note="The server reached with the primary (main) named first, and with the standby named first.",
)
def target_session_attrs(lab):
    standby = lab.shared_standby("standby1")
    orders = [lab, standby], [standby, lab]
    connections = [to(nodes, f"target_session_attrs={value}") for value in ATTRIBUTES for nodes in orders]
    found = servers(lab, orders[0], connections)
    while rest := connections[len(found) :]:
        found += servers(lab, orders[0], rest)
    each = iter(found)
    return {value: [next(each), next(each)] for value in ATTRIBUTES}


@behavior(
    "16/load-balanced-update",
    title="A load-balanced UPDATE fails on a standby, unless target_session_attrs = primary",
    area="clients",
    source=f"{REPORT}, 4.4.1",
    manual="libpq-connect#LIBPQ-CONNECT-TARGET-SESSION-ATTRS",
    since="16",
    needs=["psql"],
    expect={
        "<16": {"random": ["refused"], "random, primary": ["refused"]},
        ">=16": {"random": ["25006", "UPDATE 1"], "random, primary": ["UPDATE 1"]},
    },
    settings=REPLICATED,
)
def load_balanced_update(lab):
    lab.sql("CREATE TABLE t1 AS SELECT 1 AS i")
    nodes = [lab, lab.shared_standby("standby1")]
    lab.wait_for_catchup(nodes[1])

    def update(options):
        def outcomes(count):
            ran = psql(lab, [to(nodes, options)] * count, "UPDATE t1 SET i = 1")
            return re.findall(r"^UPDATE 1$", ran.output, re.M) + (
                re.findall(r"ERROR:  (\w{5}):", ran.errors) or ["refused"] * (not ran.output)
            )

        return outcomes

    return {
        "random": reached(update(OPTIONS["random"]), 2),
        "random, primary": reached(update(OPTIONS["random, primary"])),
    }


# --- 4.4.2 The extended query protocol in psql -------------------------------------------------------------


def bound(lab, script):
    """Return psql's output for a script, and the protocol's steps that the server logs for it."""
    since = lab.cluster.log.position()
    logged = "options=-clog_min_duration_statement=0"
    ran = lab.run("psql", "-XAt", f"{lab.dsn} {logged}", stdin=script)
    log = lab.cluster.log.text(since)
    return {
        "output": ran.output.strip(),
        "log": re.findall(r"duration: \S+ ms  (parse|bind|execute|statement)", log),
    }


@behavior(
    "16/psql-bind",
    title=r"psql's \bind sends a query with parameters by the extended query protocol",
    area="clients",
    source=f"{REPORT}, 4.4.2",
    manual="app-psql#APP-PSQL-META-COMMAND-BIND",
    needs=["psql"],
    isolation="transaction",
    expect={
        "<16": {"output": "", "log": []},
        ">=16": {"output": "foo|bar", "log": ["parse", "bind", "execute"]},
    },
    note=r"Up to 15 psql rejects \bind, and the query fails, as its parameters have no values; the exit"
    " status is 0.",
)
def psql_bind(lab):
    return bound(lab, "SELECT $1, $2 \\bind foo bar \\g\n")


@behavior(
    "16/psql-bind-several-statements",
    title=r"With \bind psql can't send several statements: the extended query protocol takes one",
    area="clients",
    source=f"{REPORT}, 4.4.2",
    manual="protocol-flow#PROTOCOL-FLOW-EXT-QUERY",
    needs=["psql"],
    since="16",
    isolation="transaction",
    expect={
        "<15": {"output": "2", "log": ["statement"]},
        "15": {"output": "1\n2", "log": ["statement"]},
        ">=16": {"output": "", "log": []},
    },
    note=r"Up to 15 psql sends both, as without \bind; up to 14 it shows only the last result.",
)
def psql_bind_several_statements(lab):
    return bound(lab, "SELECT 1 \\; SELECT 2 \\bind \\g\n")
