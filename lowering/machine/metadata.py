"""What can be said of a module of the machine form without running it: parameters, registers, memory, length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hologram.dialects.machine.listing import Array, Arrays, Code, Item, Pool, Scalar

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute, Operation


@dataclass(frozen=True)
class Parameter:
    """What a program takes, what a function takes or gives, or a pool: its name in assembly and its ISA type."""

    name: str
    dtype: str
    shape: tuple[int | None, ...] | None = None
    """The sizes of an array, None for one that the launch gives; None for a scalar."""


@dataclass(frozen=True)
class ProgramMetadata:
    """A program, a function or an array-level program."""

    name: str
    kind: str
    """`program`, `function` or `arrays`."""
    length: int
    """The number of its instructions."""
    parameters: tuple[Parameter, ...]
    results: tuple[Parameter, ...]
    """What a function gives."""
    block: tuple[int, int, int] | None
    """The block size that its header fixes."""
    grid: tuple[int, int, int] | None
    """The grid that its header fixes."""
    registers: int
    """The number of general registers that it names, and of those that wide values take beside them."""
    predicates: int
    """The number of predicates that it names."""
    shared_bytes: int | None
    """The bytes of its shared arrays; None if the launch says how many."""
    local_bytes: int
    """The bytes of local arrays in each lane."""
    instructions: tuple[str, ...]
    """The names of the instructions that it uses, sorted."""

    def __len__(self) -> int:
        return self.length


@dataclass(frozen=True)
class Metadata:
    """A module."""

    version: tuple[int, int]
    """The version of the binary form that holds it, major and minor."""
    programs: tuple[ProgramMetadata, ...]
    """Its programs, functions and array-level programs in order."""
    pools: tuple[Parameter, ...]

    @property
    def length(self) -> int:
        """The number of instructions of all programs and functions."""
        return sum(p.length for p in self.programs)

    def __len__(self) -> int:
        return self.length

    @property
    def entry(self) -> str | None:
        """The name of the program, if there is one alone (functions do not count)."""
        names = [p.name for p in self.programs if p.kind != "function"]
        return names[0] if len(names) == 1 else None

    def __getitem__(self, name: str) -> ProgramMetadata:
        found = next((p for p in self.programs if p.name == name), None)
        if found is None:
            from hologram.errors import UsageError, did_you_mean

            names = [p.name for p in self.programs]
            hint = did_you_mean(name, names) or f"there are: {', '.join(names) or 'none'}"
            raise UsageError("metadata-name", f"the module has no program or function '{name}'", hint=hint)
        return found


def metadata_of(module: ModuleOp) -> Metadata:
    """The metadata of a valid module of the machine form."""
    from hologram.dialects.machine.container import MAJOR
    from hologram.dialects.machine.to_listing import listing_of
    from hologram.lowering.machine.binary import minor_version

    listing = listing_of(module)
    pools = [item.array for item in listing if isinstance(item, Pool)]
    programs = [_program(item, op) for item, op in zip(listing, module.body.block.ops, strict=True) if _has_code(item)]
    return Metadata(
        (MAJOR, minor_version(listing)),
        tuple(programs),
        tuple(Parameter(f"pool{number}", pool.dtype, _shape(pool)) for number, pool in enumerate(pools)),
    )


def length_of(op: Operation) -> int:
    """The number of instructions of a program or function of the machine form; a pool has none."""
    from hologram.dialects.machine.array_program import ArraysOp, TempOp
    from hologram.dialects.machine.control import FallOp, GetOp, LabelOp
    from hologram.dialects.machine.directives import ArrayOp
    from hologram.dialects.machine.program import CodeOp

    if not isinstance(op, CodeOp | ArraysOp):
        return 0
    return sum(not isinstance(o, ArrayOp | FallOp | GetOp | LabelOp | TempOp) for b in op.body.blocks for o in b.ops)


def _has_code(item: Item) -> bool:
    return not isinstance(item, Pool)


def _shape(array: Array) -> tuple[int | None, ...]:
    return tuple(None if size < 0 else size for size in array.sizes)


def _program(item: Any, op: Operation) -> ProgramMetadata:
    code: Code | Arrays = item
    general, predicates = _registers(op)
    is_code = isinstance(code, Code)
    return ProgramMetadata(
        name=code.name,
        kind="arrays" if not is_code else "function" if code.is_function else "program",
        length=len(code.lines),
        parameters=_parameters(code.parameters),
        results=_parameters(code.outs) if is_code else (),
        block=code.block if is_code else None,
        grid=code.grid if is_code else None,
        registers=general,
        predicates=predicates,
        shared_bytes=_bytes(code, "shared") if is_code else 0,
        local_bytes=(_bytes(code, "local") or 0) if is_code else 0,
        instructions=tuple(sorted({line.name for line in code.lines})),
    )


def _parameters(given: Sequence[Scalar | Array]) -> tuple[Parameter, ...]:
    parameters: list[Parameter] = []
    buffers = 0
    for parameter in given:
        if isinstance(parameter, Array):
            parameters.append(Parameter(f"buf{buffers}", parameter.dtype, _shape(parameter)))
            buffers += 1
        else:
            letter = "p" if parameter.dtype == "bool" else "r"
            parameters.append(Parameter(f"{letter}{parameter.register}", parameter.dtype))
    return tuple(parameters)


def _bytes(code: Code, space: str) -> int | None:
    """The bytes of declared arrays; of the one without a length those of the header, if it says them."""
    from hologram.dialects.atlas.instructions.types import DTYPES

    total = 0
    for array in (array for given, array in code.arrays if given == space):
        bytes = code.shared if array.sizes[0] < 0 else array.sizes[0] * DTYPES[array.dtype].bytes
        if bytes is None:
            return None
        total += bytes
    return total


def _registers(op: Operation) -> tuple[int, int]:
    """The numbers of general registers and of predicates that the operands and results of a program lie in."""
    from hologram.dialects.machine.registers import PredType, RegType
    from hologram.support.walking import operations

    files: dict[type[Attribute], set[int]] = {RegType: set(), PredType: set()}
    inside = list(operations(op))
    types = [type for o in inside for type in (*o.operand_types, *o.result_types)]
    types += [
        type for o in (op, *inside) for region in o.regions for block in region.blocks for type in block.arg_types
    ]
    for type in types:
        if isinstance(type, RegType | PredType):
            files[type.__class__].update(range(type.number, type.number + type.width))
    return len(files[RegType]), len(files[PredType])
