"""What is wrong with a thing that a plug-in brings, by kind: each function says it, or gives None."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any


def dialect(name: str, thing: Any) -> str | None:
    """A dialect under its own name."""
    from xdsl.ir import Dialect

    if not isinstance(thing, Dialect):
        return f"is no xDSL Dialect, but {_kind(thing)}"
    if thing.name != name:
        return f"calls itself '{thing.name}'"
    strange = [d.name for d in (*thing.operations, *thing.attributes) if d.name.partition(".")[0] != name]
    return f"has '{strange[0]}', whose name does not begin with '{name}.'" if strange else None


def operation(name: str, thing: Any) -> str | None:
    """An operation's class."""
    from xdsl.ir import Operation

    if (fault := _derived(thing, Operation, "xDSL's Operation")) is not None:
        return fault
    return None if thing.name == name and "." in name else f"calls itself '{thing.name}', not 'DIALECT.NAME'"


def passes(name: str, thing: Any) -> str | None:
    """A pass: a frozen dataclass."""
    from xdsl.passes import ModulePass

    return _derived(thing, ModulePass, "xDSL's ModulePass") or _dataclass(name, thing) or _applies(thing)


def _applies(thing: Any) -> str | None:
    parameters = [*inspect.signature(thing.apply).parameters]
    if len(parameters) != 3:
        return f"has an apply({', '.join(parameters)}), which must take self, the context and the module"
    return "has no apply of its own" if getattr(thing.apply, "__isabstractmethod__", False) else None


def target(name: str, thing: Any) -> str | None:
    """An output form."""
    from xdsl.utils.target import Target

    return _derived(thing, Target, "xDSL's Target") or _dataclass(name, thing)


def pipeline(name: str, thing: Any) -> str | None:
    """Stages, or a function that gives them."""
    from hologram.lowering.pipelines.pass_spec import parse_pipeline
    from hologram.lowering.pipelines.stage import Stage

    given: Any = thing() if callable(thing) else thing
    stages: list[Any] = [*given] if isinstance(given, (tuple, list)) else []
    if not stages or not all(isinstance(s, Stage) for s in stages):
        return f"is no tuple of Stages, but {_kind(given)}"
    names = [stage.name for stage in stages]
    if twice := next((n for n in names if names.count(n) > 1), None):
        return f"has two stages '{twice}'"
    for stage in stages:
        parse_pipeline(stage.passes, f"stage {stage.name}")
    return None


def frontend(name: str, thing: Any) -> str | None:
    """A front end."""
    from hologram.frontend.plugins import FrontendPlugin

    if not isinstance(thing, FrontendPlugin):
        return f"is no FrontendPlugin, but {_kind(thing)}"
    if not callable(thing.read) or len(inspect.signature(thing.read).parameters) != 3:
        return "has no function read(text, name, context)"
    return None if name.isidentifier() else "is no extension of files"


def device(name: str, thing: Any) -> str | None:
    """A kind of devices."""
    from hologram.runtime.devices import Kind

    if not isinstance(thing, Kind):
        return f"is no Kind, but {_kind(thing)}"
    return None


def mark(name: str, thing: Any) -> str | None:
    """A row of the table of marks."""
    return None if thing.on and thing.types else "stands on no operation, or is of no kind of attribute"


def function(name: str, thing: Any) -> str | None:
    """A function of tensors."""
    if not callable(thing):
        return f"is no function, but {_kind(thing)}"
    from hologram.frontend.tensors.trace.support import is_operation

    return None if is_operation(thing) else "lacks the decorator @operation, which says that it is one of tensors"


def schedule(name: str, thing: Any) -> str | None:
    """A function that emits a kernel."""
    if not callable(thing):
        return f"is no function, but {_kind(thing)}"
    count = len(inspect.signature(thing).parameters)
    return None if count == 4 else f"takes {count} arguments, not the builder, the operation, the target and parameters"


def _derived(thing: Any, base: type[Any], called: str) -> str | None:
    if isinstance(thing, type) and issubclass(thing, base):
        return None if isinstance(getattr(thing, "name", None), str) else "has no name"
    return f"is no class derived from {called}, but {_kind(thing)}"


def _dataclass(name: str, thing: Any) -> str | None:
    if thing.name != name:
        return f"calls itself '{thing.name}'"
    annotations: Any = inspect.get_annotations(thing)
    own = [n for n in annotations if n != "name"]
    if own and "__dataclass_fields__" not in vars(thing):
        return f"has the option '{own[0]}', but lacks @dataclass(frozen=True)"
    return None if dataclasses.is_dataclass(thing) else "lacks @dataclass(frozen=True)"


def _kind(thing: Any) -> str:
    if isinstance(thing, type):
        return f"the class {thing.__name__}"
    return f"{'an' if type(thing).__name__[0] in 'aeiou' else 'a'} {type(thing).__name__}"
