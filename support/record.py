"""Frozen data classes that cost nothing to define.

`dataclasses` writes and compiles source for each class: 0.3 ms for one of four fields, of which this takes 0.005
(`timeit`). What loading a kernel of an archive imports has fifteen such classes, and milliseconds for everything.
"""

from __future__ import annotations

from typing import Any, Self, dataclass_transform


@dataclass_transform(frozen_default=True)
class Record:
    """A value of named fields: a subclass annotates them, with defaults (of immutable values) where it has some.

    It is made, printed, compared, hashed and matched as a frozen data class is.
    """

    __match_args__: tuple[str, ...] = ()
    """The names of the fields."""
    __needed = frozenset[str]()
    """Those without a default."""

    def __init_subclass__(cls) -> None:
        cls.__match_args__ = (*cls.__match_args__, *cls.__annotations__)
        cls.__needed = frozenset(name for name in cls.__match_args__ if not hasattr(cls, name))

    def __init__(self, *values: Any, **named: Any) -> None:
        fields = self.__match_args__
        given = dict(zip(fields, values, strict=False))
        given.update(named)
        if len(given) != len(values) + len(named) or not self.__needed <= given.keys() <= set(fields):
            raise TypeError(f"{type(self).__name__} has the fields {fields}, found {values} and {named}")
        self.__dict__.update(given)

    def changed(self, **changes: Any) -> Self:
        """A copy with other values of some fields."""
        return type(self)(**{**self.as_dict(), **changes})

    def as_dict(self) -> dict[str, Any]:
        """The values of the fields by name."""
        return {name: getattr(self, name) for name in self.__match_args__}

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a {type(self).__name__} can't be changed: make another with changed({name}=...)")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.as_dict().items())})"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.as_dict() == other.as_dict()

    def __hash__(self) -> int:
        return hash((*self.as_dict().values(),))
