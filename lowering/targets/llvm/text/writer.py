"""The state of writing one function as LLVM IR: names of values and blocks, the lines so far."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from hologram.errors import PassError, did_you_mean
from hologram.errors.limits import LONGEST_NAME
from hologram.lowering.targets.llvm.text.attributes import Metadata
from hologram.lowering.targets.llvm.text.types import Constants, Types, integer_text, integer_width, symbol
from hologram.support.registry import Registry

_UNUSUAL = re.compile(r"[^A-Za-z0-9$._-]")


@dataclass
class Shared:
    """The state that the functions of a module share."""

    types: Types = field(default_factory=Types)
    metadata: Metadata = field(default_factory=Metadata)
    symbols: frozenset[str] = frozenset()
    """The names of the module's functions and globals."""
    groups: dict[str, int] = field(default_factory=dict[str, int])
    """The attribute groups by their text."""

    def __post_init__(self) -> None:
        self.constants = Constants(self.types)

    def symbol(self, op: Operation, reference: Attribute) -> str:
        """Return the function or global that an operation refers to."""
        name: str = cast("Any", reference).string_value()
        if name not in self.symbols:
            hint = did_you_mean(name, self.symbols) or "declare it with llvm.func or llvm.mlir.global"
            raise PassError(op, "llvm-ir-symbol", f"nothing in the module is called @{name}", hint=hint)
        return symbol(name)

    def group(self, attributes: Sequence[str]) -> str:
        """Return a reference to the group of some function attributes, with a blank before it."""
        if not attributes:
            return ""
        return f" #{self.groups.setdefault(' '.join(attributes), len(self.groups))}"


@dataclass
class Edge:
    """A way from the end of one block to another, with the values it passes."""

    source: str
    """The label that the target's phis name."""
    values: Sequence[SSAValue]


class Writer:
    """Writes one function. `names` has the text of each value, an instruction's name or a constant."""

    def __init__(self, shared: Shared):
        self.shared = shared
        self.types = shared.types
        self._known = shared.types.known
        self.metadata = shared.metadata
        self.lines: list[str] = []
        self.names: dict[SSAValue, str] = {}
        self.labels: dict[Block, str] = {}
        self.edges: dict[Block, list[Edge]] = {}
        self.trampolines: dict[tuple[Operation, int], str] = {}
        """The labels of blocks that stand on edges, by branch and number of the successor."""
        self._plan: dict[Block, list[tuple[Instruction, Operation, str]]] = {}
        self._taken: dict[str, int] = {}
        self._next = 0

    # Names

    def fresh(self, hint: str) -> str:
        """Return a name like `hint` that nothing else in the function has."""
        # LLVM cuts names off, and takes two with one beginning for the same.
        hint = hint[:LONGEST_NAME]
        name = hint if hint.isidentifier() and hint.isascii() else _usual(hint)
        taken = self._taken
        count = taken.get(name)
        if count is None:
            taken[name] = 0
            return name
        while True:
            count += 1
            unique = f"{name}_{count}"
            if unique not in taken:
                taken[name] = count
                taken[unique] = 0
                return unique

    def define(self, value: SSAValue) -> str:
        """Name a value: after its hint, or by the next number."""
        hint = value.name_hint
        if hint is None:
            name = f"%{self._next}"
            self._next += 1
        else:
            name = f"%{self.fresh(hint)}"
        self.names[value] = name
        return name

    def typed(self, value: SSAValue) -> str:
        """Return a value with its type in front."""
        type = value.type
        known = self._known.get(id(type))
        return f"{self.types(type) if known is None else known[1]} {self.names[value]}"

    def listed(self, values: Sequence[SSAValue]) -> str:
        """Return several values with their types, and commas between them."""
        return ", ".join([self.typed(v) for v in values])

    # Blocks

    def body(self, region: Region) -> None:
        """Write the blocks of a function."""
        self._name_all(region)
        entry = region.blocks.first
        for block in region.blocks:
            if block is not entry:
                self.lines.append("")
            self.lines.append(f"{self.labels[block]}:")
            if block is not entry:
                self._phis(block)
            self._operations(block)

    def _name_all(self, region: Region) -> None:
        """Name everything first, for a block may use what a later one in the text defines."""
        for block in region.blocks:
            self.labels[block] = self.fresh("entry" if block is region.blocks.first else "bb")
        for block in region.blocks:
            if block is not region.blocks.first:
                for arg in block.args:
                    self.define(arg)
            self._plan[block] = [step for op in block.ops if (step := self._step(op)) is not None]
            self._branches(block, region)

    def _step(self, op: Operation) -> tuple[Instruction, Operation, str] | None:
        """Name an operation's result. Return how it is written, with the text before it; None for a constant."""
        write = INSTRUCTIONS.find(type(op))
        if write is not None:
            for result in op.results:
                return write, op, f"  {self.define(result)} = "
            return write, op, "  "
        self.types.place = op
        self.names[op.results[0]] = CONSTANTS.of(op)(self, op)
        return None

    def _branches(self, block: Block, region: Region) -> None:
        """Note the edges out of a block. A second one to the same block with other values gets a block of its own."""
        last = block.last_op
        if last is None or not last.successors:
            return
        seen: dict[Block, Sequence[SSAValue]] = {}
        for number, (target, values) in enumerate(successors(last)):
            if target is region.blocks.first:
                message = f"the entry block of a function can't be the target of {last.name}"
                raise PassError(
                    last, "llvm-ir-entry-target", message, hint="branch to it from a new, empty entry block"
                )
            source = self.labels[block]
            if tuple(seen.setdefault(target, tuple(values))) != tuple(values):
                source = self.trampolines[(last, number)] = self.fresh(f"{source}_to_{self.labels[target]}")
            self.edges.setdefault(target, []).append(Edge(source, values))

    def target(self, op: Operation, number: int) -> str:
        """Return the label that successor `number` of a branch goes to."""
        return self.trampolines.get((op, number)) or self.labels[op.successors[number]]

    def land(self, op: Operation) -> None:
        """Write the blocks on the edges of a branch, after it."""
        for number, block in enumerate(op.successors):
            if (label := self.trampolines.get((op, number))) is not None:
                self.lines += ["", f"{label}:", f"  br label %{self.labels[block]}"]

    def _phis(self, block: Block) -> None:
        edges = self.edges.get(block)
        for number, arg in enumerate(block.args):
            if edges is None:  # Nothing comes here; a phi must have an entry, a freeze need not.
                self.lines.append(f"  {self.names[arg]} = freeze {self.types(arg.type)} poison")
                continue
            entries = ", ".join(f"[ {self.names[edge.values[number]]}, %{edge.source} ]" for edge in edges)
            self.lines.append(f"  {self.names[arg]} = phi {self.types(arg.type)} {entries}")

    def _operations(self, block: Block) -> None:
        types = self.types
        for write, op, head in self._plan[block]:
            types.place = op
            write(self, op, head)


