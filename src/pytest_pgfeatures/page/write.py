"""The page itself: a title, counts, facts and sections in one file."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from pytest_pgfeatures.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jinja2 import Environment

_TEMPLATES = "templates"


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page.

    Parameters:
        id: its name in links: a word.
        title: its heading.
        html: its content, from :func:`render`.
        data: values for the page's script, which finds them as JSON in the element ``ID-data``; None for none.
    """

    id: str
    title: str
    html: Markup
    data: Any = None


def render(template: str, **values: Any) -> Markup:
    """Fill in a template of the package's ``templates``. All values are escaped, except Markup.

    Raises:
        jinja2.TemplateError: the template uses a missing value.
    """
    return Markup(_environment().get_template(template).render(**values))


def write_page(
    path: Path,
    title: str,
    sections: Sequence[Section],
    *,
    counts: Sequence[tuple[str, int]] = (),
    facts: Sequence[tuple[str, str]] = (),
) -> None:
    """Write a page atomically. Missing directories are created.

    Parameters:
        path: the file.
        title: the heading of the page.
        sections: its parts, in order.
        counts: the counts at the top, such as ``("asked", 600)``.
        facts: names and texts below the counts, such as ``("command", "pgfeatures verify --pg 14..18")``.

    Raises:
        OSError: the file can't be written; the old content stays.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    text = page(title, sections, counts=counts, facts=facts)
    write_atomically(path, text.encode("utf-8", "backslashreplace"))  # a path may have bytes that are no text


def page(
    title: str,
    sections: Sequence[Section],
    *,
    counts: Sequence[tuple[str, int]] = (),
    facts: Sequence[tuple[str, str]] = (),
) -> str:
    """Return the text of a page. The parameters are those of :func:`write_page`."""
    script = _file("page.js")
    return render(
        "page.html",
        title=title,
        sections=[(section, _json(section.data)) for section in sections],
        counts=counts,
        facts=[*facts, ("written", f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC by {_program()}")],
        style=Markup(_file("page.css")),
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


def _json(data: Any) -> Markup | None:
    """Return JSON that can't end the script element that it stands in."""
    if data is None:
        return None
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))


def _program() -> str:
    return f"pytest-pgfeatures {version('pytest-pgfeatures')}"


def _file(name: str) -> str:
    return (resources.files(__package__) / _TEMPLATES / name).read_text(encoding="utf-8")


@functools.cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined  # not for verbs that write no page

    environment = Environment(
        loader=PackageLoader(__package__ or "", _TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["breakable"] = _breakable
    return environment


def _breakable(text: str) -> Markup:
    """Let lines break after the underscores of long names."""
    return Markup("_<wbr>").join(text.split("_"))
