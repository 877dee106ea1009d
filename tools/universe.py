"""Our dialects, passes and output forms for the stock `xdsl-opt`, which finds them by entry point.

xDSL refuses to start when two packages use one name, so what it has, or comes to have, under a name of ours is left
out here: the stock tool then works with its own. Nothing in here may raise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from xdsl.dialects import get_all_dialects as stock_dialects
from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.targets import get_all_targets as stock_targets
from xdsl.transforms import get_all_passes as stock_passes
from xdsl.universe import Universe
from xdsl.utils.target import Target

ThingT = TypeVar("ThingT")
Table = dict[str, Callable[[], ThingT]]


def _dialects() -> Table[Dialect]:
    from hologram.dialects import get_all_dialects

    return get_all_dialects()


def _passes() -> Table[type[ModulePass]]:
    from hologram.lowering import get_all_passes as lowering_passes
    from hologram.transforms import get_all_passes as transform_passes

    return transform_passes() | lowering_passes()


def _targets() -> Table[type[Target]]:
    from hologram.lowering.pipelines.output_forms import get_all_targets

    return get_all_targets()


def additions(ours: Callable[[], Table[ThingT]], stock: Callable[[], Table[ThingT]]) -> Table[ThingT]:
    """Return what `ours` has and `stock` has not; nothing if we are broken, which must not break the stock tool."""
    try:
        known = stock()
        return {name: factory for name, factory in ours().items() if name not in known}
    except Exception:
        return {}


UNIVERSE = Universe(
    all_dialects=additions(_dialects, stock_dialects),
    all_passes=additions(_passes, stock_passes),
    all_targets=additions(_targets, stock_targets),
)
