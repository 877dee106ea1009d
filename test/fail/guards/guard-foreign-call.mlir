// RUN: hologram-run %s
// EXIT: 1
// ERROR: 'func.call' calls @system, a function of somebody else
// ERROR: hint: .*--unsafe-memory

func.func private @system(i64) -> i32

func.func @main(%x: memref<?xf32>) {
  %p = arith.constant 0 : i64
  %r = func.call @system(%p) : (i64) -> i32
  func.return
}
