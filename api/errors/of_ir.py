"""The errors that are xDSL's too. `hologram.errors` has them by the same names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.utils.exceptions import PassFailedException, VerifyException

from hologram.errors import HologramError, where_of

if TYPE_CHECKING:
    from xdsl.ir import Operation


class VerifyError(HologramError, VerifyException):
    """Raised in an operation's or attribute's `verify_`; the verifier adds the place. xdsl-opt knows it too."""


class PassError(HologramError, PassFailedException):
    """A pass can't go on with `op`; the place is the operation's."""

    def __init__(self, op: Operation, code: str, message: str, *, hint: str | None = None):
        super().__init__(code, message, hint=hint, where=where_of(op))
        self.op = op
