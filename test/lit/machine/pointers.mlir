// RUN: hologram-opt %s | hologram-opt | filecheck %s
// RUN: hologram-opt %s -t atlas-asm | filecheck %s --check-prefix=ASM

// Functions take pointers in registers, with their types; a program makes one with lea.
// CHECK: machine.func @first(%p: ptr !atlas.ptr<f32, global> in !machine.reg<r1>) -> (f32 in !machine.reg<r0>) {
// ASM: .func first(r1: ptr<f32, global>) -> (r0: f32) {
machine.func @first(%p: ptr !atlas.ptr<f32, global> in !machine.reg<r1>) -> (f32 in !machine.reg<r0>) {
  // CHECK-NEXT: machine.ldg f32 [%p + 8] : (!machine.reg<r1>) -> (!machine.reg<r0>)
  // ASM-NEXT: ldg.f32 r0, [r1 + 8]
  %v = machine.ldg f32 [%p + 8] : (!machine.reg<r1>) -> (!machine.reg<r0>)
  machine.ret %v : !machine.reg<r0>
}

machine.program @main(f32[?]) {
  // ASM: lea.f32 r1, [buf0 + 64]
  %p = machine.lea f32 [buf0 + 64] : () -> (!machine.reg<r1>)
  // ASM-NEXT: call first
  %v = machine.call @first(%p) : (!machine.reg<r1>) -> !machine.reg<r0>
  machine.exit
}
