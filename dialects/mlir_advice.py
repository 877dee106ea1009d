"""What errors in MLIR text say: xDSL's messages in our words, where something is missing, and what helps."""

from __future__ import annotations

import re
from collections.abc import Callable

from hologram.errors import end_before, nearest

_WORD = re.compile(r"[A-Za-z_][\w.$-]*")
TYPES = tuple("i1 i8 i16 i32 i64 f16 bf16 f32 f64 index vector tensor memref complex tuple none".split())
_FOREIGN = {
    "bool": "i1", "int": "i32", "long": "i64", "float": "f32", "double": "f64", "half": "f16", "int32": "i32",
    "int64": "i64", "float32": "f32", "float64": "f64", "float16": "f16", "bfloat16": "bf16", "size_t": "index",
}  # fmt: skip
"""What other languages call types."""
_WORDS = ("true", "false", "unit", "dense", "array", "affine_map", "affine_set", "strided", "loc", "opaque")
_WHAT = {
    "expected argument or type": "a parameter such as '%a: i32'",
    "expect symbol name": "a name with '@'",
    "operand expected": "an operand such as '%a'",
    "expected an operand": "an operand such as '%a'",
    "expected operand": "an operand such as '%a'",
    "expected block argument": "a variable such as '%i'",
    "successor expected": "a block such as '^end'",
    "attribute expected": "an attribute, such as a number with its type,",
    "type expected": "a type",
    "operation name expected": "the name of an operation",
    "expected '=' after operation result list": "'=' behind the results",
    "expected ssa value tuple size": "the number of values that ':' announces",
    "expected shape type": "a size or an element type",
    "expected vector element type": "a size or an element type",
    "expected suffix identifier after {first_char}": "a name",
    "expected ':'function type signature expected": "':' with the types of operands and results",
    "function type expected": "the types of operands and results",
    "expected region": "a region in braces",
    "expected '=' after": "'='",
    "expected either a float, integer, or complex literal": "a number",
    "expected integer value": "a whole number",
    "expected integer literal": "a whole number",
    "expected 'x' in shape delimiter, got comma": "an 'x' behind the size",
    "expected 'x' in shape delimiter, got integer_lit": "an 'x' behind the size",
    "expected integer or float literal after '-'": "a number behind '-'",
    "expected three consecutive '.' for an ellipsis": "a digit before the point",
}
"""What xDSL expects, in our words, by its messages in small letters."""


def place(text: str, start: int, end: int, message: str) -> tuple[int, int]:
    """The characters that an error points at: what is missing before the first word of a line is missing at the end of
    the line before."""
    if (
        quoted := re.search(r"(?:alias '(.+)'|'(.+)' is not registered|[Oo]peration (\S+) does not)", message)
    ) is not None:
        word = next(filter(None, quoted.groups()))
        at = text.rfind(word, text.rfind("\n", 0, start) + 1, start + len(word))
        return (at, at + len(word)) if at >= 0 else (start, end)
    lowered = message.lower()
    begins = start >= len(text) or not text[text.rfind("\n", 0, start) + 1 : start].strip()
    ours = "was expected here" in lowered and start < len(text)
    if not begins or ours or "expect" not in lowered:
        return start, end
    before = end_before(text, start)
    return (start, end) if before is None else (before, before + 1)


def sentence(text: str, start: int, at: int, message: str) -> str:
    """A message in our words; `start` is what was found, `at` where it points."""
    message = message.strip().rstrip("!.")
    if message.startswith("Tensor literal has inconsistent"):
        return "the rows of this literal differ"
    if re.match(r"unexpected character", message, re.IGNORECASE):
        code = f" (U+{ord(text[start]):04X})" if not text[start].isascii() or not text[start].isprintable() else ""
        return f"the character '{text[start]}'{code} means nothing here"
    line = text[text.rfind("\n", 0, start) + 1 : start]
    if '"' in line and (match := re.fullmatch(r"expected (\d+) operand types but had (\d+)", message)):
        return _counted(f"{match[1]} types stand here, and there are {match[2]} operands")
    for pattern, said in _SAID:
        if (match := re.fullmatch(pattern, message)) is not None:
            return _counted(said.format(*match.groups()))
    if "was expected here" in message:
        return f"{message}, where the text ends" if at < start else message
    if (what := _expected(message)) is None:
        return message if message[:2].isupper() else message[:1].lower() + message[1:]
    if what.startswith("an attribute") and re.compile(r"[A-Za-z_]\w*\(").match(text, start):
        what = "a name with '@'"
    return f"{what} was expected here, {found(text, start, at)}"


