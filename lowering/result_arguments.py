"""The attributes of a buffer function's arguments: their names, and the shapes of those that were results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.ir import SSAValue

from hologram.dialects.shapes import DYNAMIC, shape_of
from hologram.dialects.sizes import distinct_name
from hologram.errors import PassError
from hologram.lowering.convert_hologram_to_atlas import RESULTS
from hologram.transforms.shape_analysis import NAME

RESULT = "hologram.result"


def argument_attributes(
    function: func.FuncOp, returned: func.ReturnOp, outs: Sequence[SSAValue], names: Sequence[str]
) -> list[DictionaryAttr]:
    """What a function over tensors says of its arguments, called `names`, and of its results, which become `outs`."""
    given = function.arg_attrs
    old = [DictionaryAttr({}) for _ in names] if given is None else given.data
    attributes = [DictionaryAttr({**d.data, NAME: StringAttr(n)}) for d, n in zip(old, names, strict=True)]
    taken = list(names)
    recorded = function.attributes.get(RESULTS)
    shapes = cast("ArrayAttr[StringAttr]", recorded) if isinstance(recorded, ArrayAttr) else None
    promised = function.res_attrs
    for i, out in enumerate(outs):
        own = DictionaryAttr({}).data if promised is None else promised.data[i].data
        name = own.get(NAME)
        hint = out.name_hint or ("result" if len(outs) == 1 else f"result{i}")
        taken.append(distinct_name(name.data if isinstance(name, StringAttr) else hint, taken))
        text = _static_shape(returned, i) if shapes is None else shapes.data[i]
        attributes.append(DictionaryAttr({**own, NAME: StringAttr(taken[-1]), RESULT: text}))
    return attributes


def _static_shape(op: func.ReturnOp, number: int) -> StringAttr:
    """The shape of a result in a module that no symbolic analysis has seen: static, or refused."""
    shape = shape_of(op.arguments[number].type)
    if DYNAMIC in shape:
        raise PassError(
            op,
            "bufferize-result-shape",
            "the shape of a dynamic result is not recorded",
            hint="convert-hologram-to-atlas records it as hologram.results on the function",
        )
    return StringAttr(f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})")
