"""Generic forms, brought to one spelling: without aliases, names of values and blocks numbered as they come up, and
attributes in order, and without those that have the value by default. Texts that mean the same become equal."""

from __future__ import annotations

import random
import re

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir.affine import AffineMap

from hologram.dialects import make_context
from hologram.dialects.mlir_parser import MlirParser

_ALIAS = re.compile(r"^([#!][\w.$-]+) = (.*)$", re.MULTILINE)
_TOKEN = re.compile(
    r"""
    "(?:[^"\\]|\\.)*" |                       # a string
    [%^][\w.$-]+(?:\#\d+)? |                  # a value, perhaps one of several results, or a block
    [#!@]?[\w.$]+(?:-[\w.$]+)* |              # a word, an alias, a symbol, a number
    -> | [^\s]                                # all else, one sign at a time
    """,
    re.VERBOSE,
)
_PAIRS = {"{": "}", "(": ")", "[": "]"}


_RESULTS = re.compile(r"(%[\w.$-]+):(\d+)(?= *[=,])")
_COMMENT = re.compile(r"(?:^|(?<=[\s:]))//.*$", re.MULTILINE)
_IDENTITY = re.compile(r"(memref<[^<>]*), identity\d+(?=[,>])")
_QUOTED = re.compile(r'< ?"(\w+)" ?>')
_DEFAULTS = re.compile(
    r"(?:overflowFlags|fastmath(?:Flags)?) = #(?:arith|llvm)\.(?:overflow|fastmath)<none>(?:, |(?=}))"
)


def normal(text: str) -> list[str]:
    """The tokens of a text in generic form."""
    aliases = {name: _spelled(value) for name, value in _ALIAS.findall(text)}
    body = _spelled(_ALIAS.sub("", text))
    return _numbered(_sorted(_expanded(_TOKEN.findall(body), aliases)))


def _spelled(text: str) -> str:
    """A text with one way to write results, enumerations and bits."""
    text = _COMMENT.sub("", text)
    text = _without_maps(text)
    text = _RESULTS.sub(lambda m: ", ".join(f"{m[1]}#{n}" for n in range(int(m[2]))), text)
    text = re.sub(r"\b0x[0-9a-fA-F]+", lambda m: m[0].lower(), text)
    text = _IDENTITY.sub(r"\1", text)
    return _DEFAULTS.sub("", _QUOTED.sub(r"<\1>", text)).replace(" <{}>", "").replace(" : i64", "")


def _without_maps(text: str) -> str:
    """A text with what stands for them in place of affine maps."""
    parts: list[str] = []
    while (start := text.find("affine_map<")) >= 0:
        depth, end = 0, start + len("affine_map<")
        while text[end] != ">" or depth or text[end - 1] == "-":
            depth += (text[end] in "([") - (text[end] in ")]")
            end += 1
        parts += [text[:start], _fingerprint(text[start : end + 1])]
        text = text[end + 1 :]
    return "".join(parts) + text


def _fingerprint(text: str) -> str:
    """What stands for an affine map: its results at some points, so that there is one way to write each."""
    found = MlirParser(make_context(), text, "map").parse_attribute()
    assert isinstance(found, AffineMapAttr)
    one = found.data
    if one == AffineMap.identity(one.num_dims):
        return f"identity{one.num_dims}"
    rng = random.Random(5)
    points = [[rng.randrange(1, 999) for _ in range(one.num_dims + one.num_symbols)] for _ in range(3)]
    values = [one.eval(p[: one.num_dims], p[one.num_dims :]) for p in points]
    return f"map{one.num_dims}.{one.num_symbols}." + ".".join(str(v).replace("-", "m") for row in values for v in row)


def _expanded(tokens: list[str], aliases: dict[str, str]) -> list[str]:
    """Tokens with what aliases stand for in their place, which may have aliases in it."""
    out: list[str] = []
    for token in tokens:
        if token in aliases:
            out += _expanded(_TOKEN.findall(aliases[token]), aliases)
        else:
            out.append(token)
    return out


def _sorted(tokens: list[str]) -> list[str]:
    """Tokens with the entries of dictionaries of attributes in order."""
    out, rest = _group(tokens, 0, "")
    assert rest == len(tokens)
    return out


def _group(tokens: list[str], place: int, end: str) -> tuple[list[str], int]:
    """The tokens up to a closing one, and the place behind it."""
    out: list[str] = []
    while place < len(tokens) and tokens[place] != end:
        token = tokens[place]
        out.append(token)
        place += 1
        if token in _PAIRS:
            inner, place = _group(tokens, place, _PAIRS[token])
            out += _entries(inner) if token == "{" and _is_attributes(inner) else inner
            out.append(_PAIRS[token])
    return out, place + bool(end)


def _is_attributes(tokens: list[str]) -> bool:
    """Return whether tokens between braces are attributes: a region begins with a block or an operation."""
    first = next(iter(tokens), "")
    return not first.startswith(("^", "%")) and not (first.startswith('"') and tokens[1:2] == ["("])


def _entries(tokens: list[str]) -> list[str]:
    entries: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        depth += token in _PAIRS
        depth -= token in _PAIRS.values()
        if token == "," and depth == 0:
            entries.append([])
        else:
            entries[-1].append(token)
    out: list[str] = []
    for entry in sorted(e for e in entries if e):
        out += [*entry, ","]
    return out[:-1]


def _numbered(tokens: list[str]) -> list[str]:
    """Tokens with numbers in place of the names of values and blocks.

    A name that is made anew is another value: what is isolated from what is around it may use the names again.
    """
    names: dict[str, str] = {}
    made: set[str] = set()
    out: list[str] = []
    makes = _makes(tokens)
    for place, token in enumerate(tokens):
        if token[0] not in "%^":
            out.append(token)
            continue
        if place in makes:
            if token in made:
                del names[token]
            made.add(token)
        out.append(names.setdefault(token, f"{token[0]}{place}"))
    numbers = {name: f"{name[0]}{n}" for n, name in enumerate(dict.fromkeys(t for t in out if t[0] in "%^"))}
    return [numbers.get(token, token) for token in out]


def _makes(tokens: list[str]) -> set[int]:
    """The places where values are made: results before `=`, and arguments in the header of a block."""
    found: set[int] = set()
    for place, token in enumerate(tokens):
        if token == "=" and place and tokens[place - 1][0] == "%":
            back = place - 1
            found.add(back)
            while back >= 2 and tokens[back - 1] == "," and tokens[back - 2][0] == "%":
                back -= 2
                found.add(back)
        elif token[0] == "^" and tokens[place + 1 : place + 2] == ["("]:
            end = next(n for n in range(place, len(tokens)) if tokens[n] == ")" and tokens[n + 1 : n + 2] == [":"])
            found |= {n for n in range(place, end) if tokens[n][0] == "%" and tokens[n + 1] == ":"}
    return found
