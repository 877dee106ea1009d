"""Writes scalar operations as expressions, in the types of a language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hologram.errors import PassError
from hologram.lowering.targets.text.language import Language
from hologram.lowering.targets.text.printer import RULES, Printer

Binary = Callable[[Language, str, str, str], str]
"""An expression of two operands of a kind."""


def _sum(operator: str) -> Binary:
    return lambda lang, kind, a, b: lang.wrap(kind, f"{lang.wide(kind, a)} {operator} {b}")


def _plain(operator: str) -> Binary:
    return lambda lang, kind, a, b: f"{a} {operator} {b}"


def _signed(operator: str) -> Binary:
    def write(lang: Language, kind: str, a: str, b: str) -> str:
        return lang.unsigned(kind, f"{lang.signed(kind, a)} {operator} {b}")

    return write


def _quotient(lang: Language, kind: str, a: str, b: str) -> str:
    return lang.unsigned(kind, f"{lang.signed(kind, a)} / {lang.signed(kind, b)}")


def _extreme(operator: str, signed: bool) -> Binary:
    def write(lang: Language, kind: str, a: str, b: str) -> str:
        x, y = (lang.signed(kind, v) if signed else v for v in (a, b))
        return lang.choose(f"{x} {operator} {y}", a, b)

    return write


INTEGER: dict[str, Binary] = {
    "arith.addi": _sum("+"),
    "arith.subi": _sum("-"),
    "arith.muli": _sum("*"),
    "arith.andi": _plain("&"),
    "arith.ori": _plain("|"),
    "arith.xori": _plain("^"),
    "arith.shli": lambda lang, kind, a, b: lang.wrap(kind, f"{lang.wide(kind, a)} << {lang.shift_amount(kind, b)}"),
    "arith.shrui": lambda lang, kind, a, b: f"{a} >> {lang.shift_amount(kind, b)}",
    "arith.shrsi": lambda lang, kind, a, b: _signed(">>")(lang, kind, a, lang.shift_amount(kind, b)),
    "arith.minui": _extreme("<", False),
    "arith.maxui": _extreme(">", False),
    "arith.minsi": _extreme("<", True),
    "arith.maxsi": _extreme(">", True),
}
DIVISIONS: dict[str, Binary] = {
    "arith.divui": _plain("/"),
    "arith.remui": _plain("%"),
    "arith.divsi": _quotient,
    "arith.remsi": lambda lang, kind, a, b: lang.remainder(kind, a, b),
}
BOOLEAN: dict[str, str] = {
    "arith.addi": "{a} != {b}", "arith.subi": "{a} != {b}", "arith.xori": "{a} != {b}", "arith.muli": "{a} && {b}",
    "arith.andi": "{a} && {b}", "arith.ori": "{a} || {b}", "arith.minui": "{a} && {b}", "arith.maxui": "{a} || {b}",
    "arith.minsi": "{a} || {b}", "arith.maxsi": "{a} && {b}", "arith.shli": "{a} && !{b}", "arith.shrui": "{a} && !{b}",
    "arith.shrsi": "{a}", "arith.divui": "{a}", "arith.divsi": "{a}", "arith.remui": "{a} && !{b}",
    "arith.remsi": "{a} && !{b}",
}  # fmt: skip
"""The same on one bit, where 1 is -1 as a signed number."""


Write = Callable[[Printer, Any], str]
"""Gives the expression of the result of an operation."""


def expression(*names: str, keeps: bool = False) -> Callable[[Write], Write]:
    """Register a function that gives the expression of the one result of an operation, for which it gets a name.

    Where the operation may keep (`keeps`) its operand as it is, an equal expression needs none.
    """

    def register(write: Write) -> Write:
        def rule(p: Printer, op: Any) -> None:
            text, result = write(p, op), op.results[0]
            if keeps and text == p.value(op.operands[0]):
                p.alias(result, text)
            else:
                p.define(result, text)

        RULES.on(*names)(rule)
        return write

    return register


@expression(*INTEGER)
def integer(p: Printer, op: Any) -> str:
    """One operator."""
    a, b, kind = p.value(op.lhs), p.value(op.rhs), p.kind(op.result)
    if kind == "i1" and op.name == "arith.xori" and b == "true":
        return f"!{a}"
    return BOOLEAN[op.name].format(a=a, b=b) if kind == "i1" else INTEGER[op.name](p.language, kind, a, b)


def _divisor(p: Printer, op: Any, kind: str) -> str:
    """The divisor: a lane that has ended must not divide by zero."""
    b = p.value(op.rhs)
    if p.guard is None or b[0].isdigit():
        return b
    return f"({p.language.choose(p.guard, b, p.language.literal(kind, 1))})"


@expression(*DIVISIONS)
def division(p: Printer, op: Any) -> str:
    """A quotient or a remainder."""
    a, kind = p.value(op.lhs), p.kind(op.result)
    if kind == "i1":
        return BOOLEAN[op.name].format(a=a, b=p.value(op.rhs))
    return DIVISIONS[op.name](p.language, kind, a, _divisor(p, op, kind))


@expression("arith.ceildivui", "arith.ceildivsi", "arith.floordivsi")
def rounded_division(p: Printer, op: Any) -> str:
    """The quotient and one more or less where there is a rest."""
    a, kind, lang = p.value(op.lhs), p.kind(op.result), p.language
    b, signed = _divisor(p, op, kind), not op.name.endswith("ui")
    names = ("arith.divsi", "arith.remsi") if signed else ("arith.divui", "arith.remui")
    quotient, rest = (p.fresh(hint) for hint in ("quotient", "rest"))
    for name, division in ((quotient, names[0]), (rest, names[1])):
        p.line(lang.constant(kind, name, DIVISIONS[division](lang, kind, a, b)))
    zero, one = lang.literal(kind, 0), lang.literal(kind, 1)
    moved = f"{rest} != {zero}"
    if signed:
        signs = f"{lang.signed(kind, f'({a} ^ {b})')} {'<' if op.name == 'arith.floordivsi' else '>='} "
        moved = f"({moved}) && ({signs}{lang.signed(kind, zero)})"
    step = INTEGER["arith.subi" if op.name == "arith.floordivsi" else "arith.addi"](lang, kind, quotient, one)
    return lang.choose(f"({moved})", f"({step})", quotient)


# Comparisons

_INTEGER_PREDICATES = ("==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">=")
_BIT_PREDICATES = (
    "{a} == {b}", "{a} != {b}", "{a} && !{b}", "{a} || !{b}", "{b} && !{a}", "{b} || !{a}",
    "{b} && !{a}", "{b} || !{a}", "{a} && !{b}", "{a} || !{b}",
)  # fmt: skip


@expression("arith.cmpi")
def compare_integers(p: Printer, op: Any) -> str:
    """Signed predicates read their operands as signed."""
    number = int(op.predicate.value.data)
    a, b, kind = p.value(op.lhs), p.value(op.rhs), p.kind(op.lhs)
    if kind == "i1":
        return _BIT_PREDICATES[number].format(a=a, b=b)
    if 2 <= number <= 5:
        a, b = p.language.signed(kind, a), p.language.signed(kind, b)
    return f"{a} {_INTEGER_PREDICATES[number]} {b}"


_FLOAT_OPERATORS = {"eq": "==", "gt": ">", "ge": ">=", "lt": "<", "le": "<=", "ne": "!="}
FLOAT_PREDICATES = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true",
)  # fmt: skip
NEGATED = {"ueq": "one", "ugt": "ole", "uge": "olt", "ult": "oge", "ule": "ogt"}
"""What unordered comparisons are the opposite of."""


@RULES.on("arith.cmpf")
def compare_floats(p: Printer, op: Any) -> None:
    """Comparisons of the languages are ordered, but `!=`."""
    name = str(FLOAT_PREDICATES[int(op.predicate.value.data)])
    a, b, kind = p.value(op.lhs), p.value(op.rhs), p.kind(op.lhs)
    if name in ("true", "false"):
        p.alias(op.result, p.language.literal("i1", int(name == "true")))
        return
    if name not in ("ord", "uno"):
        computed(p, op, kind)
        a, b = p.language.compared(p, op)
        if (text := p.language.compare_zero(p, op, name, a)) is not None:
            p.define(op.result, text)
            return
    p.define(op.result, ordering(p, name, kind, a, b))


def ordering(p: Printer, name: str, kind: str, a: str, b: str) -> str:
    """A comparison of floats by its predicate's name."""
    if name in NEGATED:
        return f"!({ordering(p, NEGATED[name], kind, a, b)})"
    if name == "une":  # Some compilers take `!=` for an ordered comparison.
        return f"!({a} == {b})"
    if name == "one":
        return f"{a} < {b} || {a} > {b}"
    if name in ("ord", "uno"):
        nan = " || ".join(dict.fromkeys(is_nan(p.language, kind, v) for v in (a, b)))
        return nan if name == "uno" else f"!({nan})"
    return f"{a} {_FLOAT_OPERATORS[name[1:]]} {b}"


