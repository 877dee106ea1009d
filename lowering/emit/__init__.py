"""Emitters: what a module becomes outside of MLIR."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.utils.target import Target


def get_all_targets() -> dict[str, Callable[[], type[Target]]]:
    """The output forms of ours by name."""
    from hologram.lowering.emit import targets

    return targets.get_all_targets()
