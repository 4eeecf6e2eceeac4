"""Split SQL into tokens, and scripts into statements as psql does. No server is needed."""

from pytest_pgfeatures.sql.lexer import Kind, Token, tokens
from pytest_pgfeatures.sql.statements import (
    Blank,
    CopyData,
    MetaCommand,
    Piece,
    Statement,
    interpolated,
    split,
    statements,
)

__all__ = [
    "Blank",
    "CopyData",
    "Kind",
    "MetaCommand",
    "Piece",
    "Statement",
    "Token",
    "interpolated",
    "split",
    "statements",
    "tokens",
]
