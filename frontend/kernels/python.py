"""Python kernels: functions of a typed subset of Python, as kernel documents."""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Any, cast

from hologram.errors.limits import limit, raised
from hologram.frontend.kernels import advice, model
from hologram.frontend.kernels.outside import OPERATORS, Element, Helper, Name, Source, number_of
from hologram.frontend.kernels.signature import Signature, arguments_of
from hologram.language import WORDS, outside_words
from hologram.support.promotion import shown
from hologram.support.recursion import deep_recursion

_UNARY: dict[type[ast.unaryop], model.UnaryOperator] = {
    ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not",
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], model.BinaryOperator] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip


class Reader:
    """Reads a kernel, and the functions that it calls."""

    def __init__(self) -> None:
        self.file = ""
        """The file of the kernel."""
        self.functions: dict[str, model.Function] = {}
        self.read: dict[int, str] = {}
        """The names that functions are called by, by the identities of their nodes."""
        self.types: dict[str, tuple[model.Dtype, ...]] = {}
        """The element types that are used."""

    def dtype(self, node: ast.expr, source: Source) -> model.Element | None:
        """The type of a number that an expression names, if it does."""
        binding = source.found(node)
        if isinstance(binding, Name):
            return cast("model.Dtype", binding.name) if binding.name in DTYPES else None
        if binding is None and isinstance(node, ast.Name) and node.id == "bool":
            return "bool"  # Python's own name, which `from hologram.language import *` leaves alone.
        if not isinstance(binding, Element):
            return None
        known = self.types.setdefault(binding.name, binding.dtypes)
        # A function of another file serves kernels whose type may be fewer types than its own.
        serves = source.file != self.file and set(known) <= set(binding.dtypes)
        if known != binding.dtypes and not serves:
            source.fault(
                "python-element-twice", node, f"there are two element types '{binding.name}'", "give one another name"
            )
        return model.ElementName(binding.name + model.WIDE * binding.wide)

    def document(
        self, helper: Helper, block: Sequence[int], lanes: Sequence[str] = (), where: Sequence[str] = ()
    ) -> model.Document:
        """The document of a function. `lanes` are the expressions that say how many lanes a launch has, `where` the
        comparisons that it checks."""
        with deep_recursion():
            return self._document(helper, block, lanes, where)

    def _document(
        self, helper: Helper, block: Sequence[int], lanes: Sequence[str], where: Sequence[str]
    ) -> model.Document:
        function, source = helper.node, helper.source
        self.file = source.file
        helper.check()
        body = Body(self, helper)
        signature = Signature(self, source)
        signature.result(function, is_kernel=True)
        kernel = model.Kernel(
            function.name,
            tuple(signature.parameters(function, typed=True)),
            tuple(body.statements(_without_doc(function.body))),
            tuple(block),
            tuple(body.text(e, function) for e in lanes),
            tuple(body.text(e, function) for e in where),
            ast.get_docstring(function) or "",
            source.at(function),
        )
        return model.Document(kernel, tuple(self.functions.values()), self.types, source=source.file)

    def function(self, helper: Helper) -> str:
        """The name by which a function of the user's is called."""
        node, source = helper.node, helper.source
        if id(node) in self.read:
            return self.read[id(node)]
        name = node.name
        while name in self.read.values():
            name += "_"
        self.read[id(node)] = name
        helper.check()
        reader, signature = Body(self, helper), Signature(self, source)
        checks = [reader.constraint(text, node) for text in helper.constraints]
        body = (*checks, *reader.statements(_without_doc(node.body)))
        params = tuple(signature.parameters(node, typed=False))
        file = "" if source.file == self.file else source.file
        dtype = signature.result(node, is_kernel=False)
        self.functions[name] = model.Function(name, params, body, source.at(node), file, dtype)
        return name


DTYPES = frozenset(model.Dtype.__args__)  # pyright: ignore[reportAttributeAccessIssue]
_BUILTINS = {"min": "min", "max": "max", "abs": "abs", "int": "i64", "float": "f32", "bool": "bool", "len": "dim"}


