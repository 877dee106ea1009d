// RUN: hologram-opt %s -p 'vectorize-loops{vector-bytes=16}' | filecheck %s

// What a loop in the body carries along becomes vectors, those of eight lanes together in one loop.

func.func @sums(%x: memref<?xf32>, %s: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.for %l = %c0 to %c8 step %c1 {
    %r = scf.for %g = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
      %b = arith.muli %g, %c8 : index
      %k = arith.addi %b, %l : index
      %v = memref.load %x[%k] : memref<?xf32>
      %w = arith.addf %a, %v : f32
      scf.yield %w : f32
    }
    memref.store %r, %s[%l] : memref<8xf32>
  } {hologram.vectorize = 8 : i64}
  func.return
}

// CHECK-LABEL: func.func @sums
// CHECK: [[R:%.*]], [[S:%.*]] = scf.for {{.*}} -> (vector<4xf32>, vector<4xf32>) {
// CHECK: [[V:%.*]] = vector.load %x
// CHECK-NEXT: [[W:%.*]] = vector.load %x
// CHECK-NEXT: [[A:%.*]] = arith.addf {{%.*}}, [[V]] : vector<4xf32>
// CHECK-NEXT: [[B:%.*]] = arith.addf {{%.*}}, [[W]] : vector<4xf32>
// CHECK-NEXT: scf.yield [[A]], [[B]]
// CHECK: vector.store [[R]], %s
// CHECK-NEXT: vector.store [[S]], %s
// CHECK-NOT: scf.for
