"""Authentication in PostgreSQL 14: pg_hba.conf, version 2 of the protocol."""

from pytest_pgfeatures import NotYet, Remedied, behavior
from pytest_pgfeatures.affects import AccessRule, ScriptText
from pytest_pgfeatures.atlas.protocol import startup_answer
from pytest_pgfeatures.atlas.tls import certificate


def taken(lab, options):
    """Return whether a server with TLS starts with these ``options`` in a line of pg_hba.conf."""
    settings = certificate(lab)
    settings["ssl_ca_file"] = settings["ssl_cert_file"]
    line = f"hostssl all all 192.0.2.1/32 {options}"
    return lab.create_refusal("tls", settings=settings, pg_hba=[line]) is None


@behavior(
    "14/clientcert-number",
    title="pg_hba.conf refuses clientcert=1 and 0, and takes verify-ca or verify-full",
    area="connections",
    release_note="14.19",
    kind="incompatibility",
    manual="auth-cert",
    isolation="transaction",
    needs=["ssl"],
    expect={"<14": True, ">=14": False},
    remedy="Write clientcert=verify-ca for 1, and leave out 0.",
    remedied=lambda lab: taken(lab, "trust clientcert=verify-ca"),
    note="Whether the server starts. Up to 11, it accepts verify-ca but doesn't verify: write 1 there.",
    affects=AccessRule(option="clientcert=(1|0|no-verify)"),
)
def clientcert_number(lab):
    return taken(lab, "trust clientcert=1")


@behavior(
    "14/clientcert-with-cert",
    title="The method cert in pg_hba.conf refuses clientcert=verify-ca",
    area="connections",
    release_note="14.19",
    kind="incompatibility",
    manual="auth-cert",
    isolation="transaction",
    needs=["ssl"],
    expect={"<12": NotYet(False), "12..13": True, ">=14": False},
    since="14",
    remedy="Leave out clientcert, or write verify-full, which cert implies.",
    remedied=Remedied(lambda lab: taken(lab, "cert"), {"all": True}),
    note="Whether the server starts. clientcert=verify-ca came with 12.",
    affects=AccessRule(method="cert", option="clientcert=(verify-ca|no-verify|0)"),
)
def clientcert_with_cert(lab):
    return taken(lab, "cert clientcert=verify-ca")


@behavior(
    "14/protocol-2",
    title="Clients that speak version 2 of the protocol are refused",
    area="connections",
    release_note="14.21",
    kind="incompatibility",
    manual="protocol",
    isolation="transaction",
    expect={"<14": "accepted", ">=14": "refused"},
    remedy="Upgrade them to a client that speaks version 3, which dates from 2003.",
    remedied=lambda lab: startup_answer(lab, 3),
    affects=ScriptText(r"\bprotocolversion=2\b|\bprotocol=6\.4\b", settings=True),
)
def protocol_2(lab):
    return startup_answer(lab, 2)