def _counted(said: str) -> str:
    """A sentence with 1 of something."""
    said = re.sub(r"\b1 (type|name)s stand\b", r"1 \1 stands", said)
    return re.sub(r"\b1 (operand|result)s\b", r"1 \1", re.sub(r"there are 1 ", "there is 1 ", said))


def operation_in(line: str) -> str | None:
    """The name of the operation that a line begins with, behind its results."""
    match = re.match(r"\s*(?:[%\w$.:, -]+=\s*)?\"?([a-z_]\w*\.[\w.]+)", line)
    return match[1] if match else None


def _expected(message: str) -> str | None:
    """What a message expects, in our words."""
    if (what := _WHAT.get(message.lower())) is not None:
        return what
    match = re.fullmatch(r"[Ee]xpect(?:ed)? (.+)", message, re.DOTALL) or re.fullmatch(
        r"(.+?) expected( .*)?", message, re.DOTALL
    )
    if match is None or re.search(r"\b(but|got)\b", message) and "delimiter" not in message:
        return None
    sign = re.match(r"['`]([^'`]+)['`]", match[1])
    return f"'{sign[1]}'" if sign else match[1]


def found(text: str, start: int, at: int) -> str:
    """Return what stands where something else was expected."""
    if start >= len(text) or not text[start:].strip():
        return "where the text ends"
    if at < start:
        return "where the line ends"
    word = re.compile(r"[%@^#!]?[A-Za-z_][\w.$-]*|\d[\w.]*|->|=>|\"[^\"\n]*\"").match(text, start)
    return f"not '{word[0][:40] if word else text[start]}'"


def advice(text: str, start: int, message: str) -> str | None:
    """Return what helps where `start` is not what was expected, as far as the text shows it."""
    if (language := other_language(text, start)) is not None:
        return language
    word = _WORD.match(text, start)
    name = word[0] if word else ""
    if text[start : start + 1] in ("%", "@", "^", "#", "!") and not text[start + 1 : start + 2].isascii():
        return "names are made of the letters a to z, digits, '_', '$', '.' and '-'"
    lowered = message.lower()
    if match := re.fullmatch(r"[Oo]peration (\S+) does not have a custom format", message):
        return f'write "{match[1]}"(%a, %b) : (TYPE, TYPE) -> TYPE'
    if start < len(text) and (sign := _SIGNS.get(text[start])) is not None:
        return sign
    if text.startswith(("/*", "--", "# "), start) and not text[text.rfind("\n", 0, start) + 1 : start].strip():
        return "a comment begins with '//'"
    expected = _expected(message.strip().rstrip("!.")) or ""
    is_index = expected == "']'" and text[:start].endswith("[")
    if (is_index or expected.startswith("an operand")) and (number := re.compile(r"\d[\d.]*").match(text, start)):
        return f"a number is made a value first: %c = arith.constant {number[0]} : index"
    if name in ("nan", "inf") and expected.startswith("a number"):
        return "a NaN and an infinity are written by their bits: 0x7FC00000 and 0x7F800000 for f32"
    if name and expected.startswith(("an operand", "a parameter", "a variable")):
        return f"a value begins with '%': %{name}"
    if name and expected.startswith("a name with"):
        if (near := nearest(name, ("public", "private", "nested"))) is not None:
            return f"did you mean '{near}'?"
        return f"a name begins with '@': @{name}"
    if name and expected.startswith("a block"):
        return f"a block begins with '^': ^{name}"
    if "shape" in lowered or "vector element" in lowered:
        return _shape_advice(text, start, name)
    if "type expected" in lowered and name:
        near = _FOREIGN.get(name) or nearest(name, TYPES)
        return (
            f"did you mean '{near}'?" if near else "types are i32, f32, index, vector<4xf32>, memref<?xf32> and so on"
        )
    if name and expected.startswith("an attribute"):
        near = nearest(name, _WORDS)
        return f"did you mean '{near}'?" if near else None
    if text[start : start + 1] == ":" and expected == "'}'":
        return "an attribute is written name = value"
    if text[start : start + 1] in ("=", ":") and text[:start].rstrip().endswith(")"):
        return "the types of results stand behind '->'"
    return None


