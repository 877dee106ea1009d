// ARGS: [1,2,3]:f32
// WANT: refused guard-stack-escape

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = arith.constant 10000000 : index
  %b = memref.alloca() : memref<64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %b) -> (memref<64xf32>) {
    %a = memref.alloca() : memref<64xf32>
    %e = memref.load %p[%c0] : memref<64xf32>
    %f = arith.addf %e, %one : f32
    memref.store %f, %a[%c0] : memref<64xf32>
    scf.yield %a : memref<64xf32>
  }
  %w = memref.load %r[%c0] : memref<64xf32>
  memref.store %w, %x[%c0] : memref<?xf32>
  func.return
}
