"""Run README's steps as its reader, and then the tests that need root. ``.ci/run`` runs this.

As root: create a user with an empty home, an empty cache and no variables but the machine's certificates,
proxies and settings for packages; clone the repository as that user, and run the steps there. Then users with
difficult names run the tests that connect from within, and root runs the tests that need root, and those of
the newest Python. At the end, the users and all their files are removed. As another user: run the steps here.

It needs nothing but the standard library, as it runs before there is an environment. The last line is that of
pytest.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import re
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).parents[1]
SECONDS = 5000
"""The limit for all steps together; a run of CI may take 5,400."""
PASSED_ON = re.compile(
    r"PIP_\w+|SSL_CERT_\w+|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|(https?|all|no)_proxy", re.IGNORECASE
)
"""Variables of the machine that the created user gets."""
SETTINGS = (".config/pip/pip.conf", ".pip/pip.conf", ".m2/settings.xml", ".config/jgo.conf", ".jgorc")
"""Root's files with settings for packages."""
STEPS = {
    "check": ("make", "check"),
    "verify": ("make", "verify"),
    "test": ("make", "test"),
    "thorough": ("make", "thorough"),
    "no bytecode": ("make", "quick", "verify", "PG=18"),
}
"""The commands that run as README's reader, in this order."""
WITHOUT_BYTECODE = {"PYTHONDONTWRITEBYTECODE": "1"}
"""Python's setting in many containers."""
OTHER_NAMES = ("Upper", "two words", "postgres")
FROM_WITHIN = (
    "pgfeatures",
    "verify",
    "--pg",
    "9.6,18",
    "-k",
    "fdw or dblink or subscri or bidirectional or programs",
)
"""The tests that connect from within. Of the other names, some are no roles, need quotes, or are a role."""
AS_ROOT = {
    "tests that need root": ("-m", "pytest", "-q", "-m", "root", "tests"),
    "newest Python": ("-m", "devtools.newest_python"),
}
_SECONDS_TO_CLEAN_UP = 20
_CLOSING = re.compile(r"=*\s*\d+ (?:passed|failed|error|deselected|skipped).* in [\d.]+s.*")


@dataclass(frozen=True)
class User:
    """A user, and the command line and variables to run as that user."""

    name: str
    home: Path
    prefix: tuple[str, ...] = ()
    variables: dict[str, str] = field(default_factory=dict)


