// RUN: hologram-opt %s | hologram-opt | filecheck %s

// Values without a register are ordinary SSA values: blocks take them as arguments.
// CHECK-LABEL: machine.program @count(f32[?], %n: u32 in !machine.reg)
machine.program @count(f32[?], %n: u32 in !machine.reg) {
  %zero = machine.mov_imm u32 0 : i32 : () -> (!machine.reg)
  // CHECK: machine.fall ^bb1(%zero, %n : !machine.reg, !machine.reg)
  machine.fall ^bb1(%zero, %n : !machine.reg, !machine.reg)
^bb1(%sum: !machine.reg, %left: !machine.reg):
  %next = machine.add u32 %sum, %left : (!machine.reg, !machine.reg) -> (!machine.reg)
  %less = machine.sub u32 %left, %next : (!machine.reg, !machine.reg) -> (!machine.reg)
  %more = machine.cvt bool u32 %less : (!machine.reg) -> (!machine.pred)
  // CHECK: machine.bra if %more : !machine.pred ^bb1, ^bb2 target(%next, %less : !machine.reg, !machine.reg)
  machine.bra if %more : !machine.pred ^bb1, ^bb2 target(%next, %less : !machine.reg, !machine.reg)
^bb2:
  // CHECK: machine.cvt u128 u32 %next : (!machine.reg) -> (!machine.reg<2>)
  %wide = machine.cvt u128 u32 %next : (!machine.reg) -> (!machine.reg<2>)
  %same = machine.mov u128 %wide : (!machine.reg<2>) -> (!machine.reg<r10, 2>)
  machine.exit
}
