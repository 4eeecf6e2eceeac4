"""Set the fields of a frozen dataclass whose constructor takes names one after the other."""

from __future__ import annotations


def set_fields(self: object, **fields: object) -> None:
    """Set the fields of an instance; call it with the constructor's ``locals()``."""
    for name, value in fields.items():
        object.__setattr__(self, name, value)
