"""`lift-machine`: machine code becomes lane programs in SSA form."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


@dataclass(frozen=True)
class LiftMachinePass(ModulePass):
    """Turns programs and functions of the machine form into `atlas.program` and `atlas.func`.

    What a register holds becomes a value, passed from block to block where it is still read. A read of a register that
    no way has written before, or only as another type, is refused; where some ways have and some have not, the read
    traps for lanes that came by the others. Byte addresses become typed pointers.

    Before::

        machine.program @k(f32[?]) block [32, 1, 1] {
          %i = machine.special u64 gid : () -> (!machine.reg<r0>)
          %two = machine.mov_imm u32 2 : i32 : () -> (!machine.reg<r1>)
          %o = machine.shl u64 %i, %two : (!machine.reg<r0>, !machine.reg<r1>) -> (!machine.reg<r2>)
          %x = machine.ldg f32 [buf0 + %o] : (!machine.reg<r2>) -> (!machine.reg<r3>)
          ...
        }

    After::

        atlas.program @k(%0: memref<?xf32>) block [32, 1, 1] {
          %i = atlas.special gid : i64
          %two = atlas.mov_imm 2 : i32
          %o = atlas.shl u64 %i, %two
          %p = atlas.lea f32 %0[%o : i64] : memref<?xf32>
          %x = atlas.ldg f32 %p[] : !atlas.ptr<f32, global>
          ...
        }
    """

    name = "lift-machine"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not any(o.name.startswith("machine.") for o in op.body.block.ops):
            return
        # Most modules have none, and need not wait for the dialect.
        from hologram.lowering.machine.lifting import lift_module

        lift_module(op)
