"""The `llvm` dialect as upstream MLIR 22 has it: xDSL's operations where they are right, ours elsewhere.

Other rooms import what they use from here. Ours are all constructors with plain Python arguments that build without
verifying; every operation can also be made with `Op.create` and upstream's property names. What upstream has no
operation for is called with `CallIntrinsicOp`, for example "llvm.maximumnum".
"""

from __future__ import annotations

from xdsl.dialects.llvm import BitcastOp as BitcastOp
from xdsl.dialects.llvm import FastMathAttr as FastMathAttr
from xdsl.dialects.llvm import FPTruncOp as FPTruncOp
from xdsl.dialects.llvm import InlineAsmOp as InlineAsmOp
from xdsl.dialects.llvm import InsertElementOp as InsertElementOp
from xdsl.dialects.llvm import LinkageAttr as LinkageAttr
from xdsl.dialects.llvm import LLVMPointerType as LLVMPointerType
from xdsl.dialects.llvm import LLVMVoidType as LLVMVoidType
from xdsl.dialects.llvm import ReturnOp as ReturnOp
from xdsl.dialects.llvm import StackRestoreOp as StackRestoreOp
from xdsl.dialects.llvm import StackSaveOp as StackSaveOp
from xdsl.dialects.llvm import TailCallKind as TailCallKind
from xdsl.dialects.llvm import TailCallKindAttr as TailCallKindAttr
from xdsl.dialects.llvm import UnreachableOp as UnreachableOp
from xdsl.dialects.llvm import ZExtOp as ZExtOp
from xdsl.dialects.utils import FastMathFlag as FastMathFlag

