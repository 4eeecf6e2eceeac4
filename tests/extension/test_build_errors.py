"""A build error names the parts that the machine lacks, with their packages, and does not blame the extension."""

from __future__ import annotations

import subprocess

import pytest

from pytest_pgfeatures.extension.libraries import make_stubs

PROGRAM = {"tiny--1.0.sql": "SELECT 1;\n", "hello.c": "int main(void) { return 0; }\n"}
BUILD = ("--stage", "build")


def test_a_program_needs_no_libraries_of_the_server_that_it_does_not_use(gate):
    """PGXS links it with all of them, and their packages may be missing."""
    place = gate.write(files=PROGRAM, makefile="PROGRAM = hello\nOBJS = hello.o")
    gate.run(place, "--stage", "install")
    assert gate.outcome("install") == "passed"


def test_a_stub_is_made_only_of_a_library_that_is_missing(tmp_path):
    assert make_stubs(["no-such-library", "m"], tmp_path, "cc") == ["no-such-library"]
    source = tmp_path / "hello.c"
    source.write_text(PROGRAM["hello.c"])
    link = ["cc", str(source), "-o", str(tmp_path / "hello"), f"-L{tmp_path}", "-lno-such-library", "-lm"]
    subprocess.run(link, check=True)


@pytest.mark.parametrize(
    ("source", "arguments", "capability", "told"),
    [
        (
            "#include <openssl/no-such.h>\nint main(void) { return 0; }\n",
            (),
            "OpenSSL",
            "install OpenSSL (Debian: libssl-dev, Fedora: openssl-devel, Alpine: openssl-dev)",
        ),
        (
            '#include "somelib/api.h"\nint main(void) { return 0; }\n',
            (),
            "somelib/api.h",
            "install the package that has somelib/api.h",
        ),
        (
            "#include <somelib.h>\nint main(void) { return 0; }\n",
            (),
            "somelib.h",
            "install the package that has somelib.h",
        ),
        (PROGRAM["hello.c"], ("--make", "PG_LIBS=-lno-such"), "libno-such", "cannot find -lno-such"),
        (
            PROGRAM["hello.c"],
            ("--make", "FLEX=/nowhere/flex"),
            "flex",
            "or name another with --make FLEX=...",
        ),
    ],
    ids=["header", "third party", "third party without directory", "library", "program"],
)
def test_what_the_machine_lacks_is_unavailable(gate, source, arguments, capability, told):
    files = PROGRAM | {"hello.c": source, "scan.l": "%%\n"}
    scanner = " scan.o" if capability == "flex" else ""
    place = gate.write(files=files, makefile=f"PROGRAM = hello\nOBJS = hello.o{scanner}")
    gate.run(place, *BUILD, *arguments, status=1)
    build = gate.of("build")
    assert (build["outcome"], build["capability"]) == ("unavailable", capability)
    assert told in "\n".join(build["details"])


@pytest.mark.parametrize("include", ['"utils/no_longer.h"', "<utils/no_longer.h>", '"mine.h"', "<mine.h>"])
def test_a_header_of_postgresqls_or_of_its_own_is_no_one_elses(gate, include):
    source = f"#include {include}\nint main(void) {{ return 0; }}\n"
    place = gate.write(
        files=PROGRAM | {"hello.c": source, "include/mine.h": ""}, makefile="PROGRAM = hello\nOBJS = hello.o"
    )
    gate.run(place, *BUILD, status=1)
    assert gate.outcome("build") == "failed"


def test_a_failed_link_is_told_by_the_line_of_the_linker(gate):
    files = PROGRAM | {"hello.c": "void nowhere(void);\nint main(void) { nowhere(); return 0; }\n"}
    place = gate.write(files=files, makefile="PROGRAM = hello\nOBJS = hello.o")
    gate.run(place, *BUILD, status=1)
    assert gate.outcome("build") == "failed"
    assert "nowhere" in gate.of("build")["summary"]
    assert "collect2" not in gate.of("build")["summary"]


def test_what_the_server_was_built_without_is_unavailable(gate):
    """PyPI's servers have no ICU, so their headers lack the fields of locales for it. Of a file that doesn't use
    ICU, the same error is the file's own."""
    source = '#include "postgres.h"\n#include "utils/pg_locale.h"\n'
    source += "int main(void) { pg_locale_t l = 0; return l->no_such; }\n"
    place = gate.write(files=PROGRAM | {"hello.c": source}, makefile="PROGRAM = hello\nOBJS = hello.o")
    gate.run(place, *BUILD, "--pg", "pypi:17", status=1)
    assert gate.outcome("build") == "failed"
    (place / "hello.c").write_text(f'#ifdef USE_ICU\n#include "unicode/ucol.h"\n#endif\n{source}')
    gate.run(place, *BUILD, "--pg", "pypi:17", status=1)
    build = gate.of("build")
    assert (build["outcome"], build["capability"]) == ("unavailable", "ICU")
    assert "the server was built without ICU, which hello.c uses: hello.c:6:" in build["summary"]


def test_regression_tests_of_what_the_server_was_built_without(gate):
    """The stage is unavailable if each test that fails needs it, and failed if another fails, too."""
    uses = "CREATE COLLATION german (provider = icu, locale = 'de');\n"
    files = {"tiny--1.0.sql": "SELECT 1;\n", "sql/icu.sql": uses, "expected/icu.out": uses}
    files |= {"sql/other.sql": "SELECT 1;\n", "expected/other.out": "SELECT 2;\n"}
    place = gate.write(files=files, makefile="REGRESS = icu")
    regress = (place, "--pg", "14,18", "--stage", "regress")
    gate.run(*regress, status=1)
    for major in ("pg14", "pg18"):
        found = gate.of("regress", major=major)
        assert (found["outcome"], found["capability"]) == ("unavailable", "ICU")
        assert found["summary"].endswith("from pypi was built without ICU; tests that use it: icu")
    gate.run(*regress, "--allow-missing")
    gate.run(*regress, "--make", "REGRESS=icu other", status=1)
    assert gate.outcome("regress", major="pg18") == "failed"
