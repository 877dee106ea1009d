"""The entry record: what a compiled module says about the functions that can be launched.

Objects, LLVM IR and assembly carry it as the constant `hologram_entries`, a JSON list with one record an entry, so that
they run without the source. The launch ABI it describes is in `docs`; this module reads, checks and writes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from typing import Any, NoReturn, cast

from hologram.errors import InputError, did_you_mean
from hologram.runtime import dtypes, json_text
from hologram.runtime.expressions import Expression, parse_constraint, parse_shape
from hologram.support.hidden import CLASSES, HIDDEN, RESONANCE, TRAP
from hologram.support.record import Record

VERSIONS = (1, 2, 3, 4)
"""The second version names more than the trap record among what the launch passes, the third the code for a device,
the fourth that a launch may take long."""
SYMBOL = "hologram_entries"
ACCESS = ("read", "write", "readwrite")
STALE = "compile the program again with this version"


Parameter = tuple[str, int, int]
"""One parameter of an entry's function: its kind, the number of the argument that it belongs to, and the axis.

The kinds are `pointer`, `size`, `stride` and `scalar`; what is passed beside the arguments has its name as its kind."""


class Argument(Record):
    """One argument of an entry, in the order of the function's arguments."""

    name: str
    kind: str
    """`buffer` (a pointer to elements) or `scalar`."""
    dtype: str
    shape: tuple[int | None, ...] = ()
    """Of a buffer: its sizes, None where the caller's array decides."""
    strides: tuple[int | None, ...] | None = None
    """Of a buffer: its strides in elements, None where the caller's array decides; no tuple means C order."""
    access: str = "readwrite"
    result: str | None = None
    """Of an output that callers may omit: its shape as an expression."""

    @property
    def is_buffer(self) -> bool:
        """True if it is passed as a pointer."""
        return self.kind == "buffer"

    @property
    def written(self) -> bool:
        """True if the program may store to it."""
        return self.is_buffer and self.access != "read"

    def __str__(self) -> str:
        sizes = "x".join("?" if n is None else str(n) for n in self.shape)
        return f"{self.name}: {self.dtype}[{sizes}]" if self.is_buffer else f"{self.name}: {self.dtype}"


class Shape(Record):
    """The sizes of an entry's one launch: each is a number, or the name of the scalar argument that says it."""

    grid: tuple[int | str, ...]
    block: tuple[int | str, ...]
    shared: int | str = 0
    """The bytes of shared memory; 0 if the program has no shared array that the launch sizes."""

    @property
    def names(self) -> frozenset[str]:
        """The arguments that say sizes."""
        return frozenset(size for size in (*self.grid, *self.block, self.shared) if isinstance(size, str))


class DeviceCode(Record):
    """The code for a device that an object holds beside that for this machine, as `hologram_device_code`."""

    kind: str
    """The kind of devices: `opencl`."""
    format: str
    """Of the code: `ptx`, `spirv`, `wgsl`, `opencl-c`, `wasm`."""
    target: str
    """What it was made for, such as `sm_90`."""
    nbytes: int | None
    """Its bytes; None of a text that a zero byte ends."""
    kernels: tuple[dict[str, Any], ...]
    """Its kernels, by their numbers, as `hologram.runtime.devices.protocol.KernelInfo` reads them."""