def _written(function: ast.AST, text: str) -> ast.AST:
    """The place in the decorators of a function where a text is written; else the function."""
    decorators = getattr(function, "decorator_list", ())
    places = (n for d in decorators for n in ast.walk(d) if isinstance(n, ast.Constant) and n.value == text)
    return next(places, function)


def _without_doc(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    first = body[0] if body else None
    is_doc = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    return body[1:] if is_doc else body


class Body:
    """Reads the statements of one function."""

    def __init__(self, reader: Reader, helper: Helper):
        function = helper.node
        self.reader = reader
        self.source = helper.source
        self.depth = 0
        self.parts: Sequence[ast.expr] = ()
        """The expressions of the statement that is being read, in the order in which they are computed."""
        self.before: list[model.Statement] | None = None
        """What happens before this statement, of what is written inside of it; None where it may not happen."""
        self.local = {a.arg for a in function.args.args} | {
            n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        """What is a variable of the function, as Python says: parameters, and what is assigned anywhere in it."""

    def text(self, expression: str, node: ast.AST) -> model.Expression:
        """An expression that is written as a text beside the function, whose place it has."""
        place = _written(node, expression)
        try:
            tree = ast.parse(expression.strip(), mode="eval").body
        except (SyntaxError, ValueError):
            hint = "write one over the parameters, such as 'len(x)' or 'x.shape[0] * 2'"
            self.source.fault("python-lanes", place, f"'{expression}' is no expression", hint)
        shift = self._shift(place, expression)
        for inner in ast.walk(tree):
            if shift is None:
                ast.copy_location(inner, place)
            elif isinstance(inner, ast.expr):
                inner.lineno = inner.end_lineno = cast("Any", place).lineno
                inner.col_offset, inner.end_col_offset = inner.col_offset + shift, (inner.end_col_offset or 0) + shift
        return self.expression(tree)

    def _shift(self, place: ast.AST, expression: str) -> int | None:
        """How far right of its own columns a text stands in its line; None if it is not there as it is."""
        start, line = getattr(place, "col_offset", 0), getattr(place, "lineno", 0)
        shown = (
            self.source.lines[line - 1] if isinstance(place, ast.Constant) and line <= len(self.source.lines) else ""
        )
        is_there = shown.encode()[start + 1 :].startswith(expression.encode()) and "\n" not in expression
        return start + 1 + len(expression) - len(expression.lstrip()) if is_there else None

    # Statements

    def statements(self, nodes: Sequence[ast.stmt]) -> Iterable[model.Statement]:
        """The statements of a body."""
        for node in nodes:
            yield from self.statement(node)

    @contextmanager
    def _deeper(self, node: ast.AST) -> Generator[None]:
        """Goes a level down in the tree, as far as documents reach."""
        self.depth += 1
        if self.depth > (most := limit("nesting") - 8):
            hint = f"give parts of it names; {raised('nesting')}"
            self.source.fault("python-nesting", node, f"kernels nest {most} levels deep at most", hint)
        yield
        self.depth -= 1

    def statement(self, node: ast.stmt) -> Iterable[model.Statement]:
        """Read a statement as statements of the document."""
        with self._deeper(node):
            yield from self._statement(node)

    def _statement(self, node: ast.stmt) -> Iterable[model.Statement]:
        at = self.source.at(node)
        match node:
            case ast.Pass():
                return
            case ast.If():
                with self._before(node.test) as before:
                    condition = self.expression(node.test)
                yield from before
                yield model.If(condition, tuple(self.statements(node.body)), tuple(self.statements(node.orelse)), at)
            case ast.For():
                yield from self._for(node, at)
            case ast.While():
                yield self._while(node, at)
            case ast.Break():
                yield model.Break(at)
            case ast.Continue():
                yield model.Continue(at)
            case ast.Assign() if _has_parts(node):
                yield from self._parts(node)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Return() | ast.Assert() | ast.Expr():
                value = node.test if isinstance(node, ast.Assert) else node.value
                # What is changed in place is read first.
                parts = [node.target, value] if isinstance(node, ast.AugAssign) else [value]
                with self._before(*(part for part in parts if part is not None)) as before:
                    statement = self._plain(node, at)
                yield from before
                yield statement
            case _:
                word = ast.unparse(node).split(maxsplit=1)[0].rstrip(":")
                hint = advice.statement(node)
                self.source.fault("python-statement", node, f"kernels have no statement '{word}'", hint)

    def _plain(
        self,
        node: ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return | ast.Assert | ast.Expr,
        at: model.At,
    ) -> model.Statement:
        match node:
            case ast.Assign():
                return self._assign(node, at)
            case ast.AnnAssign():
                return self._annotated(node, at)
            case ast.AugAssign():
                target = self._target(node.target)
                return model.Assign(target, self.expression(node.value), self._operator(node.op, node), at)
            case ast.Return():
                return model.Return(None if node.value is None else self.expression(node.value), at)
            case ast.Assert():
                return self._assert(node, at)
            case ast.Expr():
                value = None if isinstance(node.value, ast.Constant) else self.expression(node.value)
                if not isinstance(value, model.Call):
                    hint = "assign it, or leave it out"
                    self.source.fault("python-expression", node, "this computes something, and does nothing", hint)
                return model.Evaluate(value, at)

    @contextmanager
    def _before(self, *parts: ast.expr) -> Generator[list[model.Statement]]:
        """Collects the assignments that are written inside of some expressions."""
        around = self.parts, self.before
        self.parts, self.before = parts, (found := [])
        yield found
        self.parts, self.before = around

    def _perhaps(self, nodes: Iterable[ast.expr]) -> Iterator[model.Expression]:
        """Expressions that are computed only where those before them say so."""
        around, self.before = self.before, None
        for node in nodes:
            yield self.expression(node)
        self.before = around

    def _inner(self, node: ast.NamedExpr, at: model.At) -> model.Expression:
        """`(name := value)`: the assignment happens before the statement that it stands in."""
        if self.before is None or not _is_first(node, self.parts, self._acts):
            message = f"'{node.target.id}' is assigned in an expression that is not always computed first"
            self.source.fault("python-inner-assignment", node, message, "assign the value on a line of its own")
        self.before.append(model.Let(node.target.id, self.expression(node.value), None, at))
        return model.Var(node.target.id, at)

    def _while(self, node: ast.While, at: model.At) -> model.Statement:
        self._no_else(node)
        with self._before(node.test) as before:
            condition = self.expression(node.test)
        body = tuple(self.statements(node.body))
        if not before:
            return model.While(condition, body, at)
        ends = model.If(model.Unary("not", condition, at), (model.Break(at),), (), at)
        return model.While(model.LiteralValue(True, None, at), (*before, ends, *body), at)

    def _parts(self, node: ast.Assign) -> Iterable[model.Statement]:
        """An assignment to several targets."""
        values = _elements(node.value) or [node.value]
        try:
            if any(isinstance(v, ast.Call) and self.source.language(v.func) in ("shared", "local") for v in values):
                raise ValueError("an array of a kernel is assigned by itself, to one name")
            for plain in _one_by_one(node, self._fresh):
                yield from self.statement(plain)
        except ValueError as error:
            self.source.fault("python-targets", node, str(error), "write a line for each")

    def _fresh(self, value: ast.expr) -> str:
        """A new name for a value."""
        number = len(self.local)
        while (name := f"value{number}") in self.local or self.source.scope.holds(name):
            number += 1
        self.local.add(name)
        return name

    def _assert(self, node: ast.Assert, at: model.At) -> model.Statement:
        value = node.msg.value if isinstance(node.msg, ast.Constant) else None
        if node.msg is not None and not isinstance(value, str):
            self.source.fault(
                "python-assert", node.msg, "the message of an assertion in a kernel is a text", "write it in quotes"
            )
        message = value if isinstance(value, str) else f"'{ast.unparse(node.test)}' does not hold"
        return model.Assert(self.expression(node.test), message, at)

    def constraint(self, text: str, function: ast.FunctionDef) -> model.Assert:
        """Return the assertion of what must hold where a function is called."""
        message = f"the constraint '{text}' of '{function.name}' does not hold"
        return model.Assert(self.text(text, function), message, self.source.at(function))

    def _assign(self, node: ast.Assign, at: model.At) -> model.Statement:
        (target,) = node.targets
        if not isinstance(target, ast.Name):
            return model.Assign(self._target(target), self.expression(node.value), None, at)
        array = self._array(target.id, node.value, at)
        return model.Let(target.id, self.expression(node.value), None, at) if array is None else array

    def _array(self, name: str, value: ast.expr, at: model.At) -> model.Array | None:
        """`shared(f32, 16, 16)` or `local(f32, 4)`, if a value is one."""
        if not isinstance(value, ast.Call):
            return None
        space = self.source.language(value.func)
        if space not in ("shared", "local"):
            return None
        dtype = self.reader.dtype(value.args[0], self.source) if value.args else None
        if dtype is None or len(value.args) < 2 or value.keywords:
            for argument in value.args:
                self._need_import(argument)
            self.source.fault("python-array", value, f"'{space}' takes a type and sizes", f"write {space}(f32, 16, 16)")
        shape = tuple(self.expression(a) for a in value.args[1:])
        return model.Array(name, cast("Any", space), dtype, shape, at)

    def _annotated(self, node: ast.AnnAssign, at: model.At) -> model.Statement:
        dtype = self.reader.dtype(node.annotation, self.source)
        if dtype is None:
            self._need_import(node.annotation)
            hint, text = advice.annotation(node.annotation), ast.unparse(node.annotation)
            self.source.fault("python-variable-type", node.annotation, f"'{text}' is no type of a variable", hint)
        if not isinstance(node.target, ast.Name) or node.value is None:
            self.source.fault(
                "python-annotated", node, "a typed variable has a name, a number's type and a value", "write x: f32 = 0"
            )
        assert isinstance(node.target, ast.Name)
        return model.Let(node.target.id, self.expression(node.value), dtype, at)

    def _need_import(self, node: ast.expr) -> None:
        Signature(self.reader, self.source).need_import(node)

    def _for(self, node: ast.For, at: model.At) -> Iterable[model.Statement]:
        self._no_else(node)
        call: Any = node.iter
        is_range = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"
        if not is_range or not isinstance(node.target, ast.Name) or not 1 <= len(call.args) <= 3 or call.keywords:
            self.source.fault(
                "python-for", node.iter, "kernels loop over 'range' of one to three numbers, with one variable",
                "write for i in range(len(x))",
            )  # fmt: skip
        if len(call.args) == 3 and number_of(call.args[2], self.source.scope.find) == 0:
            self.source.fault("python-range-step", call.args[2], "the step of a range is not 0", "leave it out for 1")
        assert isinstance(node.target, ast.Name)
        with self._before(*call.args) as before:
            bounds: list[model.Expression] = [self.expression(a) for a in call.args]
        yield from before
        zero, one = model.LiteralValue(0, None, at), model.LiteralValue(1, None, at)
        start, stop, step = {1: (zero, bounds[0], one), 2: (*bounds, one), 3: tuple(bounds)}[len(bounds)]
        yield model.For(node.target.id, start, stop, step, tuple(self.statements(node.body)), at)

    def _no_else(self, node: ast.For | ast.While) -> None:
        if node.orelse:
            hint = "put it behind the loop, under a condition"
            self.source.fault("python-loop-else", node.orelse[0], "loops of kernels have no 'else'", hint)

    def _target(self, node: ast.expr) -> model.Var | model.Index:
        if isinstance(node, ast.Name):
            return model.Var(node.id, self.source.at(node))
        if isinstance(node, ast.Subscript):
            return self._index(node)
        self.source.fault("python-target", node, "kernels assign to variables and elements")

    # Expressions

    def expression(self, node: ast.expr) -> model.Expression:
        """An expression."""
        with self._deeper(node):
            return self._expression(node)

    def _expression(self, node: ast.expr) -> model.Expression:
        at = self.source.at(node)
        match node:
            case ast.Constant(value=bool() | int() | float() as value):
                return model.LiteralValue(value, None, at)
            case ast.Name():
                return self._name(node, at)
            case ast.BinOp():
                return model.Binary(
                    self._operator(node.op, node), self.expression(node.left), self.expression(node.right), at
                )
            case ast.UnaryOp():
                return model.Unary(_UNARY[type(node.op)], self.expression(node.operand), at)
            case ast.BoolOp():
                first = self.expression(node.values[0])
                operands = [first, *self._perhaps(node.values[1:])]
                return self._chain("and" if isinstance(node.op, ast.And) else "or", operands, at)
            case ast.Compare():
                return self._compare(node, at)
            case ast.IfExp():
                condition = self.expression(node.test)
                then, otherwise = self._perhaps((node.body, node.orelse))
                return model.Conditional(condition, then, otherwise, at)
            case ast.NamedExpr():
                return self._inner(node, at)
            case ast.Subscript():
                return self._shape(node) or self._index(node)
            case ast.Call():
                return self._call(node, at)
            case _:
                return self._attribute(node, at)

    def _operator(self, op: ast.operator, node: ast.AST) -> model.AssignOperator:
        if type(op) not in OPERATORS:
            self.source.fault("python-operator", node, "kernels have no operator '@'", "write a loop")
        return OPERATORS[type(op)]

    def _name(self, node: ast.Name, at: model.At) -> model.Expression:
        if node.id in self.local:
            return model.Var(node.id, at)
        binding = self.source.scope.find(node.id)
        if isinstance(binding, bool | int | float):
            self._check_digits(binding, node)
            return model.LiteralValue(binding, None, at)
        self._check_inside(node)
        return model.Var(node.id, at)

    def _check_digits(self, number: float, node: ast.Name) -> None:
        # A digit has 3.3 bits.
        if isinstance(number, int) and number.bit_length() > 3.3 * limit("digits"):
            message = f"'{node.id}' is {shown(number)}, and the limit is {limit('digits')} digits"
            self.source.fault("python-digits", node, message, raised("digits"))

    def _check_inside(self, node: ast.Name) -> None:
        """Refuse a name from outside of the function that is no number: it can't be a value in it."""
        if node.id not in self.local and self.source.scope.holds(node.id):
            hint = "kernels know the numbers, the functions and the types around them; arrays are parameters"
            if self.source.language(node) is not None:
                hint = f"call it: {node.id}()"
            message = f"'{node.id}' stands outside of the function, and is no number"
            self.source.fault("python-outside", node, message, hint)

    def _attribute(self, node: ast.expr, at: model.At) -> model.Expression:
        """Names of the modules `math` and `numpy` that are numbers: pi, e, inf."""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if isinstance(value := self.source.found(node), float):
                return model.LiteralValue(value, None, at)
        text = ast.unparse(node)
        shown = text if text[0] in "'\"" else f"'{text}'"
        self.source.fault(
            "python-unsupported", node, f"kernels have no expression such as {shown}", advice.expression(node)
        )

    def _compare(self, node: ast.Compare, at: model.At) -> model.Expression:
        operands = [node.left, *node.comparators]
        for middle in operands[1:-1]:
            if any(isinstance(n, ast.Call) and self._acts(n) for n in ast.walk(middle)):
                self.source.fault(
                    "python-chain-call", middle, "a call in the middle of a chain of comparisons would be made twice",
                    "give its value a name first",
                )  # fmt: skip
        for op, left, right in zip(node.ops, operands, operands[1:], strict=False):
            if type(op) not in _COMPARE:
                hint = "write == or !=" if isinstance(op, ast.Is | ast.IsNot) else "write a loop over the elements"
                if isinstance(right, ast.Tuple | ast.List | ast.Set) and right.elts:
                    sign, word = ("==", " or ") if isinstance(op, ast.In) else ("!=", " and ")
                    hint = "write " + word.join(f"{ast.unparse(left)} {sign} {ast.unparse(e)}" for e in right.elts)
                self.source.fault("python-comparison", node, "kernels compare numbers, by < <= > >= == and !=", hint)
        values = [*map(self.expression, operands[:2]), *self._perhaps(operands[2:])]
        pairs = zip(node.ops, values, values[1:], strict=False)
        return self._chain("and", (model.Binary(_COMPARE[type(op)], a, b, at) for op, a, b in pairs), at)

    def _acts(self, call: ast.Call) -> bool:
        """Return whether a call may change what others read."""
        binding = self.source.found(call.func)
        return isinstance(binding, Helper) or (isinstance(binding, Name) and binding.name.startswith("atomic_"))

    def _chain(self, op: str, operands: Iterable[model.Expression], at: model.At) -> model.Expression:
        chain: model.Expression | None = None
        for operand in operands:
            chain = operand if chain is None else model.Binary(cast("Any", op), chain, operand, at)
        assert chain is not None
        return chain

    def _index(self, node: ast.Subscript) -> model.Index:
        if not isinstance(node.value, ast.Name):
            self.source.fault("python-index", node, "kernels index arrays by their names", "write a[i, j], not a[i][j]")
        self._check_inside(node.value)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for part in parts:
            if isinstance(part, ast.Slice):
                hint = "write one index for each axis, and a loop where one lane takes several"
                self.source.fault("python-slice", node, "a lane takes one element, no slice", hint)
        return model.Index(node.value.id, tuple(self.expression(p) for p in parts), self.source.at(node))

    def _shape(self, node: ast.Subscript) -> model.Call | None:
        """`a.shape[0]`, if a node is that."""
        value = node.value
        if not (isinstance(value, ast.Attribute) and value.attr == "shape" and isinstance(value.value, ast.Name)):
            return None
        at = self.source.at(node)
        return model.Call(
            "dim", (model.Var(value.value.id, self.source.at(value.value)), self.expression(node.slice)), at
        )

    def _call(self, node: ast.Call, at: model.At) -> model.Expression:
        binding = None if getattr(node.func, "id", None) in self.local else self.source.found(node.func)
        if isinstance(binding, Helper):
            arguments = [self.expression(a) for a in arguments_of(node, binding, self.source)]
            return model.Call(self._function(node.func), tuple(arguments), at)
        if node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
            hint = "write all of them, in the order of the parameters"
            message = "functions of the language take plain arguments alone"
            self.source.fault("python-call-arguments", node, message, hint)
        word = self.source.language(node.func)
        if word in ("least", "greatest"):
            return self._limit(node, at)
        if word in ("shared", "local"):
            hint = f"write t = {word}(f32, 4)"
            self.source.fault("python-array-place", node, f"'{word}' makes an array, which needs a name", hint)
        function, arguments = self._function(node.func), [self.expression(a) for a in node.args]
        if function not in ("min", "max") or len(arguments) < 3:
            return model.Call(function, tuple(arguments), at)
        return reduce(lambda a, b: model.Call(function, (a, b), at), arguments)

    def _limit(self, node: ast.Call, at: model.At) -> model.Expression:
        """`least(T)` or `greatest(T)`."""
        word = self.source.language(node.func)
        dtype = self.reader.dtype(node.args[0], self.source) if len(node.args) == 1 else None
        if dtype is None:
            self.source.fault("python-limit", node, f"'{word}' takes a type", f"write {word}(f32)")
        return model.LiteralValue(cast("Any", word), dtype, at)

    def _function(self, node: ast.expr) -> str:
        if isinstance(node, ast.Name) and node.id in self.local:
            hint = f"write {node.id}[...] for an element"
            self.source.fault("python-callee-variable", node, f"'{node.id}' is a variable here, and no function", hint)
        if (dtype := self.reader.dtype(node, self.source)) is not None:
            return dtype
        if (name := self.source.language(node)) is not None:
            return name
        if isinstance(helper := self.source.found(node), Helper):
            return self.reader.function(helper)
        if isinstance(node, ast.Name):
            binding = self.source.scope.find(node.id)
            if binding is None and node.id in _BUILTINS:
                return _BUILTINS[node.id]
            if node.id in WORDS or node.id in outside_words() or not self.source.scope.holds(node.id):
                return node.id
        text = ast.unparse(node)
        self.source.fault("python-callee", node, f"kernels can't call '{text}'", advice.callee(node))


# Assignments to several targets at once, and those inside of expressions, as ones that come one after the other


def _has_parts(node: ast.Assign) -> bool:
    """Return whether an assignment has more than one target, or one of several parts."""
    return len(node.targets) > 1 or isinstance(node.targets[0], ast.Tuple | ast.List)


def _one_by_one(node: ast.Assign, fresh: Callable[[ast.expr], str]) -> Iterator[ast.Assign]:
    """`a = b = x` and `a, b = b, a` as plain assignments; `fresh` gives names for values.

    Python computes all values first, each of them once, and assigns them from left to right then; literals need no
    name for that.

    Raises ValueError with what is wrong if the parts of a target are not those of the value.
    """
    parts = [_elements(target) for target in node.targets]
    is_split = any(elements is not None for elements in parts)
    values = _elements(node.value) if is_split else [node.value]
    if values is None:
        raise ValueError("functions and arrays of kernels give one number at a time")
    held: list[ast.expr] = []
    for value in values:
        if isinstance(value, ast.Constant):
            held.append(value)
            continue
        name = fresh(value)
        yield _assign(ast.copy_location(ast.Name(name, ast.Store()), value), value, node)
        held.append(ast.copy_location(ast.Name(name, ast.Load()), value))
    for target, elements in zip(node.targets, parts, strict=True):
        targets = [target] if elements is None else elements
        if len(targets) != len(held):
            raise ValueError(f"the targets are {len(targets)}, and the values {len(held)}")
        for element, value in zip(targets, held, strict=True):
            yield _assign(element, value, node)


def _elements(node: ast.expr) -> list[ast.expr] | None:
    return node.elts if isinstance(node, ast.Tuple | ast.List) else None


def _assign(target: ast.expr, value: ast.expr, node: ast.Assign) -> ast.Assign:
    return ast.copy_location(ast.Assign([target], value), node)


def _is_first(node: ast.NamedExpr, nodes: Iterable[ast.expr], acts: Callable[[ast.Call], bool]) -> bool:
    """Return whether an assignment inside of expressions may as well happen before all of them: nothing that comes
    before it there reads what it changes, or changes what it reads."""
    own = {id(n) for n in ast.walk(node)}
    changes = any(isinstance(n, ast.Call) and acts(n) for n in ast.walk(node.value))
    for earlier in (n for part in nodes for n in _in_order(part)):
        if earlier is node:
            break
        if id(earlier) in own or isinstance(earlier, ast.NamedExpr):
            continue
        reads_it = isinstance(earlier, ast.Name) and earlier.id == node.target.id
        reads_memory = isinstance(earlier, ast.Subscript) and changes
        if reads_it or reads_memory or (isinstance(earlier, ast.Call) and acts(earlier)):
            return False
    return True


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression, and it, in the order in which Python computes them."""
    parts = [node.test, node.body, node.orelse] if isinstance(node, ast.IfExp) else ast.iter_child_nodes(node)
    for part in parts:
        yield from _in_order(part)
    yield node
