// RUN: hologram-opt %s
// EXIT: 1
// ERROR: a range is of an integer type, not of f32 \[llvm-range-type\]

llvm.func @f() {
  %a = nvvm.read.ptx.sreg.tid.x range <f32, 0, 256> : i32
  llvm.return
}
