// RUN: hologram-run %s
// EXIT: 1
// ERROR: 'arith.fptosi' from f32 to i5 is undefined out of range
// ERROR: hint: .*take i32

func.func @main(%a: f32, %x: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = arith.fptosi %a : f32 to i5
  %w = arith.extsi %n : i5 to i32
  memref.store %w, %x[%c0] : memref<?xi32>
  func.return
}
