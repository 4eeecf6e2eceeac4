"""Authentication in PostgreSQL 16: the meaning of words in pg_hba.conf and pg_ident.conf."""

from pytest_pgfeatures import behavior
from pytest_pgfeatures.affects import AccessRule, Identity
from pytest_pgfeatures.atlas.protocol import startup_answer


@behavior(
    "16/hba-slash",
    title="A database or role that begins with a slash in pg_hba.conf is a regular expression",
    area="privileges",
    source="PostgreSQL 16 release notes, pg_hba.conf",
    manual="auth-pg-hba-conf",
    kind="incompatibility",
    isolation="cluster",
    expect={"<16": "refused", ">=16": "accepted"},
    remedy="Write an expression for the name itself: /^/clerks$ for the role /clerks.",
    remedied=lambda lab: answer(lab, "local all /^/cl trust"),
    note="The answer to a login as clerk, if the only line that could match has the role /^cl. Double"
    " quotes change nothing.",
    affects=[AccessRule(database='"?/.*'), AccessRule(user='"?/.*')],
)
def hba_slash(lab):
    return answer(lab, "local all /^cl trust")


@behavior(
    "16/ident-all",
    title="pg_ident.conf reads the role all as every role, +name as members, /name as a pattern",
    area="privileges",
    source="PostgreSQL 16 release notes, pg_hba.conf",
    manual="auth-username-maps",
    kind="incompatibility",
    isolation="cluster",
    expect={"<16": "refused", ">=16": "accepted"},
    remedy="Write all and +name in double quotes, and for the role /name the expression /^/name$.",
    remedied=lambda lab: answer(lab, PEER, 'any /^.* "all"'),
    note="The answer to a login as clerk, if pg_ident.conf maps each user to the role all.",
    affects=Identity(database_user=r'all|\+.*|"?/.*'),
)
def ident_all(lab):
    return answer(lab, PEER, "any /^.* all")


PEER = "local all clerk peer map=any"


def answer(lab, rule, identity=""):
    """Log in as the role clerk, with ``rule`` in pg_hba.conf and ``identity`` in pg_ident.conf."""
    lab.sql("DROP ROLE IF EXISTS clerk")
    lab.sql("CREATE ROLE clerk LOGIN")
    (lab.cluster.datadir / "pg_hba.conf").write_text(f"local all postgres trust\n{rule}\n")
    (lab.cluster.datadir / "pg_ident.conf").write_text(f"{identity}\n")
    lab.restart()
    return startup_answer(lab, 3, user="clerk")
