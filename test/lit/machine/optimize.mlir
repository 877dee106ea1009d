// RUN: hologram-opt %s -p optimize-machine -t atlas-asm | filecheck %s

// A constant product, and an address that two accesses have in common, which need no pointer.
// CHECK:      .program scaled(buf0: u32[?]) {
// CHECK-NEXT:   .launch block(8, 1, 1) grid(1, 1, 1)
// CHECK-NEXT:   mov_imm.i32 r4, 42
// CHECK-NEXT:   mov.u64 r5, %gid
// CHECK-NEXT:   mov_imm.i64 r6, 4
// CHECK-NEXT:   mul.u64 r5, r5, r6
// CHECK-NEXT:   ldg.u32 r6, [buf0 + r5 + 64]
// CHECK-NEXT:   mul.u32 r4, r6, r4
// CHECK-NEXT:   stg.u32 [buf0 + r5 + 64], r4
// CHECK-NEXT:   exit
machine.program @scaled(u32[?]) block [8, 1, 1] grid [1, 1, 1] {
  %six = machine.mov_imm u32 6 : i32 : () -> (!machine.reg<r1>)
  %seven = machine.mov_imm u32 7 : i32 : () -> (!machine.reg<r2>)
  %k = machine.mul u32 %six, %seven : (!machine.reg<r1>, !machine.reg<r2>) -> (!machine.reg<r3>)
  %i = machine.special u64 gid : () -> (!machine.reg<r4>)
  %four = machine.mov_imm u64 4 : i64 : () -> (!machine.reg<r5>)
  %o = machine.mul u64 %i, %four : (!machine.reg<r4>, !machine.reg<r5>) -> (!machine.reg<r6>)
  %p = machine.lea u32 [buf0 + %o] : (!machine.reg<r6>) -> (!machine.reg<r7>)
  %x = machine.ldg u32 [%p + 64] : (!machine.reg<r7>) -> (!machine.reg<r8>)
  %y = machine.mul u32 %x, %k : (!machine.reg<r8>, !machine.reg<r3>) -> (!machine.reg<r9>)
  machine.stg u32 [%p + 64], %y : (!machine.reg<r7>, !machine.reg<r9>) -> ()
  machine.exit
}