_SAID = (
    (r"SSA value (%\S+) is already defined", "{} is defined already"),
    (
        r"SSA value tuple index .* size (\d+) .* element (\d+)",
        "this value has {} results, counted from 0",
    ),
    (r"operand is used with type (.+), but has been .* with type (.+)", "this is of type {1}, and is used as {0}"),
    (r"region ends with missing block declarations for block\(s\) (.+)", "there is no block '^{}' in this region"),
    (r"re-declaration of block '(.+)'", "the block '^{}' is defined already"),
    (r"re-declaration of alias '(.+)'", "the alias '{}' is defined already"),
    (r"undefined symbol alias '(.+)'", "there is no alias '{}'"),
    (r"'(.+)' is not registered", "there is no type or attribute '{}'"),
    (r"[Oo]peration (\S+) does not have a custom format", "'{0}' is read in its generic form alone"),
    (
        r"Operation has (\d+) results, but was given (\d+) to bind",
        "it has {} results, and {} names stand here",
    ),
    (r"expected (\d+) operand types but had (\d+)", "this takes {} operands, and is given {}"),
    (r"Identifier not in space (\S+)", "'{}' is no dimension or symbol of this map"),
)
"""xDSL's messages that are whole sentences, in our words."""
_VERDICTS = (
    (r"operand '(\w+)' at position \d+ does not verify: (.+)", "operand '{}': {}"),
    (r"result '(\w+)' at position \d+ does not verify: (.+)", "result '{}': {}"),
    (r"attribute (.+) expected from variable '\w+', but got (.+)", "{1} stands where {0} must"),
    (r"Unexpected attribute (.+)", "{} is none of the types that stand here"),
    (r"((?:tensor|memref)<\*.+) should be of base attribute \S+", "{} has no known number of axes, which is needed"),
    (r"(.+) should be of base attribute (\S+)", "{} is no {}"),
    (r"property '(\w+)' expected in operation '.+'", "its property '{}' is missing"),
    (r"Expected arguments to have the same types .* expected (\[.*\]), got (\[.*\])",
     "the function has results of types {}, and this gives {}"),
    (r"op dimension operand count does not equal memref dynamic dimension count",
     "it takes one operand for each size that is '?' in its type"),
    (r"'(@\S+)' could not be found in symbol table", "there is no {}"),
)  # fmt: skip
"""What xDSL's verifiers say, in our words."""


def verdict(message: str) -> str:
    """What is wrong with an operation, in our words."""
    for pattern, said in _VERDICTS:
        if (match := re.fullmatch(pattern, message.rstrip("."))) is not None:
            return said.format(*(verdict(part) for part in match.groups()))
    message = _counted(message)
    return message[:1].lower() + message[1:].rstrip(".") if message[1:2].islower() else message.rstrip(".")


def counterpart(name: str, given: str, is_known: Callable[[str], bool]) -> str | None:
    """A hint: the operation that does to `given`, a type, what `name` does to those of another kind."""
    stem = re.sub(r"[su]?[if]$", "", name)
    kinds = ("integers", "i", "si") if re.search(r"\b(\d+x)?(i\d+|index)\b", given) else ("floats", "f")
    found = next((stem + end for end in kinds[1:] if stem + end != name and is_known(stem + end)), None)
    return f"{kinds[0]} have '{found}'" if found else None


