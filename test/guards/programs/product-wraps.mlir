// ARGS: [1,2,3]:f32
// WANT: value [1.0, 1.0, 1.0]

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %big = arith.constant 4611686018427387904 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = arith.muli %i, %big : index
    %b = arith.muli %a, %big : index
    %d = arith.addi %b, %i : index
    memref.store %one, %x[%d] : memref<?xf32>
  }
  %q = arith.muli %n, %big : index
  %w = arith.addi %q, %n : index
  scf.for %i = %c0 to %w step %c1 {
    memref.store %one, %x[%i] : memref<?xf32>
  }
  func.return
}
