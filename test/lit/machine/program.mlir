// RUN: hologram-opt %s | hologram-opt | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt | filecheck %s

// CHECK-LABEL: machine.pool f32[64]
machine.pool f32[64]

// CHECK: machine.program @saxpy(%a: f32 in !machine.reg<r0>, f32[?], f32[?], %n: u64 in !machine.reg<r2>)
// CHECK-SAME: block [256, 1, 1] {
machine.program @saxpy(%a: f32 in !machine.reg<r0>, f32[?], f32[?], %n: u64 in !machine.reg<r2>) block [256, 1, 1] {
  // CHECK-NEXT: machine.array local f32[4]
  machine.array local f32[4]
  // CHECK-NEXT: %i = machine.special u64 gid : () -> (!machine.reg<r3>)
  %i = machine.special u64 gid : () -> (!machine.reg<r3>)
  // CHECK-NEXT: %p = machine.setcc ge u64 %i, %n : (!machine.reg<r3>, !machine.reg<r2>) -> (!machine.pred<p0>)
  %p = machine.setcc ge u64 %i, %n : (!machine.reg<r3>, !machine.reg<r2>) -> (!machine.pred<p0>)
  // CHECK-NEXT: machine.bra if %p : !machine.pred<p0> ^bb2, ^bb1
  machine.bra if %p : !machine.pred<p0> ^bb2, ^bb1
^bb1:
  // CHECK: %four = machine.mov_imm u64 4 : i64 : () -> (!machine.reg<r4>)
  %four = machine.mov_imm u64 4 : i64 : () -> (!machine.reg<r4>)
  // CHECK-NEXT: %j = machine.get : !machine.reg<r3>
  %j = machine.get : !machine.reg<r3>
  %o = machine.mul u64 %j, %four : (!machine.reg<r3>, !machine.reg<r4>) -> (!machine.reg<r5>)
  // CHECK: machine.ldg f32 [buf0 + %o] : (!machine.reg<r5>) -> (!machine.reg<r6>)
  %x = machine.ldg f32 [buf0 + %o] : (!machine.reg<r5>) -> (!machine.reg<r6>)
  // CHECK-NEXT: machine.stg f32 [buf1 + %o + 4], %x : (!machine.reg<r5>, !machine.reg<r6>) -> ()
  machine.stg f32 [buf1 + %o + 4], %x : (!machine.reg<r5>, !machine.reg<r6>) -> ()
  // CHECK-NEXT: %f = machine.call @twice(%x) : (!machine.reg<r6>) -> !machine.reg<r0>
  %f = machine.call @twice(%x) : (!machine.reg<r6>) -> !machine.reg<r0>
  // CHECK-NEXT: machine.bar.sync 3
  machine.bar.sync 3
  machine.fall ^bb2
^bb2:
  // CHECK: machine.label "end"
  machine.label "end"
  machine.exit
}

// CHECK: machine.func @twice(%a: f32 in !machine.reg<r6>) -> (f32 in !machine.reg<r0>) {
machine.func @twice(%a: f32 in !machine.reg<r6>) -> (f32 in !machine.reg<r0>) {
  %c = machine.add f32 %a, %a : (!machine.reg<r6>, !machine.reg<r6>) -> (!machine.reg<r0>)
  // CHECK: machine.ret %c : !machine.reg<r0>
  machine.ret %c : !machine.reg<r0>
}
