"""Reads and writes JSON as `json` does, by the functions in C that it uses.

The package itself takes a millisecond to import, for what nothing here needs. It says what is wrong with a text, and
serves where Python has no such functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

try:
    import _json as functions
except ImportError:
    functions = None


def _refuse(value: object) -> NoReturn:
    raise TypeError(f"{value!r} is no JSON data")


class _Context:
    """The settings by which `json` reads by default."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int = float, int
    parse_constant = {name: float(name) for name in ("NaN", "Infinity", "-Infinity")}.__getitem__


def _made(name: str, *given: Any) -> Any:
    """A function of those in C; None where there is none, or another version's takes something else."""
    try:
        return getattr(functions, name)(*given)
    except (AttributeError, TypeError):
        return None


def loads(text: str | bytes) -> Any:
    """The data of a text; a ValueError if it is not JSON."""
    scan = _made("make_scanner", _Context())
    if scan is not None:
        given = text if isinstance(text, str) else text.decode()
        with suppress(StopIteration):
            data, end = scan(given, 0)
            if end == len(given):
                return data
    import json

    return json.loads(text)


def members(pairs: Sequence[tuple[Any, Any]]) -> dict[Any, Any]:
    """An object of its members. Raises ValueError if two have one name: what one of them says would be lost."""
    by_name = dict(pairs)
    if len(by_name) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"an object has two members '{next(n for n in names if names.count(n) > 1)}'")
    return by_name


def dumps(data: Any) -> str:
    """The one text of data without spaces, with ascending keys, and in ASCII; a ValueError if a number has none."""
    ascii = getattr(functions, "encode_basestring_ascii", None)
    encode = _made("make_encoder", {}, _refuse, ascii, None, ":", ",", True, False, False)
    if encode is not None:
        return "".join(encode(data, 0))
    import json

    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
