// RUN: hologram-opt %s -p fuse-atlas | filecheck %s

// What is computed before a loop is computed once: a map in the loop that reads it does not take it in.

func.func @stays_before(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %p = atlas.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%a: f32):
    %b = atlas.exp f32 %a
    atlas.yield %b : f32
  }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %x) -> (tensor<4xf32>) {
    %f = tensor.empty() : tensor<4xf32>
    %s = atlas.map ins(%c, %p : tensor<4xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
    ^bb0(%a: f32, %b: f32):
      %d = atlas.add f32 %a, %b
      atlas.yield %d : f32
    }
    scf.yield %s : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @stays_before(
// CHECK:         atlas.exp
// CHECK:         scf.for
// CHECK-NOT:     atlas.exp
// CHECK:         atlas.add
