// RUN: hologram-opt %s -p 'loop-invariant-code-motion{tensors}' | filecheck %s

// What a loop over tensors computes anew in each step stands before it; one that may trap stays. A loop without tensors
// stays as it is.

// CHECK-LABEL: func.func @invariant
// CHECK:       [[K:%.*]] = atlas.map ins(%w : tensor<4xf32>)
// CHECK:       scf.for
// CHECK:         atlas.map ins(%a, [[K]] : tensor<4xf32>, tensor<4xf32>)
// CHECK-NOT:     atlas.map
// CHECK:         scf.yield
func.func @invariant(%x: tensor<4xf32>, %w: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %k = atlas.map ins(%w : tensor<4xf32>) outs(%e : tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
    ^bb0(%v: f32):
      %t = atlas.exp f32 %v
      atlas.yield %t : f32
    }
    %b = atlas.map ins(%a, %k : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
    ^bb0(%v: f32, %u: f32):
      %t = atlas.add f32 %v, %u
      atlas.yield %t : f32
    }
    scf.yield %b : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @scalars
// CHECK:       scf.for
// CHECK-NEXT:    arith.addi
func.func @scalars(%m: memref<?xindex>, %p: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %q = arith.addi %p, %p : index
    memref.store %q, %m[%i] : memref<?xindex>
  }
  func.return
}
