"""Reads the text of a pass pipeline, `a,b{x=1}`, nested as `builtin.module(func.func(a,b{flag}))`.

::

    pipeline ::= (element (`,` element)*)?
    element  ::= name options? | anchor `(` pipeline `)` | `mlir-opt` `[` text `]`
    options  ::= `{` (name (`=` value (`,` value)*)?)* `}`

Blanks may stand anywhere between tokens. An option without a value is a flag that is set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn
from unicodedata import category

from hologram.errors import UsageError, Where

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_VALUE = re.compile(r"""[^\s,={}()\[\]"']+""")
_STRING = re.compile(r'"((?:\\.|[^"\\])*)"|\'([^\']*)\'')
_BLANK = re.compile(r"\s*")
_LAST_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(?=[^A-Za-z0-9_.-]*$)")


class Raw(NamedTuple):
    """An option's value as written."""

    text: str
    quoted: bool


@dataclass(frozen=True)
class PassCall:
    """A pass or named pipeline with its options, as written."""

    name: str
    options: dict[str, tuple[Raw, ...]] = field(default_factory=dict[str, tuple[Raw, ...]])
    where: Where | None = field(default=None, compare=False)
    """The place of the name."""
    places: dict[str, Where] = field(default_factory=dict[str, Where], compare=False)
    """Those of the options."""

    def blamed(self, message: str) -> Where | None:
        """The place of the option that a message names in quotes, itself or its value, or else that of the name."""
        words = {key: (key, *(value.text for value in self.options[key])) for key in self.places}
        named = (self.places[key] for key, said in words.items() if any(f"'{word}'" in message for word in said))
        return next(named, next(iter(self.places.values()), None) if len(self.places) == 1 else None) or self.where

    def __str__(self) -> str:
        if not self.options:
            return self.name
        return f"{self.name}{{{' '.join(_option_text(key, values) for key, values in self.options.items())}}}"


@dataclass(frozen=True)
class Nest:
    """A pipeline that runs on each operation called `anchor` directly inside the enclosing one."""

    anchor: str
    body: tuple[Node, ...]
    where: Where | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.anchor}({format_nodes(self.body)})"


Node = PassCall | Nest


def format_nodes(nodes: tuple[Node, ...]) -> str:
    """The text of a pipeline, which `parse_pipeline` reads."""
    return ",".join(str(node) for node in nodes)


def _option_text(key: str, values: tuple[Raw, ...]) -> str:
    return f"{key}={','.join(raw_text(v) for v in values)}" if values else key


def raw_text(raw: Raw) -> str:
    """A value as the text of a pipeline has it."""
    if not raw.quoted and _VALUE.fullmatch(raw.text):
        return raw.text
    return '"' + raw.text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def parse_pipeline(text: str, source: str = "pipeline", what: str = "pass") -> tuple[Node, ...]:
    """Reads a pipeline; `source` is what errors call it (`-p`), and `what` what its elements are. The outermost
    `builtin.module(...)` may be left out."""
    nodes = _Reader(text, source, what).read()
    if len(nodes) == 1 and isinstance(nodes[0], Nest) and nodes[0].anchor in ("builtin.module", "any"):
        nodes = nodes[0].body
    return nodes


def parse_call(text: str, source: str) -> PassCall:
    """Reads one `name{options}`."""
    nodes = _Reader(text, source, "pass").read()
    if len(nodes) != 1 or not isinstance(nodes[0], PassCall):
        hint = f"write {source} name, or {source} 'name{{option=value}}'"
        raise UsageError("spec-not-one", f"{source} takes one name with options, not '{text}'", hint=hint)
    return nodes[0]


def parse_option(text: str) -> PassCall:
    """Reads a pass that is an option of a command: `--name`, `--name=x=1 flag`, or with braces as in a pipeline."""
    option, _, _ = text.partition("=")
    return _Reader(text, option, "pass").read_option()


