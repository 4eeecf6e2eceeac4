"""Find SQL in XML: in mappers, whose elements add text to a statement conditionally, and in changelogs.

https://mybatis.org/mybatis-3/dynamic-sql.html, https://docs.liquibase.com/concepts/changelogs/xml-format.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.inputs.texts import PLACEHOLDER, Text, are_others

_DEEPEST = 200
_MOST_ELEMENTS = 10_000  # the maximum number of elements of a statement, including those that it includes
_VALUE = r"[#$]\{[^{}]*+\}"
_IN_WORD = re.compile(rf"(?<=\w){_VALUE}|{_VALUE}(?=\w)")
_AROUND = {
    "where": ("WHERE", re.compile(r"\A(\s*+)(?:and|or)\b", re.IGNORECASE)),
    "set": ("SET", re.compile(r",(\s*+)\Z")),
}
"""Elements that add a word, with the text that they remove from the beginning or the end of their contents."""
_SILENT = frozenset({"selectkey", "bind", "comment"})
_SYSTEMS = ("dbms", "databaseId")  # attributes that name database systems


@dataclass(slots=True)
class Element:
    """An element: its contents are elements, and texts with the line and column at which they begin."""

    tag: str
    attributes: dict[str, str]
    contents: list[Element | tuple[str, tuple[int, int]]] = field(default_factory=list)


def texts_in_xml(raw: bytes, name: str) -> Iterator[Text]:
    """The texts of elements, each with those of the elements in it."""
    named: dict[str, Element] = {}
    outermost: list[Element] = []
    waiting = [parsed(raw, name)]
    while waiting:
        element = waiting.pop()
        if any(are_others(element.attributes.get(key, "")) for key in _SYSTEMS):
            continue
        texts = [each[0] for each in element.contents if isinstance(each, tuple)]
        if element.tag == "sql" and "id" in element.attributes:
            named[element.attributes["id"]] = element
        elif "".join(texts).strip() and element.tag not in _SILENT:
            outermost.append(element)
            continue
        waiting += (each for each in reversed(element.contents) if isinstance(each, Element))
    for element in outermost:
        found = Text()
        _add(found, element, named, iter(range(_MOST_ELEMENTS)), 0)
        if found.places:
            yield found


def parsed(raw: bytes, name: str) -> Element:
    """The document. Entities are refused: those that expand to a thousand others are attacks."""
    parser = expat.ParserCreate()
    open_elements = [Element("", {})]

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(open_elements) > _DEEPEST:
            raise PgFeaturesError(f"{name}: elements are nested more than {_DEEPEST} levels deep")
        element = Element(tag.rpartition(":")[2].lower(), attributes)
        open_elements[-1].contents.append(element)
        open_elements.append(element)

    def entity(*_: object) -> None:
        raise PgFeaturesError(f"{name} declares entities", remedy="name files without DTDs of their own")

    def text(data: str) -> None:
        place = parser.CurrentLineNumber, parser.CurrentColumnNumber + 1
        open_elements[-1].contents.append((data, place))

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: open_elements.pop()
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = entity
    try:
        parser.Parse(raw, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise PgFeaturesError(f"{name} is no XML: {error}", remedy="fix it, or name other files") from None
    return open_elements[0]


def _add(found: Text, element: Element, named: dict[str, Element], left: Iterator[int], depth: int) -> None:
    """Add the contents of an element to a text, while elements may be added."""
    if depth > _DEEPEST or next(left, None) is None or element.tag in _SILENT:
        return
    attributes = element.attributes
    if element.tag == "include" and (one := named.get(attributes.get("refid", "").rpartition(".")[2])):
        _add(found, one, named, left, depth + 1)
        return
    word, removed = _AROUND.get(element.tag, (attributes.get("prefix") or attributes.get("open"), None))
    found.text += f" {word} " if word else ""
    begin = len(found.text)
    for each in element.contents:
        if isinstance(each, tuple):
            text, place = each
            found.append(Text.at(place, re.sub(_VALUE, PLACEHOLDER, _IN_WORD.sub("x", text))))
            continue
        _add(found, each, named, left, depth + 1)
        if element.tag == "choose":
            break
    if removed is not None:
        found.text = found.text[:begin] + removed.sub(r"\1", found.text[begin:], count=1)
    closing = attributes.get("suffix") or attributes.get("close")
    found.text += f" {closing} " if closing else ""
