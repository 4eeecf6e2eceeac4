"""A probe's findings, compared with a running server."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from pytest_pgfeatures.install import parse_requests
from pytest_pgfeatures.install.capabilities import CLIENT_TOOLS, CONTRIB_MODULES
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.server.recovery import Watch
from pytest_pgfeatures.version import VersionSet

INSTALLS = ("maven:9.6", "maven:13", "pypi:14", "maven:18", "pypi:18")


@pytest.fixture(scope="module")
def clusters(shared):
    with Clusters(shared.store) as clusters:
        yield clusters


@pytest.fixture(scope="module", params=INSTALLS)
def install(request, shared):
    (asked,) = parse_requests(request.param)
    return shared.resolve(asked)


@pytest.fixture(scope="module")
def cluster(install, clusters):
    cluster = clusters.create(install)
    yield cluster
    cluster.stop()


def works(cluster, *statements):
    """Whether the server takes all of these statements, or says that it was built without."""
    try:
        for statement in statements:
            cluster.sql(statement)
    except (psycopg.errors.FeatureNotSupported, psycopg.errors.InvalidParameterValue):
        return False
    return True


def test_icu(install, cluster):
    if install.version in VersionSet("<10"):  # https://www.postgresql.org/docs/release/10.0/
        assert not install.has("icu")
        return
    assert install.has("icu") == works(
        cluster,
        "CREATE COLLATION pgfeatures_icu (provider = icu, locale = 'de')",
        "SELECT 'ä' < 'z' COLLATE pgfeatures_icu",
    )


def test_lz4(install, cluster):
    if install.version in VersionSet("<14"):  # https://www.postgresql.org/docs/release/14.0/
        assert not install.has("lz4")
        return
    assert install.has("lz4") == works(cluster, "SET default_toast_compression = 'lz4'")


def test_zstd(install, cluster):
    if install.version in VersionSet("<15"):  # https://www.postgresql.org/docs/release/15.0/
        assert not install.has("zstd")
        return
    assert install.has("zstd") == works(cluster, "SET wal_compression = 'zstd'")


def test_libxml(install, cluster):
    assert install.has("libxml") == works(cluster, "SELECT xmlparse(CONTENT '<a/>')")


def test_ssl(install, cluster):
    # in all versions the ciphers of a server that was built without it are "none"
    assert install.has("ssl") == (cluster.sql("SHOW ssl_ciphers") != [("none",)])


def test_llvm(install, cluster):
    if install.version in VersionSet("<11"):  # https://www.postgresql.org/docs/release/11.0/
        assert not install.has("llvm")
        return
    cluster.sql("SET jit = on")
    assert [(install.has("llvm"),)] == cluster.sql("SELECT pg_jit_available()")


@pytest.mark.parametrize("install", INSTALLS[1:], indirect=True)  # pg_hba_file_rules came with 10
@pytest.mark.parametrize(("capability", "method"), [("gssapi", "gss"), ("ldap", "ldap ldapserver=x")])
def test_authentication_methods(install, cluster, capability, method):
    file = cluster.datadir / "pg_hba.conf"
    before = file.read_text()
    file.write_text(f"{before}\nhost all all 127.0.0.1/32 {method}\n")
    try:
        (errors,) = cluster.sql("SELECT count(error) FROM pg_hba_file_rules")
    finally:
        file.write_text(before)
    assert install.has(capability) == (errors == (0,))


def test_every_extension_that_counts_can_be_created(install, cluster):
    contrib = {name.removeprefix("contrib:") for name in install.capabilities if name.startswith("contrib:")}
    extensions = sorted(contrib - CONTRIB_MODULES)
    assert len(extensions) > 30
    offered = {name for (name,) in cluster.sql("SELECT name FROM pg_available_extensions")}
    assert set(extensions) <= offered
    for extension in extensions:
        cluster.sql(f'CREATE EXTENSION IF NOT EXISTS "{extension}" CASCADE')
    watch = Watch()
    for extension in sorted(offered - set(extensions)):
        with pytest.raises(psycopg.Error):
            use(cluster, extension)
        watch.look(cluster)  # a PL/Python without its standard library ends the server


def use(cluster, extension):
    cluster.sql(f'CREATE EXTENSION IF NOT EXISTS "{extension}" CASCADE')
    if found := re.search("plpython[23]?u", extension):  # looks for its library when it is first used
        cluster.sql(f"DO LANGUAGE {found[0]} 'pass'")


def test_every_module_of_contrib_that_counts_can_be_loaded(install, cluster):
    modules = [name for name in sorted(CONTRIB_MODULES) if install.has(f"contrib:{name}")]
    assert "auto_explain" in modules
    for module in modules:
        cluster.sql(f"LOAD '{module}'")


def test_every_client_tool_that_counts_runs(install):
    environment = {**os.environ, **dict(install.environment)}
    for tool in CLIENT_TOOLS:
        assert install.has(tool) == (install.bindir / tool).exists()
        if not install.has(tool):
            continue
        said = subprocess.run(
            [install.program(tool), "--version"], env=environment, capture_output=True, text=True, check=True
        )
        assert str(install.version) in said.stdout


def test_pgxs_has_makefiles_and_headers(install):
    if not install.has("pgxs"):
        assert (
            not install.has("pg_config") or not (install.bindir.parent / "include/server/postgres.h").exists()
        )
        return
    asked = subprocess.run(
        [install.program("pg_config"), "--pgxs", "--includedir-server"],
        capture_output=True,
        text=True,
        check=True,
    )
    makefile, headers = map(Path, asked.stdout.splitlines())
    assert makefile.is_file()
    assert (headers / "postgres.h").is_file()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_backend_loads_the_libpq_it_came_with(install, cluster):
    """A wrong run path would make it load the system's, which may be older than the server."""
    cluster.sql('CREATE EXTENSION IF NOT EXISTS "dblink"')
    with cluster.connect() as connection:
        (pid,) = connection.execute("SELECT pg_backend_pid()").fetchone()
        connection.execute("LOAD 'dblink'")
        maps = Path(f"/proc/{pid}/maps").read_text()
    loaded = {line.split(maxsplit=5)[5] for line in maps.splitlines() if "libpq.so" in line}
    own = (install.bindir.parent / "lib/libpq.so.5").resolve()
    assert loaded == {str(own)}


@pytest.mark.parametrize("version", ["maven:9.3", "maven:9.6"])
def test_a_pl_python_without_its_standard_library_is_no_capability(shared, version):
    """These builds have a whole Python in the module, whose library is where it was built: it ends the server."""
    (asked,) = parse_requests(version)
    install = shared.resolve(asked)
    assert not install.has("contrib:plpython3u")
    assert install.has("contrib:hstore")
