"""Names that modules and objects of ours do not have."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from opcode import opmap
from types import ModuleType
from typing import Any, NoReturn, TypeVar

from hologram.errors import MissingImportError, MissingKeyError, MissingNameError, did_you_mean, missing_name

KeyT = TypeVar("KeyT", int, str)
ValueT = TypeVar("ValueT")


def missing(
    owner: str, name: str, known: Iterable[str], hint: str | None = None
) -> MissingNameError | MissingImportError:
    """The error for a name that is not one of those that are known; the caller of its caller is `__getattr__`."""
    public = sorted(n for n in known if not n.startswith("_"))
    hint = hint or did_you_mean(name, public) or f"it has {', '.join(public[:8])} and others"
    message = f"{owner} has no '{name}'"
    asking = sys._getframe(3)  # pyright: ignore[reportPrivateUsage]
    # Python replaces an AttributeError that meets it there by a sentence of its own. What is in `sys.modules` it takes
    # from there, while modules import one another.
    if asking.f_code.co_code[asking.f_lasti] == opmap["IMPORT_FROM"] and f"{owner}.{name}" not in sys.modules:
        return MissingImportError("import-missing", message, hint=hint)
    return MissingNameError("name-missing", message, hint=hint)


def no_other_names(owner: str, space: Mapping[str, Any]) -> Callable[[str], Any]:
    """A `__getattr__` for a module, whose names are `space`: it has no others."""

    def refuse(name: str) -> NoReturn:
        own = [
            n for n, v in space.items() if getattr(v, "__module__", owner) == owner and not isinstance(v, ModuleType)
        ]
        raise missing_name(owner, name, own)

    return refuse


class Table(dict[KeyT, ValueT]):
    """A table for users, who may name a key that it does not have."""

    def __init__(self, name: str, rows: dict[KeyT, ValueT]):
        super().__init__(rows)
        self.name = name

    def __missing__(self, key: object) -> NoReturn:
        keys = [str(known) for known in self]
        hint = did_you_mean(str(key), keys) or f"its keys are {', '.join(keys)}"
        raise MissingKeyError("key-missing", f"'{self.name}' has no key {key!r}", hint=hint)