class Entry(Record):
    """One function that can be launched."""

    name: str
    symbol: str
    arguments: tuple[Argument, ...]
    constraints: tuple[str, ...] = ()
    trap: bool = False
    sites: tuple[str, ...] = ()
    launch: str = "call"
    packed: str | None = None
    """The symbol of the form that takes all parameters in one array of words; older and foreign objects have none."""

    classes: str | None = None
    """How it uses class memory (`read`, `write`, `readwrite`), which it is passed; None if it is not."""
    resonance: str | None = None
    """The same of the sums of R."""
    shape: Shape | None = None
    """Of an entry that does nothing but launch a program as it is told: how."""
    device: DeviceCode | None = None
    """Of a program for a device: the code that the object holds for it."""
    unbounded: bool = False
    """Whether it has loops whose count does not follow from the sizes of arrays; these look at the trap record."""
    source = cast("tuple[str, bytes] | None", None)
    """The name and the text that it was compiled from in this process, of which errors of launches show lines. It is no
    field: an entry is the same whatever its text."""

    def of(self, name: str, text: bytes) -> Entry:
        """The entry with its source. The last one is kept with what was computed of it, as texts are compiled again."""
        entry: Entry | None = self.__dict__.get("_last")
        if entry is None or entry.source != (name, text):
            entry = self.changed()
            entry.__dict__["source"] = name, text
            self.__dict__["_last"] = entry
        return entry

    @cached_property
    def ranks(self) -> dict[str, int | None]:
        """Rank of each buffer by name, None for scalars: what expressions may refer to."""
        return {a.name: len(a.shape) if a.is_buffer else None for a in self.arguments}

    @cached_property
    def checks(self) -> tuple[Expression, ...]:
        """The constraints, parsed."""
        return tuple(parse_constraint(text, self.ranks) for text in self.constraints)

    @cached_property
    def result_shapes(self) -> dict[int, Expression]:
        """The shape of each output that may be omitted, by argument number."""
        return {i: parse_shape(a.result, self.ranks) for i, a in enumerate(self.arguments) if a.result is not None}

    @property
    def alias_pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs of buffers of which one is written."""
        arguments = self.arguments
        pairs = combinations((i for i, a in enumerate(arguments) if a.is_buffer), 2)
        return tuple((i, j) for i, j in pairs if arguments[i].written or arguments[j].written)

    @cached_property
    def hidden(self) -> tuple[str, ...]:
        """The names of what the launch passes behind the arguments, in its order."""
        present = {TRAP: self.trap, **self.shared}
        return tuple(name for name in HIDDEN if present.get(name))

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of the function in the order of the launch ABI: the pointers, the sizes and then the strides
        that each array's type leaves open, the scalars, and what is passed beside the arguments."""
        numbered = [*enumerate(self.arguments)]
        parameters = [("pointer", i, -1) for i, a in numbered if a.is_buffer]
        for i, argument in numbered:
            parameters += [("size", i, axis) for axis, size in enumerate(argument.shape) if size is None]
            parameters += [("stride", i, axis) for axis, step in enumerate(argument.strides or ()) if step is None]
        parameters += [("scalar", i, -1) for i, a in numbered if not a.is_buffer]
        return (*parameters, *((name, -1, -1) for name in self.hidden))

    @property
    def apart_from_classes(self) -> tuple[int, ...]:
        """The buffers that may not overlap class memory: the program reaches both by themselves, and writes one."""
        if self.classes is None:
            return ()
        writes = self.classes != "read"
        return tuple(i for i, a in enumerate(self.arguments) if a.is_buffer and (a.written or writes))

    @property
    def signature(self) -> str:
        """`main(a: f32[?x4], n: i64) -> (c: f32[?x4])`."""
        given = ", ".join(str(a) for a in self.arguments if a.result is None)
        results = ", ".join(str(a) for a in self.arguments if a.result is not None)
        return f"{self.name}({given})" + (f" -> ({results})" if results else "")

    def to_json(self) -> dict[str, Any]:
        """The record as JSON data."""
        return {
            "version": 4 if self.unbounded else 3 if self.device is not None else VERSIONS[bool(self.shared)],
            "name": self.name,
            "symbol": self.symbol,
            "arguments": [_argument_json(a) for a in self.arguments],
            "constraints": list(self.constraints),
            "trap": self.trap,
            "sites": list(self.sites),
            "launch": self.launch,
            **({"unbounded": True} if self.unbounded else {}),
            **({} if self.shape is None else {"shape": _shape_json(self.shape)}),
            **self.shared,
            **({} if self.packed is None else {"packed": self.packed}),
            **({} if self.device is None else {"device": _device_json(self.device)}),
        }

    @cached_property
    def shared(self) -> dict[str, str]:
        """The access of the program to class memory and R, which it shares with its caller, by name."""
        accesses = {CLASSES: self.classes, RESONANCE: self.resonance}
        return {name: access for name, access in accesses.items() if access is not None}