from hologram.dialects.llvm.arithmetic import NO_FASTMATH as NO_FASTMATH
from hologram.dialects.llvm.arithmetic import NSW as NSW
from hologram.dialects.llvm.arithmetic import NSW_NUW as NSW_NUW
from hologram.dialects.llvm.arithmetic import AddOp as AddOp
from hologram.dialects.llvm.arithmetic import AddrSpaceCastOp as AddrSpaceCastOp
from hologram.dialects.llvm.arithmetic import FCmpOp as FCmpOp
from hologram.dialects.llvm.arithmetic import FPToSIOp as FPToSIOp
from hologram.dialects.llvm.arithmetic import FPToUIOp as FPToUIOp
from hologram.dialects.llvm.arithmetic import FreezeOp as FreezeOp
from hologram.dialects.llvm.arithmetic import ICmpOp as ICmpOp
from hologram.dialects.llvm.arithmetic import IntToPtrOp as IntToPtrOp
from hologram.dialects.llvm.arithmetic import MulOp as MulOp
from hologram.dialects.llvm.arithmetic import PtrToIntOp as PtrToIntOp
from hologram.dialects.llvm.arithmetic import SelectOp as SelectOp
from hologram.dialects.llvm.arithmetic import ShlOp as ShlOp
from hologram.dialects.llvm.arithmetic import SubOp as SubOp
from hologram.dialects.llvm.arithmetic import TruncOp as TruncOp
from hologram.dialects.llvm.arithmetic import UIToFPOp as UIToFPOp
from hologram.dialects.llvm.arithmetic import element_type as element_type
from hologram.dialects.llvm.attributes import CallingConventionAttr as CallingConventionAttr
from hologram.dialects.llvm.attributes import ConstantRangeAttr as ConstantRangeAttr
from hologram.dialects.llvm.attributes import DistinctAttr as DistinctAttr
from hologram.dialects.llvm.attributes import LoopAnnotationAttr as LoopAnnotationAttr
from hologram.dialects.llvm.attributes import LoopUnrollAttr as LoopUnrollAttr
from hologram.dialects.llvm.attributes import LoopVectorizeAttr as LoopVectorizeAttr
from hologram.dialects.llvm.attributes import MemoryEffectsAttr as MemoryEffectsAttr
from hologram.dialects.llvm.control import BrOp as BrOp
from hologram.dialects.llvm.control import CallIntrinsicOp as CallIntrinsicOp
from hologram.dialects.llvm.control import CallOp as CallOp
from hologram.dialects.llvm.control import CondBrOp as CondBrOp
from hologram.dialects.llvm.control import SwitchOp as SwitchOp
from hologram.dialects.llvm.dialect import Llvm as Llvm
from hologram.dialects.llvm.enums import GEP_INBOUNDS as GEP_INBOUNDS
from hologram.dialects.llvm.enums import GEP_INBOUNDS_NUW as GEP_INBOUNDS_NUW
from hologram.dialects.llvm.enums import GEP_NONE as GEP_NONE
from hologram.dialects.llvm.enums import GEP_USE_SSA_VAL as GEP_USE_SSA_VAL
from hologram.dialects.llvm.intrinsics import INTRINSICS as INTRINSICS
from hologram.dialects.llvm.intrinsics import AbsOp as AbsOp
from hologram.dialects.llvm.intrinsics import AssumeOp as AssumeOp
from hologram.dialects.llvm.intrinsics import ExpectOp as ExpectOp
from hologram.dialects.llvm.intrinsics import IsFPClassOp as IsFPClassOp
from hologram.dialects.llvm.intrinsics import LifetimeEndOp as LifetimeEndOp
from hologram.dialects.llvm.intrinsics import LifetimeStartOp as LifetimeStartOp
from hologram.dialects.llvm.intrinsics import MaskedGatherOp as MaskedGatherOp
from hologram.dialects.llvm.intrinsics import MaskedLoadOp as MaskedLoadOp
from hologram.dialects.llvm.intrinsics import MaskedScatterOp as MaskedScatterOp
from hologram.dialects.llvm.intrinsics import MaskedStoreOp as MaskedStoreOp
from hologram.dialects.llvm.intrinsics import MemcpyOp as MemcpyOp
from hologram.dialects.llvm.intrinsics import MemmoveOp as MemmoveOp
from hologram.dialects.llvm.intrinsics import MemsetOp as MemsetOp
from hologram.dialects.llvm.intrinsics import PrefetchOp as PrefetchOp
from hologram.dialects.llvm.memory import AllocaOp as AllocaOp
from hologram.dialects.llvm.memory import AtomicCmpXchgOp as AtomicCmpXchgOp
from hologram.dialects.llvm.memory import AtomicRMWOp as AtomicRMWOp
from hologram.dialects.llvm.memory import FenceOp as FenceOp
from hologram.dialects.llvm.memory import GEPOp as GEPOp
from hologram.dialects.llvm.memory import LoadOp as LoadOp
from hologram.dialects.llvm.memory import StoreOp as StoreOp
from hologram.dialects.llvm.memory import pointer as pointer
from hologram.dialects.llvm.symbols import FuncOp as FuncOp
from hologram.dialects.llvm.symbols import GlobalOp as GlobalOp
from hologram.dialects.llvm.symbols import function as function
from hologram.dialects.llvm.types import LLVMArrayType as LLVMArrayType
from hologram.dialects.llvm.types import LLVMFunctionType as LLVMFunctionType
from hologram.dialects.llvm.types import LLVMStructType as LLVMStructType
from hologram.dialects.llvm.values import AddressOfOp as AddressOfOp
from hologram.dialects.llvm.values import ConstantOp as ConstantOp
from hologram.dialects.llvm.values import ExtractElementOp as ExtractElementOp
from hologram.dialects.llvm.values import ExtractValueOp as ExtractValueOp
from hologram.dialects.llvm.values import InsertValueOp as InsertValueOp
from hologram.dialects.llvm.values import PoisonOp as PoisonOp
from hologram.dialects.llvm.values import UndefOp as UndefOp
from hologram.dialects.llvm.values import ZeroOp as ZeroOp
from hologram.dialects.llvm.values import integer_constant as integer_constant
from hologram.dialects.shapes import with_element as with_element
