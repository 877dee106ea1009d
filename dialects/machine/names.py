"""What may name a label, a program or a function, so that its text can be read back."""

from __future__ import annotations

import re

from hologram.errors import VerifyError

_NAME = re.compile(r"[A-Za-z_][\w.$]*$")
_RESERVED = re.compile(r"([rRpP]\d+|(buf|shared|local|pool|c)\d{1,6}|phi|Phi|PHI)$")


def is_reserved(name: str) -> bool:
    """Whether a name means a register or an object."""
    return _RESERVED.match(name) is not None


def check_name(name: str) -> None:
    """Refuses a name that assembly could not have."""
    if _NAME.match(name) is None or is_reserved(name):
        raise VerifyError(
            "machine-name",
            f"'{name}' can't be a name in assembly",
            hint="names have letters, digits, _, . and $, begin with a letter or _, and mean no register and no object",
        )
