"""SQL that uses collations of ICU runs on installs that have it."""

import pytest

from pytest_pgfeatures.cli.bisect import newest_installs
from pytest_pgfeatures.scripts.icu import uses_icu
from pytest_pgfeatures.workbench import Workbench

COLLATION = "CREATE COLLATION ci (provider = icu, locale = 'und', deterministic = false)"


@pytest.mark.parametrize(
    ("sql", "uses"),
    [
        (COLLATION, True),
        ("CREATE DATABASE shop LOCALE_PROVIDER 'icu' TEMPLATE template0", True),
        ('SELECT name COLLATE "de-x-icu" FROM t', True),
        ("CREATE COLLATION c (provider = libc, locale = 'C')", False),
        ("SELECT icu FROM wards", False),
    ],
)
def test_what_uses_icu(sql, uses):
    assert uses_icu(["SELECT 1", sql]) == uses


@pytest.mark.processes  # it may fetch installs
@pytest.mark.parametrize("versions", ["15..18", None])
def test_each_major_has_an_install_with_icu_if_there_is_one(versions):
    with Workbench(versions) as workbench:
        chosen = newest_installs(workbench, [COLLATION])
        there = list(workbench.resolver.inventory.at_hand())
        able = {install.version.major for install in there if "icu" in install.capabilities}
    assert chosen
    for install in chosen:
        assert ("icu" in install.capabilities) == (install.version.major in able)
