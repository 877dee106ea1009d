// ARGS: [1,2,3]:f32
// WANT: refused function-name-reserved

func.func private @"llvm.trap"(%a: index) -> index {
  func.return %a : index
}
func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %z = arith.constant 0.0 : f32
  %y = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %e = memref.load %x[%i] : memref<?xf32>
    memref.store %e, %y[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %e = memref.load %y[%i] : memref<?xf32>
    memref.store %z, %x[%i] : memref<?xf32>
  }
  %w = func.call @"llvm.trap"(%n) : (index) -> index
  func.return
}
