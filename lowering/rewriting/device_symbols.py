"""Names of what a gpu.module holds, when it moves into the module around it."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr, SymbolRefAttr
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from hologram.dialects import gpu
from hologram.support.walking import symbol_of
from hologram.transforms.analysis.uniformity import LANE_IDS, UNIFORM_IDS


def _set_symbol(op: Operation, name: str) -> None:
    (op.properties if "sym_name" in op.properties else op.attributes)["sym_name"] = StringAttr(name)


def _is_same(op: Operation, other: Operation | None) -> bool:
    """Return whether two functions are equal, as those that fill the trap record are."""
    if not isinstance(op, func.FuncOp) or not isinstance(other, func.FuncOp) or op.properties != other.properties:
        return False
    return op.body.is_structurally_equivalent(other.body)


def free_names(module: gpu.ModuleOp) -> dict[str, str]:
    """Gives the symbols in `module` names that are free around it. Returns the old name of each new one.

    What the module around has already, a declaration or an equal function, is dropped.
    """
    parent = module.parent_op()
    assert parent is not None
    around = {symbol_of(o): o for o in parent.regions[0].block.ops if o is not module}
    taken = set(around)
    changed: dict[str, str] = {}
    old_names: dict[str, str] = {}
    for op in list(module.body.block.ops):
        if (name := symbol_of(op)) is None:
            continue
        if name in taken and (isinstance(op, func.FuncOp) and not op.body.blocks or _is_same(op, around.get(name))):
            Rewriter.erase_op(op)
            continue
        if name in taken:
            changed[name] = _free_name(f"{module.sym_name.data}_{name}", taken)
            _set_symbol(op, changed[name])
        old_names[changed.get(name, name)] = name
        taken.add(changed.get(name, name))
    if changed:
        for op in module.walk():
            _rename_references(op, changed)
    return old_names


def _free_name(base: str, taken: set[str | None]) -> str:
    name, n = base, 0
    while name in taken:
        name, n = f"{base}_{n}", n + 1
    return name


def _rename_references(op: Operation, changed: dict[str, str]) -> None:
    for key, value in op.properties.items():
        if isinstance(value, SymbolRefAttr) and (new := changed.get(value.string_value())) is not None:
            op.properties[key] = SymbolRefAttr(new)


def functions_with_ids(module: gpu.ModuleOp) -> frozenset[str]:
    """The device functions that read ids, themselves or through a call, by name."""
    functions = {
        name: op
        for op in module.body.block.ops
        if (isinstance(op, func.FuncOp) or (isinstance(op, gpu.FuncOp) and op.kernel is None))
        and (name := symbol_of(op)) is not None
    }
    found = {name for name, op in functions.items() if any(isinstance(o, (*LANE_IDS, *UNIFORM_IDS)) for o in op.walk())}
    before = -1
    while before != len(found):
        before = len(found)
        found |= {name for name, op in functions.items() if _calls(op, found)}
    return frozenset(found)


def _calls(op: Operation, names: set[str]) -> bool:
    return any(isinstance(o, func.CallOp) and o.callee.string_value() in names for o in op.walk())
