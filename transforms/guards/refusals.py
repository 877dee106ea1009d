"""What can be neither proven nor guarded: raw pointers, foreign functions, functions that call themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import func, scf
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, MemRefType, ModuleOp, UnrankedMemRefType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import SymbolTable

from hologram.dialects import marks
from hologram.dialects.layouts import as_memref, as_vector, byte_size
from hologram.errors import PassError
from hologram.support.walking import enclosing, operations

FLAG = "give --unsafe-memory (in Python unsafe_memory=True) if you trust the program"
"""The hint of refusals that nothing but trust helps against."""
MACHINE = frozenset(
    ("llvm", "nvvm", "rocdl", "spirv", "ptr_xdsl", "x86", "x86_func", "x86_scf", "riscv", "asm", "emitc")
)
"""Dialects of code for a processor, which takes addresses as they are."""
GUARDED = frozenset(
    f"{dialect}.{name}"
    for dialect, names in {
        "memref": "load store alloc alloca assume_alignment alloca_scope alloca_scope.return atomic_rmw copy"
        " collapse_shape expand_shape dealloc get_global global dim extract_strided_metadata subview view cast"
        " reinterpret_cast rank generic_atomic_rmw atomic_yield prefetch transpose",
        "vector": "bitcast broadcast create_mask extract fma insert maskedload maskedstore reduction shuffle"
        " transfer_read transfer_write step gather scatter load from_elements store print",
        "func": "func call return",
        "gpu": "launch launch_func module module_end func return terminator thread_id block_id block_dim grid_dim"
        " global_id lane_id subgroup_id subgroup_size num_subgroups barrier yield all_reduce",
    }.items()
    for name in names.split()
)
"""The operations of dialects that reach memory for which there are proofs or guards."""
_WHY = {
    "memref.extract_aligned_pointer_as_index": "it makes a number of an address",
    "memref.memory_space_cast": "nothing proves which memory an address is of",
    "gpu.binary": "it is machine code",
    "gpu.dynamic_shared_memory": "its size is not known",
}
VIEWS = {
    f"memref.{name}" for name in ("subview", "cast", "collapse_shape", "expand_shape", "reinterpret_cast", "transpose")
}
VECTOR_BYTES = 1 << 12
"""The longest vector, which spills to the stack."""
ALL_VECTOR_BYTES = 1 << 20
"""What all vectors of a module have together, at most: all may be on the stack at once."""
NO_PROMISES = ("llvm.", marks.ACCESS)
"""Attributes of arguments that promise what nothing checks."""


def refuse_unsafe(module: ModuleOp) -> None:
    """Raises an error for the first operation that has no guard, and drops the marks that nothing checks."""
    calls: dict[Operation, list[func.CallOp]] = {}
    vectors = 0
    for op in operations(module):
        dialect = op.name.partition(".")[0]
        if dialect in MACHINE and op.name != "llvm.fence":
            message = f"'{op.name}' is code for a processor, whose pointers and calls nothing checks"
            raise PassError(op, "guard-raw-pointer", message, hint=FLAG)
        if dialect in ("memref", "vector", "func", "gpu") and op.name not in GUARDED:
            why = _WHY.get(op.name, "there is no guard for what it does")
            raise PassError(op, "guard-operation", f"'{op.name}' can't be guarded: {why}", hint=FLAG)
        if op.name == "builtin.unrealized_conversion_cast" and any(map(_is_address, (*op.operands, *op.results))):
            raise PassError(
                op, "guard-cast", f"'{op.name}' makes an address of something else, which nothing checks", hint=FLAG
            )
        if isinstance(op, func.CallOp):
            calls.setdefault(cast("Operation", enclosing(op, func.FuncOp)), []).append(op)
            _check_call(op)
        if isinstance(op, ModuleOp) and op is not module:
            hint = "move what it holds to the module around it"
            raise PassError(op, "guard-module", "a module in a module has no guards", hint=hint)
        for value in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.args)):
            vectors += _check_type(op, value.type)
        if vectors > ALL_VECTOR_BYTES:
            most = f"more than {ALL_VECTOR_BYTES} bytes up to '{op.name}'"
            message = f"the vectors of the program have {most}, which the stack may not hold"
            raise PassError(op, "guard-vectors", message, hint=f"write a loop, or {FLAG}")
        _check_flow(op)
        _drop_promises(op)
    _check_recursion(calls)


def callee_of(call: func.CallOp) -> func.FuncOp | None:
    """The function that a call calls, if its body is there."""
    callee = SymbolTable.lookup_symbol(call, call.callee)
    return callee if isinstance(callee, func.FuncOp) and callee.body.blocks else None


def _check_flow(op: Operation) -> None:
    """Raises an error where a value goes on as one of another type, which could be memory of other elements."""
    passed: list[tuple[Sequence[SSAValue], Sequence[SSAValue]]] = []
    if isinstance(op, scf.ForOp):
        passed = [(op.iter_args, op.body.block.args[1:]), (op.iter_args, op.results)]
    elif isinstance(op, scf.ParallelOp):
        passed = [(op.initVals, op.results)]
    elif isinstance(op, scf.YieldOp) and (parent := op.parent_op()) is not None and not isinstance(parent, scf.WhileOp):
        passed = [(op.operands, parent.results)]
    elif op.name in VIEWS and memref_types(op):
        source, result = memref_types(op)
        if (source.element_type, source.memory_space) != (result.element_type, result.memory_space):
            message = f"'{op.name}' is a view of a {source} as a {result}, which has other elements"
            raise PassError(op, "guard-view-elements", message, hint="take a memref.view of bytes")
    for given, taken in passed:
        types = [[str(v.type) for v in values] for values in (given, taken)]
        if types[0] != types[1]:
            message = f"'{op.name}' passes ({', '.join(types[0])}) on as ({', '.join(types[1])})"
            raise PassError(op, "guard-flow-types", message, hint="let both be of the same types")


def memref_types(op: Operation) -> list[MemRefType[Attribute]]:
    """The types of a view's source and of the view."""
    values = (op.operands[0], op.results[0]) if op.operands and op.results else ()
    return [type for v in values if (type := as_memref(v.type)) is not None]


