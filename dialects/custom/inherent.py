"""Properties that upstream's operations have and xDSL's classes lack: they are kept among the attributes.

The generic form has them among the properties, as upstream's has; passes that know nothing of them carry them along.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from xdsl.ir import Operation

_EXACT = ("isExact",)
_ALIGNED = ("alignment",)
_INHERENT = {
    "arith.divsi": _EXACT,
    "arith.divui": _EXACT,
    "arith.extf": ("fastmath",),
    "arith.shrsi": _EXACT,
    "arith.shrui": _EXACT,
    "arith.trunci": ("overflowFlags",),
    "arith.truncf": ("roundingmode", "fastmath"),
    "cf.cond_br": ("branch_weights",),
    "memref.load": _ALIGNED,
    "memref.store": _ALIGNED,
    "vector.gather": _ALIGNED,
    "vector.maskedload": _ALIGNED,
    "vector.maskedstore": _ALIGNED,
    "vector.scatter": _ALIGNED,
}


def lacking(name: str) -> Sequence[str]:
    """The properties that the class of an operation lacks."""
    return _INHERENT.get(name, ())


def keep(op: Operation) -> Operation:
    """An operation that was read in generic form, with the properties that its class lacks among its attributes."""
    for name in lacking(op.name):
        if name in op.properties:
            op.attributes[name] = op.properties.pop(name)
    return op


@contextmanager
def as_properties(op: Operation) -> Generator[None]:
    """Puts what `keep` moved back in its place while an operation is printed in generic form."""
    moved = {name: op.attributes[name] for name in lacking(op.name) if name in op.attributes}
    attributes, properties = op.attributes, op.properties
    op.attributes = {name: value for name, value in attributes.items() if name not in moved}
    op.properties = {**properties, **moved}
    try:
        yield
    finally:
        op.attributes, op.properties = attributes, properties