MAGNITUDES = {
    # kind: all bits but the sign, the bits of infinity
    "f16": (0x7FFF, 0x7C00),
    "bf16": (0x7FFF, 0x7F80),
    "f32": (0x7FFFFFFF, 0x7F800000),
    "f64": ((1 << 63) - 1, 0x7FF << 52),
}


def is_nan(lang: Language, kind: str, a: str) -> str:
    """A test of a float for NaN, by its bits: what a fast compiler assumes of floats says nothing of integers."""
    word = f"i{lang.bits(kind)}"
    magnitude, infinity = MAGNITUDES[kind]
    return f"({lang.reinterpret(a, kind, word)} & {lang.literal(word, magnitude)}) > {lang.literal(word, infinity)}"


@expression("math.isnan", "math.isinf", "math.isfinite")
def classify(p: Printer, op: Any) -> str:
    """A test of a float's bits."""
    kind, a = p.kind(op.operands[0]), p.value(op.operands[0])
    test = is_nan(p.language, kind, a)
    if op.name == "math.isnan":
        return test
    head, _, infinity = test.rpartition(" > ")
    return f"{head} {'==' if op.name == 'math.isinf' else '<'} {infinity}"


# Floats

_FLOAT_OPERATIONS = {"arith.addf": "+", "arith.subf": "-", "arith.mulf": "*"}


