"""Spells instructions, and says which names assembly can have.

A spelling is the mnemonic with its modifiers and type suffixes: `setlt.f32`, `cvt.bits.u32.f32`. A label, a program or
a function may have any name that can be read back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from hologram.dialects.atlas.instructions.declaration import Instruction, from_outside
from hologram.dialects.atlas.instructions.form import Form
from hologram.dialects.machine.array_instruction import ARRAY_FORMS
from hologram.dialects.machine.instruction import FORMS
from hologram.dialects.machine.listing import CONTROL
from hologram.errors import VerifyError
from hologram.plugins.tables import Row


@dataclass(frozen=True)
class Spelling:
    """The meaning of the start of a mnemonic: the instruction, and the modifiers that are joined to its name."""

    name: str
    joined: tuple[tuple[str, str], ...] = ()


def _joined(form: Form) -> list[str]:
    return re.findall(r"\{(\w+)\}", form.spelling)


@cache
def spellings() -> dict[str, list[Spelling]]:
    """Every text that an instruction's mnemonic may start with; several instructions may share one (`mov`)."""
    by_text: dict[str, list[Spelling]] = {name: [Spelling(name)] for name in CONTROL}
    for form in FORMS.values():
        joined = _joined(form)
        choices = [next(m.choices for m in form.modifiers if m.name == name) for name in joined]
        for values in product(*choices):
            pairs = tuple(zip(joined, values, strict=True))
            text = (form.spelling or form.name).format(**dict(pairs))
            by_text.setdefault(text, []).append(Spelling(form.name, pairs))
        if joined:
            by_text.setdefault(form.name, []).append(Spelling(form.name))
    for form in ARRAY_FORMS.values():
        by_text.setdefault(form.name, []).append(Spelling(form.name))
        if (choice := form.choice) is not None:
            words = {c: c for c in choice.choices} | dict(choice.aliases)
            for word, chosen in words.items():
                spelling = Spelling(form.name, ((choice.name, chosen),))
                by_text.setdefault(f"{form.name}.{word}", []).append(spelling)
    return by_text


@cache
def _aliases() -> dict[str, list[Spelling]]:
    """The same without dots, underscores and case: `ReduceAdd`, `BarSync` and `MOV_IMM` of backends.md."""
    aliases: dict[str, list[Spelling]] = {}
    for text, named in spellings().items():
        aliases.setdefault(_plain(text), named)
    return aliases


def _plain(text: str) -> str:
    return text.replace(".", "").replace("_", "").lower()


def find(text: str) -> tuple[list[Spelling], list[str]]:
    """The instructions that a mnemonic may name, by its longest known start, and the suffixes that remain."""
    parts = text.split(".")
    for count in range(len(parts), 0, -1):
        if (named := spellings().get(".".join(parts[:count]))) is not None:
            return named, parts[count:]
    for count in range(len(parts), 0, -1):
        if (named := _aliases().get(_plain("".join(parts[:count])))) is not None:
            return named, parts[count:]
    return [], []


def spell(form: Form, modifiers: Sequence[str], types: Sequence[str]) -> str:
    """The canonical mnemonic."""
    joined = _joined(form)
    named = dict(zip((m.name for m in form.modifiers), modifiers, strict=True))
    stem = (form.spelling or form.name).format(**named)
    suffixes = [choice for name, choice in named.items() if choice and name not in joined]
    return ".".join([stem, *suffixes, *types])


def _from_outside(instruction: Instruction, row: Row) -> None:
    spellings.cache_clear()
    _aliases.cache_clear()


from_outside(_from_outside)

_NAME = re.compile(r"[A-Za-z_][\w.$]*$")
_RESERVED = re.compile(r"([rRpP]\d+|(buf|shared|local|pool|c)\d{1,6}|phi|Phi|PHI)$")


def is_reserved(name: str) -> bool:
    """Return whether a name means a register or an object."""
    return _RESERVED.match(name) is not None


def check_name(name: str) -> None:
    """Refuses a name that assembly could not have."""
    if _NAME.match(name) is None or is_reserved(name):
        raise VerifyError(
            "machine-name",
            f"'{name}' can't be a name in assembly",
            hint="names have letters, digits, _, . and $, begin with a letter or _, and mean no register and no object",
        )