_LANGUAGES = (
    (
        r"(define|declare|target \w+|source_filename|@\w+ = )",
        "this is LLVM IR: a file of it ends in .ll",
    ),
    (r"[{\[]\s*[\"{\[]", "this is JSON: a file of kernel documents ends in .json"),
    (r"(import|from|def|class) \w|@\w[\w.]*\n", "this is Python: a file of kernels ends in .py"),
    (r"#(include|define|pragma)|(int|void) \w+\(", "this is C, which is not read"),
    (r"<(!DOCTYPE|html|\?xml)", "this is a page, and no program"),
    (r"(<<<<<<<|>>>>>>>|=======)", "this is the mark of a merge that was not resolved"),
    (r"```", "this is a fence of Markdown: leave it out"),
    (r"(--- \S+\n\+\+\+ |diff --git)", "this is a difference of files: apply it"),
    (r"\.(program|func|arrays|pool)\b", "this is assembly of the Atlas ISA: a file of it ends in .atlas"),
    (r"\d+:?\s+\w+", "these are line numbers: leave them out"),
    (r"(mark|copy|swap|merge|split|quote|evaluate)@c", "this is a circuit: a file of it ends in .circuit"),
    (r"\x7fELF", "this is a program of the system, and no text"),
)


def other_language(text: str, start: int) -> str | None:
    """A hint for a text whose first word shows that it is of another language."""
    if text[:start].strip():
        return None
    return next((hint for pattern, hint in _LANGUAGES if re.compile(pattern).match(text, start)), None)


_SIGNS = {
    "\xa0": "a blank of another kind stands here: write a plain one",
    "\u201c": "write plain quotes",
    "\u201d": "write plain quotes",
    "\u2018": "write plain quotes",
    "\u2019": "write plain quotes",
    "\u2013": "write a plain '-'",
    "\u2014": "write a plain '-'",
    ";": "an operation ends with its line, and parameters have ',' between them",
    "'": 'a text stands in double quotes: "text"',
    "$": "a value begins with '%'",
    "`": 'a text stands in double quotes: "text"',
}


def _shape_advice(text: str, start: int, name: str) -> str:
    if text.startswith("-", start):
        return "a size is a number, or '?' where it is not known"
    if (near := _FOREIGN.get(name) or nearest(name, TYPES)) is not None:
        return f"did you mean '{near}'?"
    if name.startswith("x"):
        return "no 'x' stands before the first size or behind the element type"
    return "a shape is written 4x?xf32: sizes, each with an 'x' behind it, and an element type"


def unknown_word(text: str, start: int, name: str) -> tuple[str, str] | None:
    """The message and the hint for a word where an operation was expected, if what stands around it says more."""
    before, after = text[:start].rstrip(), text[start + len(name) :].lstrip(" ")
    number = re.search(r"[\d.]*\d[\w.]*$", text[:start])
    if number is not None and start and not text[start - 1].isspace():
        return f"'{number[0]}{name}' is no number", "numbers are written 1000, -2, 1.5, 2.0e3 or 0x1F"
    if name in TYPES or re.fullmatch(r"[su]?i\d+", name):
        if before.endswith(")"):
            return f"'->' was expected here, not '{name}'", f"the types of results stand behind '->', as in '-> {name}'"
        return f"':' was expected here, not '{name}'", f"a type stands behind ':', as in ': {name}'"
    if after.startswith("=") and not after.startswith("=="):
        return f"a value was expected here, not '{name}'", f"a value begins with '%': %{name} = ..."
    if after.startswith(":"):
        return f"an operation was expected here, not '{name}:'", f"a block begins with '^': ^{name}:"
    return None


def dense(message: str) -> str:
    """What is wrong with a dense literal as a whole, in our words."""
    if match := re.match(
        r"Shape mismatch .* Expected (.+?) (?:shape|elements) .* got (.+?) (?:shape|elements)", message
    ):
        wanted, given = (" x ".join(re.findall(r"\d+", part)[:8]) or "no" for part in match.groups())
        return f"this literal has {given} elements, and its type {wanted}"
    if message.startswith("Expected at least one"):
        return "this literal has no elements, and its type has some"
    if message.startswith("Expected memref"):
        return "a dense literal has the type of a tensor, vector or memref of numbers"
    if "static shape" in message:
        return "a dense literal has a type whose sizes are all known"
    if message.startswith("Hex string"):
        return "a text that stands for the bytes of a literal is '0x' and pairs of hexadecimal digits"
    if message.startswith("Dense attribute must be typed"):
        return "a dense literal has a type behind ':'"
    return message.rstrip("!.")