def _is_address(value: SSAValue) -> bool:
    return isinstance(value.type, MemRefType) or value.type.name.startswith("llvm.")


def _check_type(op: Operation, type: Attribute) -> int:
    """The bytes of a vector, 0 of other types."""
    if isinstance(type, UnrankedMemRefType):
        hint = "take a memref with as many dynamic sizes as it has axes"
        raise PassError(op, "guard-rank", f"'{op.name}' has a value of type {type}, of any rank", hint=hint)
    element = cast("MemRefType[Attribute]", type).element_type if isinstance(type, MemRefType) else type
    if element.name.startswith("llvm.") or (element is not type and isinstance(element, MemRefType)):
        raise PassError(
            op, "guard-pointer-type", f"'{op.name}' has a value of type {type}, which holds raw pointers", hint=FLAG
        )
    vector = as_vector(element)
    if vector is not None and vector.get_num_scalable_dims():
        message = f"'{op.name}' has a value of type {type}, whose length no check knows"
        raise PassError(op, "guard-scalable", message, hint="take a vector of a fixed length")
    bytes = 0 if vector is None else byte_size(vector) or 0
    if bytes > VECTOR_BYTES:
        message = (
            f"'{op.name}' has a value of type {type}, of more bytes than {VECTOR_BYTES}, which the stack may not hold"
        )
        raise PassError(op, "guard-vector-size", message, hint=FLAG)
    return 0 if element is not type else bytes


def _check_call(op: func.CallOp) -> None:
    name = op.callee.string_value()
    if callee_of(op) is None:
        message = f"'{op.name}' calls @{name}, a function of somebody else, of which nothing is known"
        raise PassError(op, "guard-foreign-call", message, hint=FLAG)
    if marks.PARALLEL in op.attributes or marks.GOES_ON in op.attributes:
        message = f"'{op.name}' of @{name} has a mark of our own passes, which nothing checks"
        raise PassError(op, "guard-call-mark", message, hint=FLAG)


def _drop_promises(op: Operation) -> None:
    for name in (marks.VECTORIZE, marks.LANES, marks.STREAMS, "llvm.loop_annotation"):
        op.attributes.pop(name, None)
    attributes = op.get_attr_or_prop("arg_attrs")
    if not isinstance(op, func.FuncOp) or not isinstance(attributes, ArrayAttr):
        return
    kept = [
        DictionaryAttr({k: v for k, v in given.data.items() if not k.startswith(NO_PROMISES)})
        for given in cast("ArrayAttr[DictionaryAttr]", attributes)
    ]
    op.properties["arg_attrs"] = ArrayAttr(kept)


def _check_recursion(calls: dict[Operation, list[func.CallOp]]) -> None:
    """Refuses functions that call themselves, straight or through others: nothing bounds the stack that they take."""
    done: set[Operation] = set()
    for start in calls:
        path: dict[Operation, int] = {start: 0}
        while path:
            function = next(reversed(path))
            number, here = path[function], calls.get(function, [])
            if function in done or number == len(here):
                done.add(function)
                del path[function]
                continue
            path[function] += 1
            callee = cast("Operation", callee_of(here[number]))
            if callee in path:
                name = here[number].callee.string_value()
                message = f"'func.call' of @{name} leads back to @{name}, and nothing bounds the stack that it takes"
                raise PassError(here[number], "guard-recursion", message, hint=f"write a loop, or {FLAG}")
            path[callee] = 0
