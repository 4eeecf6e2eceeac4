"""Templates of other files: their expressions become spaces and letters, so that everything keeps its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_SUFFIXES = frozenset({".j2", ".jinja", ".jinja2", ".erb", ".epp", ".tmpl", ".tpl", ".gotmpl"})
_EXPRESSION = re.compile(r"\{\{[^{}\n]*+\}\}|\{%[^%\n]*+%\}|\{#[^#\n]*+#\}|<%[^%\n]*+%>|\$\{[^{}\n]*+\}")
"""An expression or a directive of Jinja, Go, ERB or Terraform."""
_WRITES = ("{{", "<%=", "${")


def written_by(path: Path) -> Path:
    """The path of the file that a template writes, as ``a.conf`` of ``a.conf.j2``. For others, the path itself."""
    return path.with_suffix("") if path.suffix.lower() in _SUFFIXES else path


def has_expression(text: str) -> bool:
    """Whether a text has an expression of a template, so that its value is not known."""
    return _EXPRESSION.search(text) is not None


def without_expressions(text: str) -> str:
    """A template with spaces in place of its directives and of lines that are only expressions, and with letters in
    place of other expressions."""
    return "\n".join(map(_plain, text.split("\n")))


def _plain(line: str) -> str:
    if not _EXPRESSION.search(line):
        return line
    if not _EXPRESSION.sub("", line).strip():
        return " " * len(line)
    return _EXPRESSION.sub(lambda found: "x "[not found[0].startswith(_WRITES)] * len(found[0]), line)