def computed(p: Printer, op: Any, kind: str) -> None:
    """Refuses to compute with floats that the language only stores."""
    if not p.language.native(kind):
        raise PassError(
            op,
            "kernel-text-narrow",
            f"{op.name} computes with {kind}, which {p.language.name} has not on this device",
            hint="run expand-narrow-floats before, with f16=false where the device has no f16",
        )


@expression(*_FLOAT_OPERATIONS, "arith.divf")
def arithmetic(p: Printer, op: Any) -> str:
    """One operator."""
    computed(p, op, p.kind(op.result))
    a, b = p.language.terms(p, op)
    if op.name == "arith.divf":
        return p.language.quotient(p, op, a, b)
    return f"{a} {_FLOAT_OPERATIONS[op.name]} {b}"


@expression("arith.negf")
def negate(p: Printer, op: Any) -> str:
    """The other sign."""
    if p.language.native(p.kind(op.result)):
        return f"-{p.value(op.operand)}"
    return p.language.wrap("i16", f"{p.language.wide('i16', p.value(op.operand))} ^ 0x8000u")


@expression(*Language.functions)
def function(p: Printer, op: Any) -> str:
    """A function of the language; of floats that are only stored, the sign alone can be worked on."""
    kind = p.kind(op.results[0])
    if op.name == "math.absf" and not p.language.native(kind):
        return p.language.wrap("i16", f"{p.language.wide('i16', p.value(op.operand))} & 0x7fffu")
    computed(p, op, kind)
    return p.language.call(p, op.name, kind, ", ".join(p.language.operands(p, op)))


EXTREMES = ("arith.minimumf", "arith.maximumf", "arith.minnumf", "arith.maxnumf")


@expression(*EXTREMES)
def extreme(p: Printer, op: Any) -> str:
    """-0 below +0; NaN wins, or loses."""
    kind = p.kind(op.result)
    computed(p, op, kind)
    helper = extreme_function(p, op.name.removeprefix("arith.").removesuffix("f"), kind)
    return f"{helper}({p.value(op.lhs)}, {p.value(op.rhs)})"


def extreme_function(p: Printer, name: str, kind: str) -> str:
    """The function of the module that computes `minimum`, `maximum`, `minnum` or `maxnum`."""
    return p.language.helper(f"{name}_{kind}", _extreme_text(p, name, kind))


def _extreme_text(p: Printer, name: str, kind: str) -> str:
    """A function of the module."""
    lang = p.language
    word = f"i{lang.bits(kind)}"
    wins, operator = name.endswith("imum"), "<" if name.startswith("min") else ">"
    # Of two zeros the bits decide: or-ed the sign of one is enough, and-ed both need it.
    merged = (
        f"{lang.reinterpret('a', kind, word)} {'|' if operator == '<' else '&'} {lang.reinterpret('b', kind, word)}"
    )
    return lang.extreme(
        f"{name}_{kind}",
        kind,
        nan_a=is_nan(lang, kind, "a"),
        nan_b=is_nan(lang, kind, "b"),
        results=("a", "b") if wins else ("b", "a"),
        zeros=lang.reinterpret(lang.wrap(word, merged), word, kind),
        operator=operator,
    )


