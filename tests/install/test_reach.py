"""A registry that can't be asked is said to be so, with the reason: a proxy, its certificate, the network.

The proxies listen here, and pip and jgo are the real ones.
"""

from __future__ import annotations

import contextlib
import html
import json
import os
import re
import socket
import ssl
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pytest_pgfeatures.atlas.tls import CERTIFICATE, KEY
from pytest_pgfeatures.errors import CapabilityMissingError, InstallNotFoundError, UnreachableError
from pytest_pgfeatures.install import Resolver, maven, parse_requests, pypi

pytest_plugins = ["pytester"]

pytestmark = pytest.mark.processes

SOURCES = {"pypi": pypi, "maven": maven}
DOCTOR = (str(Path(sys.executable).with_name("pgfeatures")), "doctor")


class Proxy:
    """An HTTP proxy on loopback that answers CONNECT with a line, and then with its own certificate, if it has one.

    Parameters:
        answer: the status line's end.
        certificate: the file with its certificate and key.
    """

    def __init__(self, answer: bytes, certificate: Path | None = None) -> None:
        self._answer = answer
        self._context = None
        if certificate is not None:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(certificate)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):  # until it is closed
            while True:
                connection, _ = self._socket.accept()
                with contextlib.suppress(OSError), connection:
                    connection.recv(65536)
                    connection.sendall(b"HTTP/1.1 " + self._answer + b"\r\n\r\n")
                    if self._context is not None:
                        self._context.wrap_socket(connection, server_side=True).recv(65536)

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def through(monkeypatch, tmp_path):
    """A function that has both clients ask through the proxy at an address."""
    (tmp_path / "jgo.conf").write_text("[repositories]\nnowhere = https://registry.invalid\n")
    monkeypatch.setenv("JGO_CONFIG_FILE", str(tmp_path / "jgo.conf"))
    monkeypatch.setenv("M2_REPO", str(tmp_path / "no-such-directory"))
    monkeypatch.setenv("PIP_INDEX_URL", "https://registry.invalid/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_PROXY", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)

    def use(address: str) -> None:
        for name in ("https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://somebody:secret@{address}")

    return use


@pytest.fixture
def dead():
    """The address of a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return f"127.0.0.1:{probe.getsockname()[1]}"


@pytest.fixture
def with_own_certificate(tmp_path):
    """The address of a proxy that shows its own certificate instead of the server's."""
    (tmp_path / "own.pem").write_text(KEY + CERTIFICATE)
    proxy = Proxy(b"200 Connection established", tmp_path / "own.pem")
    yield proxy.address
    proxy.close()


@pytest.mark.parametrize("source", SOURCES)
def test_a_dead_proxy_is_named(source, through, dead):
    through(dead)
    with pytest.raises(UnreachableError) as caught:
        SOURCES[source].releases()
    assert caught.value.problem == f"{source} could not be asked: the proxy {dead} refuses connections"
    assert "https_proxy" in caught.value.remedy
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("source", SOURCES)
def test_a_certificate_that_is_not_trusted_is_named(source, through, with_own_certificate):
    through(with_own_certificate)
    with pytest.raises(UnreachableError) as caught:
        SOURCES[source].releases()
    assert caught.value.problem == (
        f"{source} could not be asked: the certificate that the proxy {with_own_certificate} shows is not trusted "
        "here: self-signed certificate"
    )
    assert "REQUESTS_CA_BUNDLE" in caught.value.remedy


@pytest.mark.parametrize("source", SOURCES)
def test_a_proxy_that_wants_a_password_is_named(source, through):
    proxy = Proxy(b"407 Proxy Authentication Required")
    through(proxy.address)
    with pytest.raises(UnreachableError) as caught:
        SOURCES[source].releases()
    proxy.close()
    said = (
        f"{source} could not be asked: the proxy {proxy.address} refuses: 407 Proxy Authentication Required"
    )
    assert caught.value.problem == said


def test_an_absence_refers_to_the_registries_that_could_not_be_asked(empty_store, through, dead, copy_of):
    install = copy_of("pypi:14")  # has no ICU
    through(dead)
    resolver = Resolver(empty_store)
    for wanted, kind in ((f"path:{install}", CapabilityMissingError), ("12", InstallNotFoundError)):
        (request,) = parse_requests(wanted)
        with pytest.raises(kind) as caught:
            resolver.resolve(request, {"icu"})
        asked = wanted == "12"  # elsewhere than in that directory
        assert ("; pypi and maven could not be asked" in caught.value.problem) is asked
        assert len(caught.value.not_asked) == (2 if asked else 0)


TWO_TESTS = """
    import pytest

    @pytest.mark.pg(needs=["icu"])
    @pytest.mark.parametrize("number", [1, 2])
    def test_icu(pg_connection, number): ...
"""


@pytest.fixture
def lacks_icu(monkeypatch, empty_store, copy_of):
    """Have the runs of this test nothing but an install of 14 that has no ICU."""
    monkeypatch.setenv("PGFEATURES_PATH", str(copy_of("pypi:14")))
    monkeypatch.setenv("PGFEATURES_CACHE", str(empty_store.root))


def _said_by_a_run(pytester, *options):
    """Run the two tests: the lines on registries on the terminal, which the files have, too."""
    pytester.makepyfile(TWO_TESTS)
    files = "--pg-json=all.json", "--pg-html=all.html"
    ran = pytester.runpytest_subprocess("--pg=14", *files, *options, timeout=120)
    ran.assert_outcomes(skipped=0, passed=0)
    absences = [line for line in ran.outlines if line.startswith("unavailable: ")]
    assert len(absences) == 2
    assert all(
        line.endswith("no install of PostgreSQL 14 has icu; pypi and maven could not be asked")
        for line in absences
    )
    lines = [line for line in ran.outlines if " could not be asked: " in line]
    assert json.loads((pytester.path / "all.json").read_text())["warnings"] == lines
    page = html.unescape((pytester.path / "all.html").read_text())
    assert all(line in page for line in lines)
    return lines


@pytest.mark.usefixtures("no_installs_around", "lacks_icu")
def test_a_run_says_once_why_a_registry_could_not_be_asked(pytester, through, dead):
    through(dead)
    lines = _said_by_a_run(pytester, "-n", "2")
    assert [line.partition(";")[0] for line in lines] == [
        f"{source} could not be asked: the proxy {dead} refuses connections" for source in SOURCES
    ]


@pytest.mark.usefixtures("no_installs_around", "lacks_icu")
def test_a_run_that_is_offline_says_so_once(pytester, monkeypatch):
    monkeypatch.setenv("PGFEATURES_OFFLINE", "1")
    assert _said_by_a_run(pytester) == [
        f"{source} could not be asked: offline, as PGFEATURES_OFFLINE says; what to do: unset it"
        for source in SOURCES
    ]


def test_the_doctor_says_the_same(empty_store, through, with_own_certificate):
    through(with_own_certificate)
    environment = os.environ | {"PGFEATURES_CACHE": str(empty_store.root), "COLUMNS": "300"}
    said = subprocess.run(DOCTOR, env=environment, capture_output=True, text=True, check=False).stdout
    for source in SOURCES:
        assert re.search(
            rf"{source} could not be asked: the certificate that the proxy {with_own_certificate} shows", said
        )
