"""Write findings as SARIF 2.1.0, which code hosts show beside the files.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import hashlib
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.model import Finding
    from pytest_pgfeatures.readiness.run import Readiness

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
VERSION = "2.1.0"


def sarif_document(found: Readiness) -> dict[str, Any]:
    """Return the findings as a SARIF log with one run."""
    rules = list(dict.fromkeys(_rule(finding) for finding in found.findings))
    return {
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "pgfeatures readiness",
                        "rules": [{"id": rule, "shortDescription": {"text": rule}} for rule in rules],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, rules) for finding in found.findings],
            }
        ],
    }


def _rule(finding: Finding) -> str:
    """The rule that the finding breaks: a behavior, an SQLSTATE, or the stage."""
    return finding.behavior or "/".join(filter(None, (finding.stage, finding.sqlstate)))


def _result(finding: Finding, rules: list[str]) -> dict[str, Any]:
    rule = _rule(finding)
    result: dict[str, Any] = {
        "ruleId": rule,
        "ruleIndex": rules.index(rule),
        "level": finding.severity,
        "message": {"text": f"{finding.message}. What to do: {finding.remedy}"},
        "partialFingerprints": {"pgfeatures/v1": _fingerprint(finding)},
        "properties": {
            "certainty": finding.certainty,
            "stage": finding.stage,
            "items": list(finding.items),
            "proof": finding.proof,
        },
    }
    location: dict[str, Any] = {}
    if finding.place is not None:
        region: dict[str, Any] = {"startLine": finding.place.line, "startColumn": finding.place.column}
        if finding.excerpt:
            region["snippet"] = {"text": finding.excerpt}
        uri = quote(PurePath(finding.place.file).as_posix())
        location["physicalLocation"] = {"artifactLocation": {"uri": uri}, "region": region}
    if finding.object:
        location["logicalLocations"] = [{"fullyQualifiedName": finding.object}]
    if location:
        result["locations"] = [location]
    return result


def _fingerprint(finding: Finding) -> str:
    """A fingerprint of the finding that stays the same if its line moves."""
    file = finding.place.file if finding.place else ""
    parts = (_rule(finding), file, finding.object or "", finding.excerpt, finding.message)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
