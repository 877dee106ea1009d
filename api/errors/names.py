"""Names that modules and objects of ours do not have."""

from __future__ import annotations

from collections.abc import Iterable

from hologram.errors import MissingNameError, did_you_mean


def missing(owner: str, name: str, known: Iterable[str]) -> MissingNameError:
    """The error for a name that is not one of those that are known."""
    public = sorted(n for n in known if not n.startswith("_"))
    near = did_you_mean(name, public)
    return MissingNameError(
        "name-missing", f"{owner} has no '{name}'", hint=near or f"it has {', '.join(public[:8])} and others"
    )