def parse_entries(text: str | bytes) -> tuple[Entry, ...]:
    """Reads the content of `hologram_entries` and checks that every record holds together."""
    try:
        records = json_text.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError("entry-json", f"the entry record is not JSON: {error}", hint=STALE) from None
    if not isinstance(records, list):
        _damaged("it is not a list")
    return tuple(parse_entry(record) for record in cast("list[Any]", records))


def choose_entry(entries: Sequence[Entry], name: str | None, module: str) -> Entry:
    """The entry called `name`; without a name the only one, or `main`."""
    names = [entry.name for entry in entries]
    listed = ", ".join(f"'{n}'" for n in names)
    if not entries:
        message = f"'{module}' has no entry: no public function that can be launched"
        hint = "a function that is public and returns nothing, or tensors, can be launched: func.func @main(...)"
        raise InputError("entry-none", message, hint=hint)
    wanted = name if name is not None else names[0] if len(names) == 1 else "main"
    if wanted in names:
        return entries[names.index(wanted)]
    if name is None:
        message = f"'{module}' has {len(names)} entries and none is called 'main': {listed}"
        raise InputError("entry-ambiguous", message, hint=f"choose one, such as entry='{names[0]}'")
    hint = did_you_mean(name, names) or f"the entries are {listed}"
    raise InputError("entry-unknown", f"'{module}' has no entry '{name}'", hint=hint)


def _damaged(reason: str) -> NoReturn:
    raise InputError("entry-record", f"the entry record is damaged: {reason}", hint=STALE)


def parse_entry(record: Any) -> Entry:
    """Reads one record as JSON data; an InputError if it does not hold together."""
    if not isinstance(record, dict):
        _damaged("an entry is not an object")
    version = cast("dict[str, Any]", record).get("version")
    if type(version) is not int or version not in VERSIONS:
        message = f"the entry record has version {version!r}, this is version {VERSIONS[-1]}"
        raise InputError("entry-version", message, hint=STALE)
    entry = Entry(
        name=_get(record, "name", str),
        symbol=_get(record, "symbol", str),
        arguments=tuple(_parse_argument(a) for a in _get(record, "arguments", list)),
        constraints=_strings(record, "constraints"),
        trap=_get(record, "trap", bool),
        sites=_strings(record, "sites"),
        launch=_get(record, "launch", str),
        packed=_get(record, "packed", str) if "packed" in record else None,
        classes=_access(record, CLASSES) if CLASSES in record else None,
        resonance=_access(record, RESONANCE) if RESONANCE in record else None,
        shape=_parse_shape(_get(record, "shape", dict)) if "shape" in record else None,
        device=_parse_device(_get(record, "device", dict)) if "device" in record else None,
        unbounded=_get(record, "unbounded", bool) if "unbounded" in record else False,
    )
    if entry.shape is not None and not entry.shape.names <= {a.name for a in entry.arguments if not a.is_buffer}:
        _damaged(f"the launch of '{entry.name}' takes sizes from arguments that there are not")
    if len(entry.ranks) != len(entry.arguments):
        _damaged(f"two arguments of '{entry.name}' have one name")
    if entry.launch != "call":
        _damaged(f"'{entry.name}' has the launch rule '{entry.launch}', and the CPU knows 'call' alone")
    if entry.unbounded and not entry.trap:
        _damaged(f"'{entry.name}' may run for long and takes no trap record")
    _ = entry.checks, entry.result_shapes
    return entry


