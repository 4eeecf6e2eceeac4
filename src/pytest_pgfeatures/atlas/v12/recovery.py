"""Recovery in PostgreSQL 12: no recovery.conf, only one target, and the latest timeline by default."""

import os

from pytest_pgfeatures import VersionSet, behavior
from pytest_pgfeatures.affects import ScriptText, SettingUsed

TARGETS = (
    *("recovery_target", "recovery_target_lsn", "recovery_target_name", "recovery_target_time"),
    "recovery_target_xid",
)

ARCHIVE_RECOVERY = "restore_command = 'false'\n"
TIME = "2000-01-01 00:00:00+00"


def write(lab, name, text=""):
    """Write a file into the data directory, with the server's account as its owner."""
    path = lab.cluster.datadir / name
    owner = lab.cluster.datadir.stat()
    path.write_text(text)
    path.chmod(0o600)
    os.chown(path, owner.st_uid, owner.st_gid)
    return path


@behavior(
    "12/recovery-conf",
    title="A server doesn't start while its data directory has a file recovery.conf",
    area="replication",
    release_note="12.4",
    kind="incompatibility",
    manual="recovery-config",
    isolation="cluster",
    expect={"<12": None, ">=12": 'using recovery command file "recovery.conf" is not supported'},
    remedy="Move its settings to postgresql.conf, and create a file recovery.signal or standby.signal.",
    remedied=lambda lab: recover(lab),
    affects=[
        ScriptText(r"\brecovery\.conf\b(?!\.sample)"),
        SettingUsed("standby_mode", "trigger_file"),
    ],
)
def recovery_conf(lab):
    write(lab, "recovery.conf", ARCHIVE_RECOVERY)
    return lab.restart_refusal()


def recover(lab, **settings):
    """Start archive recovery in the way of the version; return the error if the server doesn't start."""
    (lab.cluster.datadir / "recovery.conf").unlink(missing_ok=True)
    if lab.version in VersionSet("<12"):
        lines = "".join(f"{name} = '{value}'\n" for name, value in settings.items())
        write(lab, "recovery.conf", ARCHIVE_RECOVERY + lines)
        return lab.restart_refusal()
    write(lab, "recovery.signal")
    return lab.restart_refusal(restore_command="false", **settings)


@behavior(
    "12/one-recovery-target",
    title="A server does not start with recovery targets of two kinds",
    area="replication",
    release_note="12.5",
    kind="incompatibility",
    manual="runtime-config-wal#RUNTIME-CONFIG-WAL-RECOVERY-TARGET",
    isolation="cluster",
    expect={"<12": None, ">=12": "multiple recovery targets specified"},
    remedy="Keep one of them.",
    remedied=lambda lab: started_with_one(lab),
    note="Up to 11, the last one wins.",
    affects=[
        SettingUsed(
            name,
            value=".+",
            file=True,
            present=SettingUsed(*(other for other in TARGETS if other != name), value=".+", file=True),
        )
        for name in TARGETS
    ],
)
def one_recovery_target(lab):
    return recover(lab, recovery_target_time=TIME, recovery_target_name="there")


def started_with_one(lab):
    """Restart with one target. From 12 on, without recovery: the archive is empty, so no target is reached."""
    if lab.version in VersionSet("<12"):
        return recover(lab, recovery_target_time=TIME)
    (lab.cluster.datadir / "recovery.signal").unlink()
    configuration = lab.cluster.datadir / "postgresql.conf"
    kept = [line for line in configuration.read_text().splitlines() if "recovery_target_name" not in line]
    configuration.write_text("\n".join(kept) + "\n")
    return lab.restart_refusal()


@behavior(
    "12/recovery-target-timeline",
    title="Recovery follows the latest timeline by default, not the one of the backup",
    area="replication",
    release_note="12.6",
    kind="incompatibility",
    manual="runtime-config-wal#GUC-RECOVERY-TARGET-TIMELINE",
    isolation="cluster",
    settings={"wal_level": "replica"},
    expect={"<12": [1], ">=12": [1, 2]},
    remedy="Set recovery_target_timeline explicitly.",
    note="The archive has two timelines. The answer lists those whose rows the server has after recovery.",
    affects=SettingUsed(
        *("restore_command", "recovery_target", "recovery_target_(?:time|name|xid)"),
        value=".*",
        absent=(SettingUsed("recovery_target_timeline"),),
        first=True,
        may="recovery follows the latest timeline",
    ),
)
def recovery_target_timeline(lab):
    archive = lab.cluster.datadir.with_name("archive")
    archive.mkdir()
    owner = lab.cluster.datadir.stat()
    os.chown(archive, owner.st_uid, owner.st_gid)
    archiving = {"archive_mode": "on", "archive_command": f"cp %p {archive}/%f"}
    promoted, restored = lab.standby("promoted", settings=archiving), lab.standby("restored")
    lab.sql("CREATE TABLE t AS SELECT 1 AS timeline")
    lab.wait_for_catchup(promoted)
    lab.wait_for_catchup(restored)
    restored.cluster.stop()
    promoted.cluster.promote()
    promoted.sql("INSERT INTO t VALUES (2)")
    switch = "pg_switch_wal" if lab.version in VersionSet(">=10") else "pg_switch_xlog"
    promoted.sql(f"SELECT {switch}()")
    directory = "pg_wal" if lab.version in VersionSet(">=10") else "pg_xlog"
    promoted.poll_query_until(
        f"SELECT count(*) > 0 FROM pg_ls_dir('{directory}/archive_status') AS name"
        " WHERE name ~ '^00000002[0-9A-F]{16}.done$'"
    )
    command = f"cp {archive}/%f %p"
    if lab.version in VersionSet("<12"):
        write(restored, "recovery.conf", f"restore_command = '{command}'\n")
        restored.restart()
    else:
        (restored.cluster.datadir / "standby.signal").unlink()
        write(restored, "recovery.signal")
        restored.restart(restore_command=command, primary_conninfo="")
    restored.poll_query_until("SELECT pg_is_in_recovery()", False)
    return [timeline for (timeline,) in restored.sql("SELECT timeline FROM t ORDER BY timeline")]
