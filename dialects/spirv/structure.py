"""Modules, functions, global variables, constants and control flow of the spirv dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FlatSymbolRefAttr,
    FunctionType,
    IntegerAttr,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    region_def,
    result_def,
    successor_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import (
    ConstantLike,
    HasParent,
    IsolatedFromAbove,
    IsTerminator,
    NoTerminator,
    OptionalSymbolOpInterface,
    Pure,
    SymbolOpInterface,
    SymbolTable,
)

from hologram.dialects.custom.rows import need
from hologram.dialects.families import defined
from hologram.dialects.spirv.enums import (
    AddressingModelAttr,
    EnumAttr,
    ExecutionModeAttr,
    ExecutionModelAttr,
    FunctionControlAttr,
    LoopControlAttr,
    MemoryModelAttr,
    SelectionControlAttr,
)
from hologram.dialects.spirv.operation import MarkerOp, SpirvOp
from hologram.dialects.spirv.types import ArrayType, PointerType, TripleAttr
from hologram.errors import VerifyError


@irdl_op_definition
class ModuleOp(MarkerOp):
    """A SPIR-V module: global variables, functions and entry points, with what it needs of a device as `vce_triple`."""

    name = "spirv.module"

    body = region_def("single_block")
    addressing_model = prop_def(AddressingModelAttr)
    memory_model = prop_def(MemoryModelAttr)
    vce_triple = opt_prop_def(TripleAttr)
    sym_name = opt_prop_def(SymbolNameConstraint())

    traits = traits_def(IsolatedFromAbove(), NoTerminator(), OptionalSymbolOpInterface(), SymbolTable())

    def __init__(
        self, name: str | None, body: Region, triple: TripleAttr | None = None, *, addressing: str = "Logical"
    ):
        super().__init__(
            properties={
                "addressing_model": AddressingModelAttr(addressing),
                "memory_model": MemoryModelAttr("GLSL450"),
                "vce_triple": triple,
                "sym_name": None if name is None else StringAttr(name),
            },
            regions=[body],
        )


@irdl_op_definition
class FuncOp(MarkerOp):
    """A function. Its body is a list of blocks; structured control flow is in regions of their own."""

    name = "spirv.func"

    body = region_def()
    function_type = prop_def(FunctionType)
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    sym_name = prop_def(SymbolNameConstraint())
    function_control = prop_def(FunctionControlAttr)
    linkage_attributes = opt_prop_def()

    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())

    def __init__(self, name: str, type: FunctionType, body: Region | None = None, control: str = "None"):
        super().__init__(
            properties={
                "function_type": type,
                "sym_name": StringAttr(name),
                "function_control": FunctionControlAttr(control),
            },
            regions=[body if body is not None else Region(Block(arg_types=type.inputs.data))],
        )

    def verify_(self) -> None:
        if len(self.function_type.outputs) > 1:
            raise VerifyError("spirv-func-results", f"@{self.sym_name.data} has more than one result")
        around = self.parent_op()
        in_table = around is None or around.has_trait(SymbolTable, value_if_unregistered=True)
        need(in_table, f"'{self.name}' must be directly in a module")
        for op in (op for op in self.walk() if isinstance(op, ReturnOp | ReturnValueOp)):
            wanted, given = [*self.function_type.outputs], [*op.operand_types]
            need(given == wanted, f"'{op.name}' gives {given} of a function that gives {wanted}", op)


@irdl_op_definition
class GlobalVariableOp(MarkerOp):
    """A variable of the module: a buffer with a binding, a value that the device passes, or workgroup memory."""

    name = "spirv.GlobalVariable"

    type = prop_def(Attribute)
    sym_name = prop_def(SymbolNameConstraint())
    initializer = opt_prop_def(FlatSymbolRefAttr)
    binding = opt_prop_def(IntegerAttr)
    descriptor_set = opt_prop_def(IntegerAttr)
    built_in = opt_prop_def(StringAttr)
    place = opt_prop_def(IntegerAttr, prop_name="location")
    linkage_attributes = opt_prop_def()

    traits = traits_def(HasParent(ModuleOp), SymbolOpInterface())

    def __init__(
        self, name: str, type: PointerType, *, binding: tuple[int, int] | None = None, built_in: str | None = None
    ):
        place = None if binding is None else [IntegerAttr(n, i32) for n in binding]
        super().__init__(
            properties={
                "type": type,
                "sym_name": StringAttr(name),
                "descriptor_set": None if place is None else place[0],
                "binding": None if place is None else place[1],
                "built_in": None if built_in is None else StringAttr(built_in),
            }
        )

    def verify_(self) -> None:
        if not isinstance(self.type, PointerType):
            raise VerifyError("spirv-global-type", f"a global variable has a type of pointers, not {self.type}")


@irdl_op_definition
class SpecConstantOp(MarkerOp):
    """A constant of the module whose value may be given when a pipeline is made: attribute `spec_id` is its number."""

    name = "spirv.SpecConstant"

    sym_name = prop_def(SymbolNameConstraint())
    default_value = prop_def(Attribute)

    traits = traits_def(HasParent(ModuleOp), SymbolOpInterface())

    def __init__(self, name: str, default_value: Attribute, spec_id: int):
        super().__init__(
            properties={"sym_name": StringAttr(name), "default_value": default_value},
            attributes={"spec_id": IntegerAttr(spec_id, i32)},
        )


@irdl_op_definition
class EntryPointOp(MarkerOp):
    """A function that a pipeline can start, with the global variables that it uses."""

    name = "spirv.EntryPoint"

    execution_model = prop_def(ExecutionModelAttr)
    fn = prop_def(FlatSymbolRefAttr)
    interface = prop_def(ArrayAttr[SymbolRefAttr])

    traits = traits_def(HasParent(ModuleOp))

    def __init__(self, fn: str, interface: Sequence[str], model: str = "GLCompute"):
        super().__init__(
            properties={
                "execution_model": ExecutionModelAttr(model),
                "fn": SymbolRefAttr(fn),
                "interface": ArrayAttr([SymbolRefAttr(name) for name in interface]),
            }
        )


@irdl_op_definition
class ExecutionModeOp(MarkerOp):
    """A property of an entry point: the sizes of its workgroups, or how its floats round."""

    name = "spirv.ExecutionMode"

    fn = prop_def(FlatSymbolRefAttr)
    execution_mode = prop_def(ExecutionModeAttr)
    values = prop_def(ArrayAttr[IntegerAttr])

    traits = traits_def(HasParent(ModuleOp))

    def __init__(self, fn: str, mode: str, values: Sequence[int]):
        super().__init__(
            properties={
                "fn": SymbolRefAttr(fn),
                "execution_mode": ExecutionModeAttr(mode),
                "values": i32_array(values),
            }
        )


@irdl_op_definition
class AddressOfOp(MarkerOp):
    """A pointer to a global variable: `spirv.mlir.addressof @v : !spirv.ptr<f32, Workgroup>`."""

    name = "spirv.mlir.addressof"

    variable = prop_def(FlatSymbolRefAttr)
    pointer = result_def(PointerType)

    traits = traits_def(Pure())
    assembly_format = "$variable attr-dict `:` type($pointer)"


@irdl_op_definition
class ReferenceOfOp(MarkerOp):
    """The value of a specialisation constant."""

    name = "spirv.mlir.referenceof"

    spec_const = prop_def(FlatSymbolRefAttr)
    reference = result_def()

    traits = traits_def(Pure())
    assembly_format = "$spec_const attr-dict `:` type($reference)"


@irdl_op_definition
class ConstantOp(MarkerOp):
    """A constant: a truth value, an integer, a float, or as `dense<...>` a vector or an array (of a tensor)."""

    name = "spirv.Constant"

    value = prop_def(Attribute)
    constant = result_def()

    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: Attribute, type: Attribute | None = None):
        super().__init__(properties={"value": value}, result_types=[type or cast(Any, value).get_type()])

    def verify_(self) -> None:
        if isinstance(self.value, ArrayAttr):
            need(isinstance(self.constant.type, ArrayType), f"a list as a constant is an array: {self.constant.type}")
            return
        type: Any = cast(Any, self.value).get_type()
        if isinstance(array := self.constant.type, ArrayType) and isinstance(type, TensorType):
            type = ArrayType.of(type.get_shape()[0], cast(Any, type).element_type, array.stride.data)
        if type != self.constant.type:
            raise VerifyError("spirv-constant-type", f"a constant of type {type} has a result of {self.constant.type}")


@irdl_op_definition
class UndefOp(SpirvOp):
    """Any value of a type."""

    name = "spirv.Undef"
    OPCODE: ClassVar[int] = 1

    result = result_def()
    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"


@irdl_op_definition
class BranchOp(MarkerOp):
    """Goes to a block."""

    name = "spirv.Branch"

    target_operands = var_operand_def()
    target = successor_def()
    traits = traits_def(IsTerminator())

    def __init__(self, target: Block, operands: Sequence[SSAValue] = ()):
        super().__init__(operands=[operands], successors=[target])


@irdl_op_definition
class BranchConditionalOp(MarkerOp):
    """Goes to one of two blocks."""

    name = "spirv.BranchConditional"

    condition = operand_def()
    true_operands = var_operand_def()
    false_operands = var_operand_def()
    branch_weights = opt_prop_def(ArrayAttr[IntegerAttr])
    true_target = successor_def()
    false_target = successor_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(IsTerminator())

    def __init__(
        self,
        condition: SSAValue,
        true: Block,
        false: Block,
        true_operands: Sequence[SSAValue] = (),
        false_operands: Sequence[SSAValue] = (),
    ):
        super().__init__(operands=[condition, true_operands, false_operands], successors=[true, false])

    def verify_(self) -> None:
        if self.branch_weights is not None:
            weights = [weight.value.data for weight in self.branch_weights]
            need(len(weights) == 2, f"'{self.name}' has two weights, not {len(weights)}")
            need(any(weights), f"the weights of '{self.name}' are not both 0")


class StructuredOp(MarkerOp):
    """The base of constructs, whose blocks end in one with `spirv.mlir.merge` alone."""

    CONTROL: ClassVar[type[EnumAttr]]
    """The hints: the property has the name of the attribute."""

    body = region_def()
    yielded = var_result_def()

    def __init__(self, body: Region, control: str = "None"):
        hints = {self.CONTROL.name.removeprefix("spirv."): self.CONTROL(control)}
        super().__init__(properties=hints, regions=[body], result_types=[[]])

    def verify_(self) -> None:
        if self.body.blocks and not isinstance(self.body.blocks[-1].first_op, MergeOp):
            raise VerifyError(
                "spirv-merge-block", f"the last block of {self.name} must hold spirv.mlir.merge and no more"
            )


@irdl_op_definition
class SelectionOp(StructuredOp):
    """A structured branch: a header block, the blocks of its cases, and last a block with `spirv.mlir.merge` alone."""

    name = "spirv.mlir.selection"
    CONTROL: ClassVar[type[EnumAttr]] = SelectionControlAttr

    selection_control = prop_def(SelectionControlAttr)

    def verify_(self) -> None:
        super().verify_()
        need(len(self.body.blocks) != 1, f"'{self.name}' has a block that branches before the one that merges")


@irdl_op_definition
class LoopOp(StructuredOp):
    """A structured loop: an entry block that goes to the header, the header, the body, the block that goes back to
    the header, and last a block with `spirv.mlir.merge` alone."""

    name = "spirv.mlir.loop"
    CONTROL: ClassVar[type[EnumAttr]] = LoopControlAttr

    loop_control = prop_def(LoopControlAttr)

    def verify_(self) -> None:
        super().verify_()
        blocks = self.body.blocks
        if not blocks:
            return
        if len(blocks) < 4:
            raise VerifyError("spirv-loop-blocks", "a loop has an entry, a header, a continue and a merge block")
        targets = [block.last_op.successors if block.last_op is not None else () for block in blocks]
        need(blocks[1] in targets[0], f"the first block of '{self.name}' branches to the second, its header")
        need(blocks[1] in targets[-2], f"the last block but one of '{self.name}' branches to the second, its header")
        others = [*targets[1:-2], targets[-1]]
        need(
            not any(blocks[1] in each for each in others),
            f"only the first block of '{self.name}' and the last but one branch to the second, its header",
        )


@irdl_op_definition
class MergeOp(MarkerOp):
    """The end of all paths through a selection or loop."""

    name = "spirv.mlir.merge"

    values = var_operand_def()
    traits = traits_def(IsTerminator())

    def __init__(self):
        super().__init__(operands=[[]])

    def verify_(self) -> None:
        around, block = self.parent_op(), self.parent
        need(isinstance(around, StructuredOp), f"'{self.name}' stands in 'spirv.mlir.selection' or 'spirv.mlir.loop'")
        need(block is not None and block.next_block is None, f"'{self.name}' stands in the last block alone")


@irdl_op_definition
class ReturnOp(SpirvOp):
    """Ends a function without a result."""

    name = "spirv.Return"
    OPCODE: ClassVar[int] = 253

    traits = traits_def(IsTerminator())
    assembly_format = "attr-dict"


@irdl_op_definition
class ReturnValueOp(SpirvOp):
    """Ends a function with a result."""

    name = "spirv.ReturnValue"
    OPCODE: ClassVar[int] = 254

    value = operand_def()
    traits = traits_def(IsTerminator())
    assembly_format = "$value attr-dict `:` type($value)"


@irdl_op_definition
class UnreachableOp(SpirvOp):
    """Control never comes here."""

    name = "spirv.Unreachable"
    OPCODE: ClassVar[int] = 255

    traits = traits_def(IsTerminator())
    assembly_format = "attr-dict"

    def verify_(self) -> None:
        block = self.parent
        need(block is not None and block.prev_block is not None, f"'{self.name}' stands where control never comes")


@irdl_op_definition
class FunctionCallOp(MarkerOp):
    """Calls a function of the module."""

    name = "spirv.FunctionCall"

    callee = prop_def(FlatSymbolRefAttr)
    arguments = var_operand_def()
    return_value = opt_result_def()

    def __init__(self, callee: str, arguments: Sequence[SSAValue], results: Sequence[Attribute]):
        super().__init__(
            properties={"callee": SymbolRefAttr(callee)}, operands=[arguments], result_types=[list(results)]
        )

    def verify_(self) -> None:
        function = SymbolTable.lookup_symbol(self, self.callee)
        name = self.callee.root_reference.data
        if not isinstance(function, FuncOp):
            need(False, f"there is no function @{name} for '{self.name}'")
            return
        type = function.function_type
        given, results = [*self.operand_types], [*self.result_types]
        need(given == [*type.inputs], f"'{self.name}' passes {given} to @{name}, which takes {[*type.inputs]}")
        need(results == [*type.outputs], f"'{self.name}' takes {results} from @{name}, which gives {[*type.outputs]}")


def i32_array(values: Sequence[int]) -> ArrayAttr[IntegerAttr]:
    """Indices as upstream keeps them."""
    return ArrayAttr([IntegerAttr(n, i32) for n in values])


OPERATIONS = defined(globals(), Operation)