Instruction: TypeAlias = "Callable[[Writer, Operation, str], None]"
Constant: TypeAlias = "Callable[[Writer, Operation], str]"
INSTRUCTIONS = Registry[Instruction]()
"""The functions that write operations, by their names; each gets the start of the line, which defines the result."""


def _usual(hint: str) -> str:
    """Return a hint with what no name may have replaced."""
    name = _UNUSUAL.sub("_", hint)
    return f"_{name}" if name[:1].isdigit() or not name else name


def successors(op: Operation) -> list[tuple[Block, Sequence[SSAValue]]]:
    """Return each successor of a branch with the values passed to it."""
    operands = list(op.operands)
    targets = op.successors
    if op.name == "llvm.br":
        return [(targets[0], operands)]
    segments: tuple[int, ...] = cast("Any", op.properties["operandSegmentSizes"]).get_values()
    counts = [segments[1], segments[2]]
    if op.name == "llvm.switch":
        counts = [segments[1], *cast("Any", op.properties["case_operand_segments"]).get_values()]
    rest = iter(operands[1:])
    return [(target, list(islice(rest, count))) for target, count in zip(targets, counts, strict=True)]


# Constants have no instruction: their text stands wherever they are used.


def _constant(w: Writer, op: Operation) -> str:
    return w.shared.constants.text(op, op.properties["value"], op.results[0].type)


def zero_text(type: Attribute) -> str:
    """Return the zero of a type."""
    if integer_width(type) is not None:
        return integer_text(0, type)
    if isinstance(type, AnyFloat):
        return "0.0"
    return "null" if type.name == "llvm.ptr" else "zeroinitializer"


def _unknown(op: Operation) -> PassError:
    hint = "run convert-to-llvm first"
    return PassError(op, "llvm-ir-operation", f"{op.name} can't be written as LLVM IR", hint=hint)


CONSTANTS = Registry[Constant](
    {
        "llvm.mlir.constant": _constant,
        "llvm.mlir.zero": lambda w, op: zero_text(op.results[0].type),
        "llvm.mlir.undef": lambda w, op: "undef",
        "llvm.mlir.poison": lambda w, op: "poison",
        "llvm.mlir.addressof": lambda w, op: w.shared.symbol(op, op.properties["global_name"]),
    },
    missing=_unknown,
)
