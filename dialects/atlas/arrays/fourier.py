"""The array-level Fourier transform."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, opt_prop_def

from hologram.dialects.atlas.arrays.base import element_dtype
from hologram.dialects.atlas.arrays.extension import ExtensionOp, Place, flag
from hologram.dialects.atlas.instructions.reference import narrow
from hologram.dialects.atlas.instructions.types import Array
from hologram.dialects.lazy import np
from hologram.dialects.shapes import shape_of
from hologram.errors import VerifyError


@irdl_op_definition
class FftOp(ExtensionOp):
    """y[k] = the sum over j of x[j] * exp(-2 pi i j k / n), along the axis before the last, of any length n >= 1.

    The last axis holds the real and the imaginary part; leading axes are a batch. A static n is several times as fast
    as one that is known at the call alone. With `inverse` the exponent is positive and the sum is divided by n. A
    tolerance, not bits: the error is some roundings of the greatest sum of magnitudes. A NaN or an infinity leaves no
    number of its transform finite. The in may be the out.

    Example::

        atlas.fft ins(%x : memref<?x1024x2xf32>) outs(%y : memref<?x1024x2xf32>) {inverse = 1 : i64}
    """

    name = "atlas.fft"
    ARITY: ClassVar[tuple[int, ...]] = (1,)
    FLAGS: ClassVar[frozenset[str]] = frozenset({"inverse"})
    TYPES: ClassVar[frozenset[str]] = frozenset({"f32", "f64"})
    inverse = opt_prop_def(IntegerAttr)

    @property
    def is_inverse(self) -> bool:
        return flag(self.inverse)

    @property
    def length(self) -> int:
        """n, `DYNAMIC` where it is known at the call alone."""
        return shape_of(self.ins[0].type)[-2]

    def check(self) -> None:
        self.verify_types(0, self.TYPES)
        self.verify_rank(0, *range(2, 9))
        self.verify_rank(1, self.rank(0))
        self.verify_element(self.ins[0])
        for value in (*self.ins, *self.outs):
            if shape_of(value.type)[-1] != 2:
                raise VerifyError("atlas-fft-complex", f"the last axis of '{self.name}' has size 2, found {value.type}")
        if self.length == 0:
            raise VerifyError(
                "atlas-fft-length",
                f"the length of '{self.name}' is at least 1, found {self.ins[0].type}",
            )

    def equalities(self) -> Iterator[tuple[Place, Place]]:
        yield from self.same(0, 1)

    def evaluate(self, *ins: Array) -> Array:
        """numpy's transform in complex128, rounded once."""
        wide = ins[0].astype(np.float64)
        transform = np.fft.ifft if self.is_inverse else np.fft.fft
        with np.errstate(all="ignore"):
            given = wide[..., 0] + 1j * wide[..., 1]
            result = transform(given, axis=-1) if given.size else given
            return narrow(element_dtype(self.ins[0]), np.stack([result.real, result.imag], axis=-1))


OPS: list[type[Operation]] = [FftOp]
