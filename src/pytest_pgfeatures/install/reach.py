"""Why a registry could not be asked: the cause in its client's words, and the remedy."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pytest_pgfeatures.errors import UnreachableError

if TYPE_CHECKING:
    from collections.abc import Iterable

_CERTIFICATE = re.compile(r"certificate verify failed(?:: (?P<why>[^(\"']*[^(\"' ]))?", re.IGNORECASE)
_REFUSED_BY_PROXY = re.compile(r"Tunnel connection failed: (?P<why>\d{3}[^'\")]*)")
_ADDRESS = re.compile(r"host='(?P<host>[^']+)', port=(?P<port>\d+)")
_HOST = re.compile(r"(?:host='|https?://(?:[^/@\s]*@)?)(?P<host>[\w.-]+)")
_OF_PROXY = re.compile(r"ProxyError|(?:to|with) (?:the )?proxy", re.IGNORECASE)
_HOWS = {
    "refuses connections": r"Connection refused",
    "has a name that can't be resolved": r"Name or service not known|NameResolutionError|name resolution",
    "does not answer in time": r"timed out|Timeout",
    "can't be reached": r"Network is unreachable|No route to host|Failed to establish a new connection",
    "breaks the connection": r"RemoteDisconnected|Connection (?:aborted|reset)",
}
"""Reasons why a connection fails, with the corresponding texts of clients and of the system."""
_PROXY_REMEDY = "correct the proxy in https_proxy, http_proxy or pip's settings, or unset it"
_REMEDIES = {
    "certificate": "name the file with the authority's certificate, as the machine's administrator gives it, in "
    "REQUESTS_CA_BUNDLE (for Maven) and PIP_CERT (for PyPI)",
    "proxy": _PROXY_REMEDY,
    "network": "check the network, and the addresses in the settings of pip (pip config list) and Maven (jgo.conf, "
    "mirrors in settings.xml)",
}
_OFFLINE = "; PGFEATURES_OFFLINE=1 uses only available installs"


def unreachable(source: str, said: Iterable[str]) -> UnreachableError | None:
    """The error to raise if a registry's client could not reach the registry; None if it failed for another reason.

    Parameters:
        source: the registry, ``pypi`` or ``maven``.
        said: the lines that its client printed or logged.
    """
    lines = tuple(said)
    found = _cause("\n".join(lines))
    if found is None:
        return None
    cause, remedy = found
    return UnreachableError(
        f"{source} could not be asked: {cause}", details=lines, remedy=_REMEDIES[remedy] + _OFFLINE
    )


def _cause(text: str) -> tuple[str, str] | None:
    proxy = _proxy_in(text)
    if certificate := _CERTIFICATE.search(text):
        whose = f"the proxy {proxy or _proxies()[0]} shows" if _proxies() else "its server shows"
        why = f": {certificate['why']}" if certificate["why"] else ""
        return f"the certificate that {whose} is not trusted here{why}", "certificate"
    if refused := _REFUSED_BY_PROXY.search(text):
        return f"the proxy {proxy or ', '.join(_proxies())} refuses: {refused['why']}", "proxy"
    for how, pattern in _HOWS.items():
        if re.search(pattern, text):
            if proxy is not None:
                return f"the proxy {proxy} {how}", "proxy"
            host = _HOST.search(text)
            return f"{host['host'] if host else 'its server'} {how}", "network"
    return None


def _proxy_in(text: str) -> str | None:
    """The proxy in question; None if the text does not mention one."""
    known = _proxies()
    addresses = [f"{found['host']}:{found['port']}" for found in _ADDRESS.finditer(text)]
    named = next((address for address in addresses if address in known), None)
    if named is None and _OF_PROXY.search(text):
        return next(iter(known), addresses[-1] if addresses else None)
    return named


def _proxies() -> list[str]:
    """Hosts and ports of the proxies that the environment names, without passwords."""
    from urllib.request import getproxies  # late: half of the time of `pgfeatures doctor --help`

    given = [
        *(url for scheme, url in getproxies().items() if scheme != "no"),
        os.environ.get("PIP_PROXY", ""),
    ]
    parts = [urlsplit(url if "//" in url else f"//{url}") for url in given if url]
    return list(dict.fromkeys(part.netloc.rpartition("@")[2] for part in parts))
