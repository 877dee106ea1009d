"""The object by which a plug-in says what it brings: `register(plugin)` calls its methods."""

from __future__ import annotations

import importlib.util
import inspect
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from blake3 import blake3

from hologram.errors import InputError, Where, did_you_mean
from hologram.errors.arguments import described
from hologram.plugins import INTERFACE
from hologram.plugins.faults import caller
from hologram.plugins.tables import KINDS, Row, found

if TYPE_CHECKING:
    from hologram.dialects.atlas.instructions.declaration import Composition, Instruction, Reference

SOURCES = (".py", ".mlir", ".json", ".ll", ".toml", ".yaml")
"""The files of a package that decide what a plug-in does."""
_NAME = re.compile(r"[a-z]\w*(\.[a-z]\w*)+", re.ASCII)
NAMES = {
    "word": "hologram.language:WORDS",
    "tensor": "hologram.dialects.hologram:names_of_ours",
    "function": "hologram.ops:__all__",
}
"""The names that a declaration may give an instruction elsewhere, and the place of those that are taken there."""


class Plugin:
    """A plug-in, and what it brings.

    A thing is given itself, or as the place `module:Name` that it is imported from when it is asked for: then its
    name comes first. What is wrong with one raises an InputError at the line that gives it.
    """

    def __init__(self, name: str, place: str, files: Sequence[str], *, is_installed: bool = False, package: str = ""):
        self.name = name
        """The name of the file, the folder, the module or the entry point; what its instructions begin with."""
        self.place = place
        """What it is loaded by: a path, or a module."""
        self.is_installed = is_installed
        """Whether an entry point named it."""
        self.package = package
        """The package that installed it."""
        self.rows: list[Row] = []
        """What it brings."""
        self._files = dict.fromkeys(files)

    def __repr__(self) -> str:
        return f"<hologram plug-in '{self.name}' of {self.place}>"

    def __getattr__(self, name: str) -> Any:
        near = did_you_mean(name, [n for n in dir(type(self)) if not n.startswith("_")])
        raise AttributeError(f"a plug-in has no method '{name}'; {near or 'docs/plugins.mdx lists them'}")

    def requires(self, interface: int) -> None:
        """Refuses to go on where plug-ins are offered another version of the interface than `interface`."""
        if type(interface) is not int:
            raise InputError(
                "plugin-interface-type",
                f"the version of the interface that the plug-in '{self.name}' requires is a whole number, "
                f"not {interface!r}",
                hint=f"write plugin.requires({INTERFACE})",
                where=self._here,
            )
        if interface != INTERFACE:
            raise InputError(
                "plugin-interface",
                f"the plug-in '{self.name}' is made for version {interface} of the interface of plug-ins, "
                f"and this is version {INTERFACE}",
                hint=f"install a version of {self.package or 'it'} that fits this version of hologram-mlir",
                where=self._here,
            )

    # Dialects and passes

    def dialect(self, given: Any, place: str | None = None, *, lowered_by: str = "", interpreter: Any = None) -> None:
        """A dialect: xDSL's `Dialect`, or its name and place.

        `lowered_by` is the pass that turns its operations into Hologram's: every pipeline of ours runs it first, on
        modules that have some. The interpreter calls an operation's `evaluate`, or what `interpreter` has for it: a
        mapping of operations to functions `(machine, op, values) -> values`, or a module with such a table HANDLERS.
        """
        self._add("dialect", *self._named(given, place), lowered_by=lowered_by, interpreter=interpreter)

    def operation(self, given: Any, place: str | None = None) -> None:
        """An operation for a dialect that there is: its class, or its name and place."""
        self._add("operation", *self._named(given, place))

    def passes(self, *given: Any, only_on: str = "") -> None:
        """Passes: classes, or mappings of names to places. `only_on` names the operations and dialects without which
        they do nothing, so that pipelines need not run them."""
        for one in given:
            rows = one.items() if isinstance(one, Mapping) else [self._named(one, None)]  # pyright: ignore[reportUnknownVariableType]
            for name, thing in rows:  # pyright: ignore[reportUnknownVariableType]
                self._add("pass", name, thing, only_on=only_on)  # pyright: ignore[reportUnknownArgumentType]

    def pipeline(self, name: str, stages: Any) -> None:
        """A named pipeline: its stages, or the place of them or of a function that gives them."""
        self._add("pipeline", name, stages)

    def output_form(self, given: Any, place: str | None = None) -> None:
        """An output form, as `-t` names it: a class derived from xDSL's `Target`, or its name and place."""
        self._add("output form", *self._named(given, place))

    def mark(self, name: str, on: str, types: str, meaning: str, *, written: str, read: str, dropped: str = "") -> None:
        """A mark, the attribute `hologram.NAME`: the operations that it stands on, the kinds of attribute that it is,
        the passes that write it and read it, and those after which there is none."""
        from hologram.dialects.marks import Mark

        name = f"hologram.{name}"
        columns = [tuple(text.split()) for text in (on, types, dropped)]
        self._add("mark", name, Mark(name, columns[0], columns[1], written, read, columns[2], meaning))

    def schedule(self, operation: str, target: str, emit: Any, parameters: Any = None) -> None:
        """How an array-level operation becomes a kernel on a target (`cpu`, `gpu`): the function
        `(builder, op, target, parameters)`, or its place, and the class of its parameters, a frozen dataclass."""
        self._add("schedule", f"{operation} {target}", emit, parameters=parameters)

    # Instructions and tensor operations

    def instruction(
        self, name: str, operands: str, types: frozenset[str], meaning: str, reference: Reference | None = None, *,
        compose: Composition | None = None, lower: Any = None, **more: Any,
    ) -> Instruction:  # fmt: skip
        """A scalar instruction `PLUGIN.NAME`, as `dialects/atlas/instructions/table.py` declares ours.

        `lower` is its rule on the way to the kernel level, `(rw, core, op, t, args) -> value`, or the place of it; what
        `compose` composes of other instructions needs none. In kernels and tensor functions it is `PLUGIN_NAME`.
        """
        from hologram.dialects.atlas.instructions.declaration import declared

        full = f"{self.name}.{name}"
        more = {"kernel": "", **more}

        def make() -> Instruction:
            _check_fields(operands, types, meaning, reference, compose)
            return declared(full, operands, types, meaning, reference, compose=compose, **more)

        return self._declared(full, make, more, lower=lower)

    def composition(self, compose: Composition, types: frozenset[str], meaning: str, **more: Any) -> Instruction:
        """An element-wise function that is composed of instructions: `hologram.PLUGIN_NAME`, by the function's name."""
        from hologram.dialects.atlas.instructions.declaration import composed

        full = f"{self.name}_{getattr(compose, '__name__', '')}"
        return self._declared(full, lambda: composed(compose, types, meaning, name=full, **more), more)

    def _declared(
        self, name: str, declare: Callable[[], Instruction], names: Mapping[str, Any], **more: Any
    ) -> Instruction:
        where = self._here
        try:
            instruction = declare()
            if instruction.is_instruction:
                _check_name(self.name, name)
            if instruction.is_instruction and instruction.compose is None:
                _check_rule(more["lower"])
            for what, place in NAMES.items():
                self._check_word(what, getattr(instruction, what), what in names, place)
        except (ValueError, TypeError, AttributeError, AssertionError) as error:
            raise InputError(
                "plugin-instruction",
                f"the plug-in '{self.name}' declares the instruction '{name}' wrongly: {error}",
                hint="docs/plugins.mdx shows a declaration", where=where,
            ) from error  # fmt: skip
        self._take(Row("instruction", name, instruction, self.name, where, **more))
        return instruction

    def _check_word(self, what: str, word: str, is_given: bool, place: str) -> None:
        """Refuses a name of an instruction elsewhere that is taken; one that follows from the plug-in's is none of
        ours."""
        if word and not word.isidentifier():
            raise ValueError(f"{what}='{word}' is no identifier")
        if word and is_given and word in found(place):
            raise ValueError(f"{what}='{word}' is a name of Hologram's own")
        for row in (*KINDS["instruction"].rows.values(), *self.rows):
            if word and row.kind == "instruction" and getattr(row.thing, what) == word:
                raise ValueError(f"{what}='{word}' is that of '{row.name}'")

    def tensor_operation(self, operation: Any, function: Any, place: str | None = None) -> None:
        """A tensor operation that is a class, and the function of `hologram.ops` that applies it."""
        self.operation(operation, place)
        self.function(function)

    def function(self, given: Any, place: str | None = None) -> None:
        """A function of `hologram.ops`: itself, or its name and place."""
        self._add("function", *self._named(given, place))

    # Devices and front ends

    def device(self, given: Any, place: str | None = None) -> None:
        """A kind of devices: its `Kind`, or its name and place."""
        self._add("device", *self._named(given, place))

    def frontend(self, form: str, given: Any) -> None:
        """A front end for a form and the files of that extension: its `FrontendPlugin`, or the place of it."""
        self._add("front end", form, given)

    # What it consists of

    @cached_property
    def digest(self) -> str:
        """The name and content of all its files, in 64 digits."""
        digest = blake3(self.name.encode())
        for path in sorted(path for file in self._files for path in _sources(file)):
            try:
                with open(path, "rb") as file:
                    digest.update(f"\0{path}\0".encode()).update(file.read())
            except OSError:
                digest.update(f"\0{path}\0?".encode())
        return digest.hexdigest()

    @property
    def files(self) -> tuple[str, ...]:
        """The files and folders that it consists of."""
        return tuple(self._files)

    def covers(self, files: Sequence[str]) -> None:
        """Takes more files and folders to be part of it."""
        self._files |= dict.fromkeys(files)
        self.__dict__.pop("digest", None)

    @property
    def _here(self) -> Where | None:
        return caller({path for file in self._files for path in _sources(file)})

    def _named(self, given: Any, place: str | None) -> tuple[str, Any]:
        """A thing by its name: by its own where it is given itself."""
        if place is not None:
            return str(given), place
        if isinstance(given, str):
            raise InputError(
                "plugin-name-alone",
                f"the plug-in '{self.name}' gives the name '{given}' alone, without the thing or its place",
                hint=f"give it itself, or its name and place: '{given}', 'module:Name'",
                where=self._here,
            )
        name = getattr(given, "name", None) or getattr(given, "__name__", None)
        return (name, given) if isinstance(name, str) else (repr(given), given)

    def _add(self, kind: str, name: str, thing: Any, **more: Any) -> None:
        if isinstance(thing, str):
            self.covers(package_of(thing))
        self._take(Row(kind, name, thing, self.name, self._here, **more))

    def _take(self, row: Row) -> None:
        """Keeps a thing, after a look at its name and its kind."""
        KINDS[row.kind].check(row, self.rows)
        self.rows.append(row)


