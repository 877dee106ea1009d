"""The form of an array-level instruction in machine code, read from its declaration: groups of operands are groups,
properties are settings, regions are settings that name a function. No list of instructions stands here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from xdsl.dialects.builtin import AffineMapAttr, ArrayOfConstraint, FloatAttr, IntegerAttr, StringAttr
from xdsl.ir import Operation
from xdsl.irdl import OptPropertyDef, SingleBlockRegionDef

from hologram.dialects.atlas.arrays.base import KIND_ALIASES, KIND_NAMES, ArrayOp, KindAttr
from hologram.dialects.atlas.arrays.named import ElementwiseOp
from hologram.dialects.atlas.instructions.types import DTypeAttr

SINGLE: dict[Any, str] = {IntegerAttr: "integer", FloatAttr: "float"}
LISTS: dict[Any, str] = {IntegerAttr: "integers", AffineMapAttr: "maps", KindAttr: "kinds", DTypeAttr: "types"}
"""The kind of a setting by the attribute that it holds, or holds a list of."""


@dataclass(frozen=True)
class Setting:
    """A setting that follows the operands, by name: `axis(1)`, `maps((d0) -> (d0))`, `body(f)`, `trans_a`.

    `kind` is `integer`, `float` (an f64), `flag` (an integer property), `mark` (a unit attribute), `integers`, `maps`,
    `kinds`, `types` (lists), or `function` (what a region became).
    """

    name: str
    """The property, attribute or region."""
    printed: str
    """What assembly calls it."""
    kind: str
    optional: bool

    @property
    def is_switch(self) -> bool:
        """Return whether it is on or off, without a value."""
        return self.kind in ("flag", "mark")

    @property
    def is_list(self) -> bool:
        """Whether its value is a list."""
        return self.kind in LISTS.values()

    @property
    def signature(self) -> str:
        return f"{self.printed}:{self.kind}{'?' if self.optional and not self.is_switch else ''}"


@dataclass(frozen=True)
class Choice:
    """A word joined to the mnemonic, `parallel_reduce.add`, `parallel_map.exp`."""

    name: str
    words: Callable[[], Iterable[str]]
    """Gives the words that it may be."""
    aliases: Mapping[str, str]
    is_instruction: bool
    """Whether the words are scalar instructions, which the binary numbers."""

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that it may be."""
        return tuple(self.words())

    @property
    def signature(self) -> str:
        return f".{{{self.name}: {'instruction' if self.is_instruction else ' '.join(self.choices)}}}"


@dataclass(frozen=True)
class ArrayForm:
    """An array-level instruction: what its mnemonic has, the groups of its operands (`outs` first), its settings."""

    name: str
    choice: Choice | None
    types: tuple[str, ...]
    """The properties that are type suffixes, in order."""
    needed_types: int
    """How many of them are no option."""
    groups: tuple[str, ...]
    settings: tuple[Setting, ...]

    @cached_property
    def by_printed(self) -> dict[str, Setting]:
        """The settings by what assembly calls them."""
        return {s.printed: s for s in self.settings}

    @property
    def extra_groups(self) -> tuple[str, ...]:
        """The groups that are written with their names: all but `outs` and `ins`."""
        return self.groups[2:]

    @property
    def signature(self) -> str:
        """Everything that the binary encoding of the instruction depends on, as one line."""
        choice = "" if self.choice is None else f" {self.choice.signature}"
        types = "".join(f" <{t}{'' if n < self.needed_types else '?'}>" for n, t in enumerate(self.types))
        return f"{self.name}{choice}{types} {' '.join([*self.groups, *(s.signature for s in self.settings)])}"


def array_form(op: type[Operation]) -> ArrayForm | None:
    """The form of an array-level instruction; None of any other operation."""
    if not issubclass(op, ArrayOp):
        return None
    definition = op.get_irdl_definition()
    choice: Choice | None = None
    types: list[str] = []
    needed = 0
    settings: list[Setting] = []
    for name, property in definition.properties.items():
        if name == "operandSegmentSizes":
            continue
        optional = isinstance(property, OptPropertyDef)
        constraint: Any = property.constr
        is_list = isinstance(constraint, ArrayOfConstraint)
        (held,) = _held(constraint)
        if held is DTypeAttr and not is_list:
            types.append(name)
            needed += not optional
        elif held is KindAttr and not is_list:
            choice = Choice(name, lambda: KIND_NAMES, KIND_ALIASES, False)
        elif held is StringAttr and issubclass(op, ElementwiseOp):
            choice = Choice(name, op.operations, op.OPERATION_ALIASES, True)
        else:
            table = LISTS if is_list else SINGLE
            kind = "flag" if name in op.FLAGS else table[held]
            settings.append(Setting(name, op.PRINTED.get(name, name), kind, optional))
    for name, region in definition.regions:
        settings.append(Setting(name, name, "function", not isinstance(region, SingleBlockRegionDef)))
    settings += [Setting(name, name, "mark", True) for name in op.MARKS]
    others = [name for name, _ in definition.operands if name not in ("outs", "ins")]
    name = op.name.removeprefix("atlas.")
    return ArrayForm(name, choice, tuple(types), needed, ("outs", "ins", *others), tuple(settings))


def _held(constraint: Any) -> set[Any]:
    """The attributes that a constraint lets through, of a list those in it."""
    elements: Any = getattr(constraint, "elem_range_constraint", None)
    return (constraint if elements is None else elements.constr).get_bases()
