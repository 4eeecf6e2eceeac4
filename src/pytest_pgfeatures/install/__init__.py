"""Installs: where a server's programs come from."""

from pytest_pgfeatures.install.account import Account, server_account
from pytest_pgfeatures.install.matrix import Cell
from pytest_pgfeatures.install.model import SOURCES, Install
from pytest_pgfeatures.install.request import Request, parse_requests
from pytest_pgfeatures.install.resolve import Resolver
from pytest_pgfeatures.install.store import Store

__all__ = [
    "SOURCES",
    "Account",
    "Cell",
    "Install",
    "Request",
    "Resolver",
    "Store",
    "parse_requests",
    "server_account",
]