def _parse_argument(record: Any) -> Argument:
    if not isinstance(record, dict):
        _damaged("an argument is not an object")
    name, kind, dtype = _get(record, "name", str), _get(record, "kind", str), _get(record, "dtype", str)
    if dtype not in dtypes.NAMES and dtype not in dtypes.LIMBS:
        _damaged(f"argument '{name}' has the unknown type '{dtype}'")
    if kind == "scalar":
        return Argument(name, kind, dtype, access="read")
    if kind != "buffer":
        _damaged(f"argument '{name}' is of the unknown kind '{kind}'")
    shape = _sizes(record, "shape")
    strides = None if cast("dict[str, Any]", record).get("strides") is None else _sizes(record, "strides")
    access = _access(record, "access")
    if any(n is not None and n < 0 for n in shape) or (strides is not None and len(strides) != len(shape)):
        _damaged(f"the shape and strides of argument '{name}' do not fit")
    result = cast("dict[str, Any]", record).get("result")
    if result is not None and not isinstance(result, str):
        _damaged(f"the result shape of argument '{name}' is not text")
    return Argument(name, kind, dtype, shape, strides, access, result)


def _parse_shape(record: Any) -> Shape:
    grid, block = (tuple(_get(record, group, list)) for group in ("grid", "block"))
    shape = Shape(grid, block, cast("dict[str, Any]", record).get("shared", 0))
    if len(grid) != 3 or len(block) != 3 or any(type(n) not in (int, str) for n in (*grid, *block, shape.shared)):
        _damaged("'shape' does not hold the sizes of a launch")
    return shape


def _parse_device(record: Any) -> DeviceCode:
    nbytes = cast("dict[str, Any]", record).get("bytes")
    if nbytes is not None and (type(nbytes) is not int or nbytes < 0):
        _damaged("the device code has no size")
    kernels = tuple(_get(record, "kernels", list))
    for kernel in kernels:
        if not isinstance(kernel, dict):
            _damaged("a kernel is not an object")
        for argument in _get(kernel, "arguments", list):
            if not isinstance(argument, dict) or _get(argument, "kind", str) not in ("buffer", "scalar", "map"):
                _damaged(f"kernel '{_get(kernel, 'name', str)}' has an argument of an unknown kind")
            _get(argument, "dtype", str)
    kind, format, target = (_get(record, key, str) for key in ("kind", "format", "target"))
    return DeviceCode(kind, format, target, nbytes, kernels)


def _shape_json(shape: Shape) -> dict[str, Any]:
    return {"shared": shape.shared, "grid": [*shape.grid], "block": [*shape.block]}


def _device_json(device: DeviceCode) -> dict[str, Any]:
    fields = {"kind": device.kind, "format": device.format, "target": device.target, "kernels": list(device.kernels)}
    return fields if device.nbytes is None else {**fields, "bytes": device.nbytes}


def _access(record: Any, key: str) -> str:
    access = _get(record, key, str)
    if access not in ACCESS:
        _damaged(f"'{key}' is the unknown access '{access}'")
    return access


def _get(record: Any, key: str, kind: type[Any]) -> Any:
    value = cast("dict[str, Any]", record).get(key)
    if not isinstance(value, kind):
        _damaged(f"'{key}' is missing or not of the right kind")
    return value


def _strings(record: Any, key: str) -> tuple[str, ...]:
    values: list[Any] = _get(record, key, list)
    if not all(isinstance(v, str) for v in values):
        _damaged(f"'{key}' holds something that is not text")
    return tuple(values)


def _sizes(record: Any, key: str) -> tuple[int | None, ...]:
    values: list[Any] = _get(record, key, list)
    if not all(v is None or type(v) is int for v in values):
        _damaged(f"'{key}' holds something that is not a number")
    return tuple(values)


def _argument_json(argument: Argument) -> dict[str, Any]:
    if not argument.is_buffer:
        return {"name": argument.name, "kind": argument.kind, "dtype": argument.dtype}
    sizes = {"shape": [*argument.shape], "strides": None if argument.strides is None else [*argument.strides]}
    return argument.as_dict() | sizes
