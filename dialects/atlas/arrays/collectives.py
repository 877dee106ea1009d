"""Collectives over the devices of one process that a launch runs on: one here, so that they copy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def

from hologram.dialects.atlas.arrays.base import KindAttr
from hologram.dialects.atlas.arrays.extension import ExtensionOp, Place, integers_of
from hologram.dialects.atlas.instructions.types import NUMBERS, STORED, Array, DTypeAttr, reduced_types
from hologram.dialects.shapes import DYNAMIC, shape_of
from hologram.errors import VerifyError


def verify_devices(op: ExtensionOp, devices: ArrayAttr[IntegerAttr] | None) -> None:
    """A launch runs on one device, so a collective names one at most."""
    if devices is not None and len(integers_of(devices)) != 1:
        raise VerifyError(
            "atlas-collective-devices",
            f"'{op.name}' over {len(integers_of(devices))} devices: a launch runs on one device, so it takes one",
            hint="leave 'devices' out: the collective is over the devices of the launch",
        )


@irdl_op_definition
class AllReduceOp(ExtensionOp):
    """Each element combined by `kind` over the devices of the launch, in the order of `devices`; each has the result.

    A launch runs on one device: the out is the in.

    Example::

        atlas.all_reduce ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
          {kind = #atlas.kind<add>, type = #atlas.dtype<f32>}
    """

    name = "atlas.all_reduce"
    TYPES: ClassVar[frozenset[str]] = NUMBERS | STORED
    kind = prop_def(KindAttr)
    type = prop_def(DTypeAttr)
    devices = opt_prop_def(ArrayAttr[IntegerAttr])

    def check(self) -> None:
        self.verify_rank(1, self.rank(0))
        self.verify_element(self.ins[0])
        self.verify_declared(self.type, 0)
        if self.type.data not in reduced_types(self.kind.data.value):
            raise VerifyError(
                "atlas-all-reduce-type",
                f"'{self.name}' by {self.kind.data.value} is not defined for {self.type.data.value}",
            )
        verify_devices(self, self.devices)

    def equalities(self) -> Iterator[tuple[Place, Place]]:
        yield from self.same(0, 1)

    def evaluate(self, *ins: Array) -> Array:
        return ins[0]


@irdl_op_definition
class AllGatherOp(ExtensionOp):
    """The ins of all devices of the launch, in the order of `devices`, along a first axis of the out.

    A launch runs on one device: the first axis has size 1.

    Example::

        atlas.all_gather ins(%x : memref<?xf32>) outs(%y : memref<1x?xf32>)
    """

    name = "atlas.all_gather"
    devices = opt_prop_def(ArrayAttr[IntegerAttr])

    def check(self) -> None:
        self.verify_types(0, self.TYPES)
        self.verify_rank(1, self.rank(0) + 1)
        self.verify_element(self.ins[0])
        verify_devices(self, self.devices)
        if shape_of(self.outs[0].type)[0] != 1:
            size = shape_of(self.outs[0].type)[0]
            raise VerifyError(
                "atlas-all-gather-size",
                f"the first axis of the out of '{self.name}' has size 1, that of one device, "
                f"found {'a dynamic one' if size == DYNAMIC else size}",
            )

    def equalities(self) -> Iterator[tuple[Place, Place]]:
        yield from (((0, axis), (1, axis + 1)) for axis in range(self.rank(0)))

    def evaluate(self, *ins: Array) -> Array:
        return ins[0][None]


OPS: list[type[Operation]] = [AllReduceOp, AllGatherOp]
