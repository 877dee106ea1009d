// RUN: hologram-opt %s -p bufferize | filecheck %s

// Loops and choices over tensors: which buffers they work in.

// Each element is computed from the same element: in place, in the buffer of the result.

func.func @in_place(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %x) -> (tensor<4xf32>) {
    %0 = tensor.empty() : tensor<4xf32>
    %s = atlas.map ins(%c : tensor<4xf32>) outs(%0 : tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
    ^bb0(%1: f32):
      %2 = atlas.add f32 %1, %1
      atlas.yield %2 : f32
    }
    scf.yield %s : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @in_place(
// CHECK-NOT:     memref.alloc
// CHECK:         atlas.map ins(%x : memref<4xf32>) outs(%r : memref<4xf32>)
// CHECK:         scf.for %i = %c0 to %n step %c1 {
// CHECK-NEXT:      atlas.map ins(%r : memref<4xf32>) outs(%r : memref<4xf32>)
// CHECK-NEXT:      ^bb0(%1: f32):
// CHECK-NEXT:        %2 = atlas.add f32 %1, %1
// CHECK-NEXT:        atlas.yield %2 : f32
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// A step that reads elements elsewhere: two buffers change places, and the last one is copied into the result.

func.func @turns(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %x) -> (tensor<4xf32>) {
    %0 = tensor.empty() : tensor<4xf32>
    %s = atlas.map ins(%c : tensor<4xf32>) outs(%0 : tensor<4xf32>) maps [affine_map<(d0) -> (((d0 * -1) + 3))>, affine_map<(d0) -> (d0)>] {
    ^bb0(%1: f32):
      atlas.yield %1 : f32
    }
    scf.yield %s : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @turns(
// CHECK:         %[[OTHER:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    atlas.map ins(%x : memref<4xf32>) outs(%r : memref<4xf32>)
// CHECK:         %[[LAST:.*]], %{{.*}} = scf.for %i = %c0 to %n step %c1 iter_args(%c = %r, %[[NEXT:.*]] = %[[OTHER]]) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:      atlas.map ins(%c : memref<4xf32>) outs(%[[NEXT]] : memref<4xf32>)
// CHECK:           scf.yield %[[NEXT]], %c : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    atlas.map ins(%[[LAST]] : memref<4xf32>) outs(%r : memref<4xf32>)
// CHECK:         memref.dealloc %[[OTHER]] : memref<4xf32>

// A part is written in place.

func.func @row(%x: tensor<4x8xf32>, %r: tensor<1x8xf32>, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %q = scf.for %i = %c0 to %n step %c1 iter_args(%c = %x) -> (tensor<4x8xf32>) {
    %s = tensor.insert_slice %r into %c[0, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
    scf.yield %s : tensor<4x8xf32>
  }
  func.return %q : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @row(
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for %i = %c0 to %n step %c1 {
// CHECK-NEXT:      %[[ROW:.*]] = memref.subview %q[0, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1]>>
// CHECK-NEXT:      atlas.map ins(%r : memref<1x8xf32>) outs(%[[ROW]] : memref<1x8xf32, strided<[8, 1]>>)

// A while loop whose test changes nothing carries nothing.

func.func @until(%x: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %r = scf.while (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    scf.condition(%p) %a : tensor<4xf32>
  } do {
  ^bb0(%b: tensor<4xf32>):
    %0 = tensor.empty() : tensor<4xf32>
    %s = atlas.map ins(%b : tensor<4xf32>) outs(%0 : tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
    ^bb0(%1: f32):
      %2 = atlas.add f32 %1, %1
      atlas.yield %2 : f32
    }
    scf.yield %s : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @until(
// CHECK-NOT:     memref.alloc
// CHECK:         scf.while : () -> () {
// CHECK-NEXT:      scf.condition(%p)
// CHECK-NEXT:    } do {
// CHECK-NEXT:      atlas.map ins(%r : memref<4xf32>) outs(%r : memref<4xf32>)

// Both sides of a choice write the buffer of the result.

func.func @either(%x: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %r = scf.if %p -> (tensor<4xf32>) {
    %0 = tensor.empty() : tensor<4xf32>
    %s = atlas.map ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
    ^bb0(%1: f32):
      %2 = atlas.add f32 %1, %1
      atlas.yield %2 : f32
    }
    scf.yield %s : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @either(
// CHECK-NOT:     memref.alloc
// CHECK:         scf.if %p {
// CHECK-NEXT:      atlas.map ins(%x : memref<4xf32>) outs(%r : memref<4xf32>)
// CHECK:         } else {
// CHECK-NEXT:      atlas.map ins(%x : memref<4xf32>) outs(%r : memref<4xf32>)
