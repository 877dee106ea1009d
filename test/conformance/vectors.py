"""Golden vectors for other implementers: programs of the conformance table with inputs, and what the interpreter makes
of them, in `docs/isa/vectors`. Its README describes the format."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeGuard

import numpy as np

from conformance import table
from conformance.batch import Batch, Launch, Run, on_interpreter
from conformance.scalars import DECLARED
from conformance.values import Array, encode
from hologram import isa
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.dialects.machine.listing import Array as ArrayParameter
from hologram.dialects.machine.listing import Code
from hologram.dialects.machine.to_listing import listing_of
from hologram.errors import TrapError

FOLDER = table.ROOT / "docs" / "isa" / "vectors"
FORMAT = 1
NARROW = [name for name, t in DTYPES.items() if t.bits <= 64]
TYPES: dict[str, Sequence[str]] = {
    "scalar": list(DTYPES), "conversions": NARROW, "constants": ["bool", "bf16", "f32", "i64"],
    "windows": ["f16", "f32", "i64"], "spans": ["bf16", "u16"], "memory": ["u8", "f32"], "atomics": ["i32", "f32"],
    "class memory": ["f32"], "resonance": ["f32", "i64"],
}  # fmt: skip
"""The types of each group that has some: what differs from type to type is there for all."""
LANE_WISE = ("scalar", "conversions")
"""Groups whose lanes have nothing to do with each other, so that some suffice."""
TRAPPING_LANE = 21


def generate(title: str) -> Iterator[dict[str, Any]]:
    """The programs of a group."""
    group = table.GROUPS[title]
    for name in TYPES[title] if group.typed else ["u32"]:
        for batch in group.of(DTYPES[name]):
            chosen = _fewer(batch, DTYPES[name]) if title in LANE_WISE else batch
            about = {
                "type": name if group.typed else "",
                "instructions": sorted({cell.instruction for cell in batch.cells}),
                "bounded": _bounded(batch),
            }
            yield about | _program(chosen)


def _bounded(batch: Batch) -> list[int]:
    """The arguments that hold results of functions with an error bound."""
    checks = [check for launch in batch.launches for check in launch.checks]
    return sorted({c.argument for c in checks if (d := DECLARED.get(c.cell.instruction)) is not None and not d.exact})


def _fewer(batch: Batch, t: DType) -> Batch:
    """The batch with fewer lanes: one block of them, evenly chosen, with the one that traps."""
    lanes = 8 if t.bits <= 64 else 4 if t.bits <= 512 else 2
    text = re.sub(r"block\(\d+, 1, 1\)", f"block({lanes}, 1, 1)", batch.text)
    return Batch(text, [_chosen(launch, lanes) for launch in batch.launches])


def _is_array(argument: Any) -> TypeGuard[Array]:
    return isinstance(argument, np.ndarray)


def _chosen(launch: Launch, lanes: int) -> Launch:
    rows = max(len(a) for a in launch.arguments if _is_array(a))
    picked = [n * rows // lanes + n * 7 % (rows // lanes) for n in range(lanes)]
    picked[-1] = TRAPPING_LANE if launch.trap is not None else picked[-1]
    arguments = [a[picked] if _is_array(a) else a for a in launch.arguments]
    return Launch(arguments, [], 1, launch.trap, launch.reason, launch.sums)


def _program(batch: Batch) -> dict[str, Any]:
    module = isa.assemble(batch.text)
    listing = listing_of(module)
    program = next(item for item in listing if isinstance(item, Code) and not item.is_function)
    parameters = [f"{p.dtype}[]" if isinstance(p, ArrayParameter) else p.dtype for p in program.parameters]
    run = on_interpreter(batch.text)
    return {
        "assembly": isa.disassemble(module),
        "binary": isa.encode(module).hex(),
        "parameters": parameters,
        "launches": [_launch(launch, run) for launch in batch.launches],
    }


def _launch(launch: Launch, run: Run) -> dict[str, Any]:
    arguments = copy.deepcopy(list(launch.arguments))
    grid = launch.grid if isinstance(launch.grid, tuple) else (launch.grid, 1, 1)
    row: dict[str, Any] = {"grid": list(grid), "arguments": [_written(a) for a in launch.arguments]}
    try:
        sums = run(arguments, grid)
    except TrapError as error:
        return row | {"trap": error.code.removeprefix("trap-")}
    pairs = enumerate(zip(row["arguments"], map(_written, arguments), strict=True))
    row["results"] = {str(n): after for n, (before, after) in pairs if after != before}
    if launch.sums is not None and sums is not None:
        row["resonance"] = {str(c): str(s) for c, s in enumerate(sums.fixed) if s}
    return row


def _written(argument: Any) -> str | int:
    """A number, or the bytes of an array in hexadecimal digits; of equal bytes how many, and one."""
    if not _is_array(argument):
        return int(argument)
    data = argument.tobytes()
    return f"{len(data)}*{data[:1].hex()}" if len(data) > 8 and len(set(data)) == 1 else data.hex()


def _bytes(text: str) -> bytes:
    """The bytes that `_written` wrote as text."""
    count, star, digits = text.partition("*")
    return bytes.fromhex(digits) * int(count) if star else bytes.fromhex(text)


# Files


def path(title: str) -> Path:
    """The file of a group."""
    return FOLDER / f"{title.replace(' ', '-')}.json"


def written(title: str) -> str:
    """The file of a group: a launch a line."""
    group = table.GROUPS[title]
    declared = {name: table.digest(name) for name in group.names()}
    head = {"format": FORMAT, "group": title, "declarations": declared}
    parts: list[str] = []
    for program in generate(title):
        launches = ",\n".join(f"    {json.dumps(row)}" for row in program.pop("launches"))
        parts.append(f'  {json.dumps(program)[:-1]}, "launches": [\n{launches}\n  ]}}')
    return f'{json.dumps(head)[:-1]}, "programs": [\n' + ",\n".join(parts) + "\n]}\n"


def read(title: str) -> dict[str, Any]:
    """A file."""
    return json.loads(path(title).read_text("utf-8"))


def stale() -> list[str]:
    """The groups whose file is not of the declarations of now."""
    return [title for title in table.GROUPS if not _is_current(title)]


def _is_current(title: str) -> bool:
    if not path(title).exists():
        return False
    return read(title)["declarations"] == {name: table.digest(name) for name in table.GROUPS[title].names()}


def write(title: str) -> None:
    """Writes the file of a group."""
    FOLDER.mkdir(exist_ok=True)
    path(title).write_text(written(title), "utf-8")


# Running them


class Differs(Exception):
    """A backend does not do what a vector says."""


def check(program: Mapping[str, Any], run: Run) -> None:
    """Runs a program's launches; raises Differs at the first that is not as it should be."""
    for number, row in enumerate(program["launches"]):
        arguments = [_read(a, p) for a, p in zip(row["arguments"], program["parameters"], strict=True)]
        try:
            sums = run(arguments, tuple(row["grid"]))
        except TrapError as error:
            if "trap" not in row:
                _differs(program, number, f"it traps: {error}")
            continue
        if "trap" in row:
            _differs(program, number, f"it does not trap: {row['trap']}")
        for n, wanted in ((int(n), text) for n, text in row.get("results", {}).items()):
            if _written(arguments[n]) != wanted and not _same(arguments[n], wanted, n in program["bounded"]):
                _differs(program, number, f"argument {n} is {_written(arguments[n])}, not {wanted}")
        found = {} if sums is None else {str(c): str(s) for c, s in enumerate(sums.fixed) if s}
        if row.get("resonance", found) != found:
            _differs(program, number, f"R is {found}")


def _read(argument: str | int, parameter: str) -> Any:
    if isinstance(argument, int):
        return argument
    t = DTYPES[parameter.removesuffix("[]")]
    return np.frombuffer(_bytes(argument), encode([], t).dtype).copy().reshape(-1, *_limbs(t))


def _limbs(t: DType) -> tuple[int, ...]:
    return (t.bits // 64,) if t.bits > 64 else ()


def _same(found: Array, wanted: str, bounded: bool) -> bool:
    """Return whether floats are equal, any NaN to any other, or near enough where functions have only bounds."""
    if found.dtype.kind in "iub":
        return False
    expected = np.frombuffer(_bytes(wanted), found.dtype).astype(np.float64)
    with np.errstate(all="ignore"):
        tolerance = 2.0 ** -(found.itemsize * 4) if bounded else 0.0
        near = np.isclose(found.astype(np.float64), expected, tolerance, 1e-30 if bounded else 0.0, equal_nan=True)
    return bool(near.all())


def _differs(program: Mapping[str, Any], number: int, what: str) -> NoReturn:
    names = ", ".join(program["instructions"][:5])
    raise Differs(f"launch {number} of the program of {names} {program['type']}: {what}")


__all__ = ["Differs", "check", "read", "stale", "write", "written"]
