"""System libraries that a server was built with. Building an extension may need them."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.install import Install


@dataclass(frozen=True, slots=True)
class Library:
    """A library, and the packages with its headers.

    Parameters:
        name: the library's name.
        headers: the prefixes of its headers' names.
        links: the names to use with ``-l``.
        packages: the packages of Debian, Fedora and Alpine.
        server_header: the server's header that includes a header of this library, and the macro of
            ``pg_config.h`` that enables this.
    """

    name: str
    headers: tuple[str, ...]
    links: tuple[str, ...]
    packages: tuple[str, str, str]
    server_header: tuple[str, str] | None = None

    @property
    def remedy(self) -> str:
        """The packages to install."""
        debian, fedora, alpine = self.packages
        return f"Debian: {debian}, Fedora: {fedora}, Alpine: {alpine}"


LIBRARIES: tuple[Library, ...] = (
    Library(
        "Kerberos",
        ("gssapi/gssapi.h", "gssapi.h", "krb5.h"),
        ("gssapi_krb5", "krb5"),
        ("libkrb5-dev", "krb5-devel", "krb5-dev"),
        ("libpq/libpq-be.h", "ENABLE_GSS"),
    ),
    Library(
        "OpenSSL",
        ("openssl/ssl.h", "openssl/"),
        ("ssl", "crypto"),
        ("libssl-dev", "openssl-devel", "openssl-dev"),
        ("libpq/libpq-be.h", "USE_OPENSSL"),
    ),
    Library(
        "ICU",
        ("unicode/ucol.h", "unicode/"),
        ("icui18n", "icuuc", "icudata"),
        ("libicu-dev", "libicu-devel", "icu-dev"),
        ("utils/pg_locale.h", "USE_ICU"),
    ),
    Library("Zstandard", ("zstd.h",), ("zstd",), ("libzstd-dev", "libzstd-devel", "zstd-dev")),
    Library("LZ4", ("lz4.h", "lz4frame.h"), ("lz4",), ("liblz4-dev", "lz4-devel", "lz4-dev")),
    Library("libxml2", ("libxml/",), ("xml2",), ("libxml2-dev", "libxml2-devel", "libxml2-dev")),
    Library("libxslt", ("libxslt/",), ("xslt",), ("libxslt1-dev", "libxslt-devel", "libxslt-dev")),
    Library("zlib", ("zlib.h",), ("z",), ("zlib1g-dev", "zlib-devel", "zlib-dev")),
    Library(
        "readline",
        ("readline/",),
        ("readline", "edit"),
        ("libreadline-dev", "readline-devel", "readline-dev"),
    ),
    Library("PAM", ("security/",), ("pam",), ("libpam0g-dev", "pam-devel", "linux-pam-dev")),
    Library("LDAP", ("ldap.h",), ("ldap", "lber"), ("libldap-dev", "openldap-devel", "openldap-dev")),
    Library("systemd", ("systemd/",), ("systemd",), ("libsystemd-dev", "systemd-devel", "elogind-dev")),
    Library(
        "SELinux", ("selinux/",), ("selinux",), ("libselinux1-dev", "libselinux-devel", "libselinux-dev")
    ),
    Library("NUMA", ("numa.h",), ("numa",), ("libnuma-dev", "numactl-devel", "numactl-dev")),
    Library("liburing", ("liburing.h",), ("uring",), ("liburing-dev", "liburing-devel", "liburing-dev")),
    Library("curl", ("curl/",), ("curl",), ("libcurl4-openssl-dev", "libcurl-devel", "curl-dev")),
    Library("Perl", ("EXTERN.h", "perl.h"), ("perl",), ("libperl-dev", "perl-devel", "perl-dev")),
    Library("Python", ("Python.h",), (), ("python3-dev", "python3-devel", "python3-dev")),
    Library("PCRE", ("pcre.h",), ("pcre",), ("libpcre3-dev", "pcre-devel", "pcre-dev")),
    Library("PCRE2", ("pcre2.h",), ("pcre2-8",), ("libpcre2-dev", "pcre2-devel", "pcre2-dev")),
    Library("GMP", ("gmp.h",), ("gmp",), ("libgmp-dev", "gmp-devel", "gmp-dev")),
    Library("Lua", ("lua.h", "lualib.h"), ("lua5.4", "lua"), ("liblua5.4-dev", "lua-devel", "lua5.4-dev")),
)


def of_header(header: str) -> Library | None:
    """The library that a header belongs to."""
    return next((each for each in LIBRARIES if header.startswith(each.headers)), None)


def of_link(name: str) -> Library | None:
    """The library that ``-l`` with this name links."""
    return next((each for each in LIBRARIES if name in each.links), None)


def missing_headers(install: Install, includedir: Path) -> Iterator[tuple[str, str, Library]]:
    """The system headers that a server's headers include in this build, but that the machine lacks.

    Parameters:
        install: an install with headers.
        includedir: the output of ``pg_config --includedir-server``.

    Returns:
        for each, the server's header, the missing header, and the library it belongs to.
    """
    try:
        configured = (includedir / "pg_config.h").read_text(errors="replace")
    except OSError:
        return
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    for library in LIBRARIES:
        if library.server_header is None or compiler is None:
            continue
        header, macro = library.server_header
        if not re.search(rf"^#define {macro} 1$", configured, re.MULTILINE):
            continue
        if not _compiles(compiler, library.headers[0]):
            yield header, library.headers[0], library


def _compiles(compiler: str, header: str) -> bool:
    ended = subprocess.run(
        [compiler, "-E", "-x", "c", "-"],
        input=f"#include <{header}>\n".encode(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return ended.returncode == 0


def make_stubs(names: Iterator[str] | list[str], directory: Path, compiler: str) -> list[str]:
    """Create stubs for libraries that the linker can't find, because a development package is missing.

    PGXS links programs with all libraries of the server, whether the programs use them or not. If the machine has
    a shared object of a library, the stub is a link to it; otherwise it is an empty linker script
    (https://sourceware.org/binutils/docs/ld/Scripts.html), which defines nothing.

    Parameters:
        names: the names used with ``-l``.
        directory: an empty directory, for ``LIBRARY_PATH``.
        compiler: the compiler that has to find the libraries.

    Returns:
        the names of the libraries that got a stub.
    """
    if shutil.which(compiler) is None:
        return []
    created = []
    objects = _shared_objects()
    for name in names:
        asked = [compiler, f"-print-file-name=lib{name}.so", f"-print-file-name=lib{name}.a"]
        found = [_said([asked[0], option]) for option in asked[1:]]
        if any("/" in path and Path(path).exists() for path in found):
            continue
        stub = directory / f"lib{name}.so"
        if name in objects:
            stub.symlink_to(objects[name])
        else:
            stub.write_text("/* the machine lacks this library, and what is built does not use it */\n")
        created.append(name)
    return created


def _shared_objects() -> dict[str, str]:
    """The shared objects that the dynamic linker knows, by name without version."""
    program = shutil.which("ldconfig") or "/sbin/ldconfig"
    listed = _said([program, "-p"]) if Path(program).exists() else ""
    pairs = re.findall(r"^\s*lib(\S+?)\.so\S* .*=> (\S+)$", listed, re.MULTILINE)
    return dict(reversed(pairs))


def _said(argv: list[str]) -> str:
    ended = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return ended.stdout.strip()