def _check_name(plugin: str, name: str) -> None:
    """Refuses a name of an instruction that assembly would take for another one."""
    if _NAME.fullmatch(name) is None:
        raise ValueError("names of instructions have small letters, digits and _, and begin with a letter")
    if plugin in {known.partition(".")[0] for known in found("hologram.dialects.machine.numbers:numbers").opcodes}:
        raise ValueError(
            f"instructions of Hologram begin with '{plugin}', so none of a plug-in can: rename the plug-in"
        )


def _check_fields(operands: Any, types: Any, meaning: Any, reference: Any, compose: Any) -> None:
    """Refuses what is no declaration of a scalar instruction."""
    if not isinstance(operands, str):
        raise ValueError(f"its operands are a text such as 'a b', not {described(operands)}")
    if not isinstance(types, frozenset | set):
        raise ValueError(f"its types are a set such as frozenset({{'f32'}}), not {described(types)}")
    if not isinstance(meaning, str) or not meaning.strip():
        raise ValueError(f"its meaning is a sentence, not {described(meaning)}")
    names = [part.partition(":")[0] for part in operands.split()]
    if len({*names}) != len(names):
        raise ValueError(f"two operands of '{operands}' have one name")
    for what, function, first in (("reference function", reference, "t"), ("compose=", compose, "do")):
        if function is None:
            continue
        if not callable(function):
            raise ValueError(f"its {what} is a function, not {described(function)}")
        try:
            inspect.signature(function).bind(first, *names)
        except TypeError:
            call = f"({', '.join([first, *names])})"
            raise ValueError(f"its {what} is called with {call}, which it does not take") from None
        except ValueError:
            continue  # Some functions of C do not say what they take.


def _check_rule(lower: Any) -> None:
    """Refuses what is no rule of an instruction."""
    if lower is None:
        raise ValueError("nothing says what its code is: give lower=, or compose= of other instructions")
    if not isinstance(lower, str) and (not callable(lower) or len(inspect.signature(lower).parameters) != 5):
        raise ValueError("lower= is a function (rw, core, op, t, args) -> value, or the place of one")


def package_of(place: str) -> list[str]:
    """The folder of the package that a place `module:name` is in, or the file of a module that is alone."""
    top = place.partition(":")[0].partition(".")[0]
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return []
    if spec is None:
        return []
    return [*(spec.submodule_search_locations or ())] or ([spec.origin] if spec.origin else [])


def _sources(path: str) -> Iterator[str]:
    """The files of a folder that decide what it does; a file itself."""
    if not os.path.isdir(path):
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        yield from (os.path.join(folder, name) for name in names if name.endswith(SOURCES))