# Conversions


@expression("arith.extui", "arith.extsi", "arith.trunci", keeps=True)
def resize(p: Printer, op: Any) -> str:
    """An integer of another width."""
    return p.language.resize(p.value(op.input), p.kind(op.input), p.kind(op.result), signed=op.name == "arith.extsi")


@expression("arith.index_cast", "arith.index_castui", keeps=True)
def index_cast(p: Printer, op: Any) -> str:
    """An integer as an index, or back."""
    a, source, target, signed = p.value(op.input), p.kind(op.input), p.kind(op.result), op.name == "arith.index_cast"
    if target == "index":
        return p.language.to_index(a, source, signed=signed)
    return p.language.resize(a, source, target, signed=signed)


@expression("arith.sitofp", "arith.uitofp")
def to_float(p: Printer, op: Any) -> str:
    """An integer as a float, rounded once."""
    source, target, signed = p.kind(op.input), p.kind(op.result), op.name == "arith.sitofp"
    computed(p, op, target)
    return p.language.to_float(p.value(op.input), source, target, signed=signed)


@expression("arith.fptosi", "arith.fptoui")
def to_integer(p: Printer, op: Any) -> str:
    """A float truncated to an integer; one that is out of range has no meaning."""
    source, target, signed = p.kind(op.input), p.kind(op.result), op.name == "arith.fptosi"
    computed(p, op, source)
    return p.language.to_integer(p.value(op.input), source, target, signed=signed)


@expression("arith.extf", "arith.truncf")
def float_cast(p: Printer, op: Any) -> str:
    """A float of another width."""
    source, target = p.kind(op.input), p.kind(op.result)
    computed(p, op, source)
    computed(p, op, target)
    return p.language.float_cast(p.value(op.input), source, target)


@expression("arith.bitcast", "llvm.bitcast", keeps=True)
def bitcast(p: Printer, op: Any) -> str:
    """The same bits as another type."""
    source, result = op.operands[0], op.results[0]
    return p.language.reinterpret(p.value(source), p.kind(source), p.kind(result))


@RULES.on("arith.select")
def select(p: Printer, op: Any) -> None:
    """One of two values, or of two buffers."""
    text = p.language.choose(p.language.condition(p, op), p.value(op.lhs), p.value(op.rhs))
    if p.is_memory(op.result):
        p.declare(op.result, text)
    else:
        p.define(op.result, text)


# Bits of integers


@expression("math.ctlz", "math.cttz", "math.ctpop")
def count_bits(p: Printer, op: Any) -> str:
    """The number of leading or trailing zeros, which is the width of zero, or of ones."""
    return p.language.count(op.name.removeprefix("math.ct"), p.kind(op.results[0]), p.value(op.operands[0]))


@expression("math.absi")
def absolute(p: Printer, op: Any) -> str:
    """The absolute value of an integer; the least wraps."""
    lang, kind, a = p.language, p.kind(op.results[0]), p.value(op.operands[0])
    negative = f"{lang.signed(kind, a)} < {lang.signed(kind, lang.literal(kind, 0))}"
    opposite = INTEGER["arith.subi"](lang, kind, lang.literal(kind, 0), a)
    return lang.choose(f"({negative})", f"({opposite})", a)


@RULES.on("arith.mului_extended", "arith.mulsi_extended")
def extended_product(p: Printer, op: Any) -> None:
    """Both halves of a product."""
    lang, kind = p.language, p.kind(op.results[0])
    a, b, signed = p.value(op.lhs), p.value(op.rhs), op.name == "arith.mulsi_extended"
    p.define(op.results[0], INTEGER["arith.muli"](lang, kind, a, b))
    p.define(op.results[1], lang.high_product(kind, a, b, signed=signed))


@RULES.on("arith.addui_extended")
def extended_sum(p: Printer, op: Any) -> None:
    """The sum and whether it wrapped."""
    kind, a = p.kind(op.sum), p.value(op.lhs)
    p.define(op.sum, INTEGER["arith.addi"](p.language, kind, a, p.value(op.rhs)))
    p.define(op.overflow, f"{p.value(op.sum)} < {a}")