@dataclass
class Steps:
    """Runs commands one after the other, and records their results."""

    deadline: float
    table: list[str] = field(default_factory=list)
    failed: bool = False
    closing: str = ""

    def run(self, name: str, command: tuple[str, ...], user: User, place: Path, **more: str) -> None:
        """Run a command until it ends or the time is over, with this program's output."""
        begun = time.monotonic()
        print(f"\n===> {name}, as {user.name}: {' '.join(command)}", flush=True)
        process = subprocess.Popen(
            [*user.prefix, *command],
            cwd=place,
            env=user.variables | more,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        late = threading.Timer(max(1.0, self.deadline - begun), _end, (process.pid,))
        late.start()
        closing = ""
        assert process.stdout is not None
        try:
            for line in process.stdout:
                print(line, end="", flush=True)
                if _CLOSING.fullmatch(line.strip()):
                    closing = line.strip()
            status = process.wait()
        except BaseException:
            _end(process.pid)
            raise
        finally:
            late.cancel()
        seconds = time.monotonic() - begun
        self.failed |= status != 0
        self.closing = closing or self.closing
        self.table.append(
            f"{name:24} {user.name:12} {seconds:6.0f} s  status {status:3}  {closing.strip('= ')}"
        )


def _end(group: int) -> None:
    """End a group of processes, after some time to clean up."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGTERM)
        time.sleep(_SECONDS_TO_CLEAN_UP)
        os.killpg(group, signal.SIGKILL)


class Users:
    """Creates users, and removes them with all their files. An existing account only gets a home for a while."""

    def __init__(self) -> None:
        self._made: list[pwd.struct_passwd] = []
        self._homes: list[Path] = []

    def make(self, name: str) -> User | None:
        """Create a user with an empty home, or give the account of that name one; None if useradd refuses."""
        home = Path("/home") / f"reader-{secrets.token_hex(3)}"
        home.parent.mkdir(exist_ok=True)
        lent = _exists(name)
        if not lent:
            options = ["--badname", "--no-create-home", "--shell", "/bin/bash", "--user-group"]
            made = subprocess.run(["useradd", *options, "--home-dir", str(home), name], check=False)
            if made.returncode != 0:
                return None
            self._made.append(pwd.getpwnam(name))
        facts = pwd.getpwnam(name)
        self._homes.append(home)
        home.mkdir(mode=0o755)
        if lent:
            (home / "tmp").mkdir()
        for path in SETTINGS:
            with contextlib.suppress(OSError):
                text = (Path.home() / path).read_bytes()
                (home / path).parent.mkdir(parents=True, exist_ok=True)
                (home / path).write_bytes(text)
        _give(home, facts)
        return User(
            name,
            home,
            ("setpriv", f"--reuid={facts.pw_uid}", f"--regid={facts.pw_gid}", "--clear-groups"),
            {name: value for name, value in os.environ.items() if PASSED_ON.fullmatch(name)}
            | {"HOME": str(home), "USER": name, "LOGNAME": name, "SHELL": "/bin/bash", "LANG": "C.UTF-8"}
            | {"PATH": "/usr/local/bin:/usr/bin:/bin"}
            | {"HYPOTHESIS_PROFILE": "ci"}  # the same examples in each run; other runs draw new ones
            | ({"TMPDIR": str(home / "tmp")} if lent else {}),
        )

    def remove(self) -> None:
        """End the users' processes, and remove the users, their homes, and their files in shared directories.

        Other processes and files of an account that existed before stay.
        """
        for facts in self._made:
            subprocess.run(["pkill", "-KILL", "-U", str(facts.pw_uid)], check=False)
            subprocess.run(["userdel", "--force", facts.pw_name], check=False, stderr=subprocess.DEVNULL)
            for place in ("/tmp", "/var/tmp", "/dev/shm"):
                owned = [place, "-xdev", "-depth", "-mindepth", "1", "-user", str(facts.pw_uid)]
                subprocess.run(["find", *owned, "-delete"], check=False, stderr=subprocess.DEVNULL)
        for home in self._homes:
            shutil.rmtree(home, ignore_errors=True)
        self._made.clear()
        self._homes.clear()


def _exists(name: str) -> bool:
    with contextlib.suppress(KeyError):
        pwd.getpwnam(name)
        return True
    return False


def _give(place: Path, owner: pwd.struct_passwd) -> None:
    """Change the owner of a directory and all its content to a user."""
    for path in (place, *place.rglob("*")):
        os.chown(path, owner.pw_uid, owner.pw_gid, follow_symlinks=False)


def clone(user: User) -> Path:
    """Clone the repository, also a shallow one, for a user who may be unable to read it here."""
    place = user.home / "pytest-pgfeatures"
    serve = "git -c safe.directory='*' upload-pack"  # the repository may be another user's
    command = ["git", "clone", "--quiet", "--no-local", "--upload-pack", serve, f"file://{TOP}", str(place)]
    subprocess.run(command, env=user.variables, cwd=user.home, check=True)
    _give(place, pwd.getpwnam(user.name))
    return place


def as_reader(steps: Steps, user: User, place: Path) -> None:
    """Run the steps as README's reader, with the Python that this runs on."""
    for name, command in STEPS.items():
        more = WITHOUT_BYTECODE if name == "no bytecode" else {}
        for made in place.glob("src/**/__pycache__") if more else ():
            shutil.rmtree(made, ignore_errors=True)
        steps.run(name, (*command, f"PYTHON={sys.executable}"), user, place, **more)


def as_others(steps: Steps, users: Users, place: Path) -> None:
    """Run the tests that connect from within as users with the other names, with the reader's environment."""
    for name in OTHER_NAMES:
        user = users.make(name)
        if user is None:
            print(f"\n===> there is no user {name!r}: useradd refuses the name", flush=True)
            continue
        program, *arguments = FROM_WITHIN
        steps.run("other names", (str(place / ".venv/bin" / program), *arguments), user, user.home)


def main() -> int:
    """Run all steps. The exit status is 1 if one failed."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.signal(signal.SIGHUP, lambda *_: sys.exit(129))
    os.umask(0o022)
    steps, users = Steps(time.monotonic() + SECONDS), Users()
    here = User(pwd.getpwuid(os.geteuid()).pw_name, Path.home(), variables=dict(os.environ))
    print(f"Python {sys.version.split()[0]} ({sys.executable})", flush=True)
    try:
        if os.geteuid() != 0:
            as_reader(steps, here, TOP)
        else:
            user = users.make(f"reader-{secrets.token_hex(3)}")
            if user is None:
                print("no user could be created")
                return 1
            place = clone(user)
            as_reader(steps, user, place)
            as_others(steps, users, place)
            steps.run("setup", ("make", "setup", f"PYTHON={sys.executable}"), here, TOP)
            for name, arguments in AS_ROOT.items():
                steps.run(name, (str(TOP / ".venv/bin/python"), *arguments), here, TOP)
    finally:
        users.remove()
    print("\n" + "\n".join(steps.table))
    print(steps.closing)
    return int(steps.failed)


if __name__ == "__main__":
    sys.exit(main())