class _Reader:
    def __init__(self, text: str, source: str, what: str):
        self._text = text
        self._source = source
        self._what = what
        self._at = 0

    def read(self) -> tuple[Node, ...]:
        nodes = tuple(self._elements())
        modules = all(isinstance(node, Nest) and node.anchor == "builtin.module" for node in nodes)
        again = self._text.startswith("builtin.module", self._at)
        if nodes and modules and (again or len(nodes) > 1):
            start = self._at if again else self._text.rfind("builtin.module")
            hint = "one holds all passes: builtin.module(canonicalize,cse)"
            self._fail("a second pipeline begins here", start, len("builtin.module"), hint)
        if self._at < len(self._text):
            self._expected("a comma or the end")
        return nodes

    def read_option(self) -> PassCall:
        self._take("--")
        start = self._at
        name = self._match(_NAME, "the name of a pass").group()
        call = PassCall(name, where=self._where(start, len(name)))
        if self._take("="):
            self._read_options(call, in_braces=self._take("{"))
        if not self._ends():
            self._fail("nothing follows the options of a pass", self._at, hint="blanks separate options: a=1 b=2")
        return call

    def _skip(self) -> None:
        self._at = _BLANK.match(self._text, self._at).end()  # pyright: ignore[reportOptionalMemberAccess]

    def _ends(self) -> bool:
        self._skip()
        return self._at == len(self._text)

    def _take(self, char: str) -> bool:
        self._skip()
        if not self._text.startswith(char, self._at):
            return False
        self._at += len(char)
        return True

    def _match(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        self._skip()
        if (match := pattern.match(self._text, self._at)) is None:
            self._expected(what)
        self._at = match.end()
        return match

    def _where(self, start: int, width: int = 1) -> Where:
        return Where(self._source, 1, start + 1, width, source=self._text.replace("\n", " "))

    def _fail(self, reason: str, start: int, width: int = 1, hint: str | None = None) -> NoReturn:
        raise UsageError("pipeline-syntax", reason, hint=hint, where=self._where(start, width))

    def _expected(self, what: str) -> NoReturn:
        """Refuses what stands here in place of `what`."""
        found = found_at(self._text, self._at)
        hint = advice(self._text, self._at, self._what)
        self._fail(f"{what} was expected here, not {found}", self._at, len(found.strip("'")), hint)

    def _elements(self) -> Iterator[Node]:
        self._skip()
        if self._at >= len(self._text) or self._text[self._at] == ")":
            return
        yield self._element()
        while self._take(","):
            yield self._element()
        self._skip()

    def _element(self) -> Node:
        self._skip()
        start = self._at
        name = self._match(_NAME, f"the name of a {self._what}").group()
        where = self._where(start, len(name))
        if self._take("("):
            body = tuple(self._elements())
            if not self._take(")"):
                self._expected(f"a comma or the ')' of '{name}('")
            return Nest(name, body, where)
        if self._take("["):
            return self._foreign(name, where)
        call = PassCall(name, where=where)
        if self._take("{"):
            self._read_options(call)
        return call

    def _foreign(self, name: str, where: Where) -> PassCall:
        """`mlir-opt[...]` is xDSL's: the text inside goes to the real mlir-opt."""
        end = self._text.find("]", self._at)
        if name != "mlir-opt":
            hint = f"options stand in braces: {name}{{x=1}}"
            self._fail("only 'mlir-opt' takes a pipeline in brackets: mlir-opt[...]", self._at - 1, hint=hint)
        if end < 0:
            self._fail("the ']' of 'mlir-opt[' was expected here, not the end", len(self._text))
        inner = self._text[self._at : end]
        self._at = end + 1
        words = ("--mlir-print-op-generic", "--allow-unregistered-dialect", "-p", f"builtin.module({inner})")
        return PassCall(name, {"arguments": tuple(Raw(word, True) for word in words)}, where)

    def _read_options(self, call: PassCall, *, in_braces: bool = True) -> None:
        """Reads options up to a brace, or to the end of the text."""
        while not (self._take("}") if in_braces else self._ends()):
            self._skip()
            start = self._at
            closing = " or '}'" if in_braces else ""
            key = self._match(_NAME, f"an option of '{call.name}'{closing}").group()
            if key in call.options:
                self._fail(f"option '{key}' is given twice", start, len(key))
            call.options[key] = self._values(key) if self._take("=") else ()
            call.places[key] = self._where(start, self._at - start)

    def _values(self, key: str) -> tuple[Raw, ...]:
        values = [self._value(key)]
        while self._take(","):
            values.append(self._value(key))
        return tuple(values)

    def _value(self, key: str) -> Raw:
        self._skip()
        if (string := _STRING.match(self._text, self._at)) is None:
            return Raw(self._match(_VALUE, f"a value of '{key}'").group(), False)
        self._at = string.end()
        text = string.group(2)
        return Raw(text if text is not None else re.sub(r"\\(.)", r"\1", string.group(1)), True)


def found_at(text: str, at: int) -> str:
    """Return what stands at a place, for a message: a word in quotes, a character, or the end."""
    if at >= len(text):
        return "the end"
    word = _NAME.match(text, at)
    return f"'{word.group() if word else text[at]}'"


def advice(text: str, at: int, what: str) -> str | None:
    """Return what helps where something else was expected, as far as what stands there and before it says so."""
    before, rest = text[:at].rstrip(), text[at:]
    in_braces = before.rfind("{") > max(before.rfind("}"), before.rfind("("))
    if not rest:
        return f"a {what} follows a comma" if before.endswith(",") else None
    if (category(rest[0]) == "Pd" and rest[0] != "-") or rest[0] in "\u2018\u2019\u201c\u201d\u2212":
        plain = "a plain '-'" if category(rest[0]) != "Pi" and category(rest[0]) != "Pf" else "a plain quote"
        return f"this is the character U+{ord(rest[0]):04X}, which an editor writes for {plain}"
    if rest[0] == "=" and in_braces and re.search(r"=[^=]*,\s*[\w.-]+$", before):
        return "options are separated by blanks, and commas stand between the values of one: a=1,2 b=3"
    if rest[0] == "," and in_braces:
        return "options are separated by blanks: a=1 b=2"
    if rest[0] in ":=" and in_braces:
        return "an option is written name=value"
    if rest[0] == "-":
        return "names of passes and options have no dashes before them here"
    if rest[0] in "\"'" and not in_braces:
        return "quotes stand around values alone; the shell takes those around the whole text"
    if rest[0] in "\"'":
        return "names have no quotes" if before[-1] in "{" else "this quote is not closed"
    return _advice_between(before, rest, what)


_EXAMPLES = {"pass": "canonicalize,cse", "target": "cpu,vulkan"}


def _advice_between(before: str, rest: str, what: str) -> str | None:
    """What helps behind a pass, or in place of one."""
    name = (_LAST_NAME.search(before) or [""])[0]
    if re.match(r"[\w.-]+\s*=", rest) and name:
        return f"options stand in braces: {name}{{{rest.split()[0].rstrip(')}')}}}"
    if rest[0] == "=":
        nested = re.search(r"([\w-]+)\(\s*([\w-]+)$", before)
        given = f"{nested[2]}{rest.split()[0].rstrip(')}')}" if nested else "x=1"
        return f"options stand in braces: {nested[1] if nested else 'NAME'}{{{given}}}"
    if "." in name and before.endswith(name):
        return f"what runs on an operation stands in parentheses: {name}(canonicalize)"
    if rest[0] in "{[":
        return "a name stands before its options: canonicalize{x=1}; several passes have no brackets around them"
    if rest[0] == ")":
        return f"a {what} follows a comma" if before.endswith(",") else "it closes nothing: there are more ')' than '('"
    if rest[0] == "}":
        return "an option has a value behind '='" if before[-1:] in "=," else "it closes nothing that is open"
    if rest[0] == "," or before.endswith(","):
        return "one comma stands between two names, and none before the first or behind the last"
    if rest[0] == "$":
        return 'the shell puts no variables into single quotes; write "double" ones'
    if rest[0] == "*":
        return "any(...) runs passes on every operation"
    return f"commas separate them: {_EXAMPLES.get(what, 'a,b')}"
