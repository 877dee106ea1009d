// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Globals, atomic operations and views of memref in upstream's syntax.

memref.global "private" constant @c : memref<2xf32> = dense<1.0>
memref.global @d : memref<2xf32>
memref.global "nested" @e : memref<2xf32> = uninitialized {alignment = 64 : i64}
func.func @g(%m: memref<2x3xf32>, %i: index, %f: f32, %s: memref<2xindex>, %u: memref<*xf32>, %v: memref<4xf32>, %w: memref<?xf32>) {
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<2x3xf32> to memref<3x2xf32, strided<[1, 3]>>
  %1 = memref.atomic_rmw "addf" %f, %m[%i, %i] : (f32, memref<2x3xf32>) -> f32
  %2 = memref.generic_atomic_rmw %m[%i, %i] : memref<2x3xf32> {
  ^bb0(%x: f32):
    memref.atomic_yield %x : f32
  }
  %3 = memref.reshape %m(%s) : (memref<2x3xf32>, memref<2xindex>) -> memref<3x2xf32>
  %4 = memref.realloc %v {alignment = 8} : memref<4xf32> to memref<9xf32>
  %5 = memref.realloc %v(%i) : memref<4xf32> to memref<?xf32>
  %6, %7 = memref.distinct_objects %m, %v : memref<2x3xf32>, memref<4xf32>
  %8 = memref.reinterpret_cast %u to offset: [0], sizes: [%i, 2], strides: [2, 1] : memref<*xf32> to memref<?x?xf32, strided<[2, 1]>>
  %9 = memref.rank %u : memref<*xf32>
  memref.copy %v, %w : memref<4xf32> to memref<?xf32>
  func.return
}
// CHECK:         memref.global "private" constant @c : memref<2xf32> = dense<1.000000e+00>
// CHECK-NEXT:    memref.global @d : memref<2xf32>
// CHECK-NEXT:    memref.global "nested" @e : memref<2xf32> = uninitialized {alignment = 64 : i64}
// CHECK:         memref.transpose %m (d0, d1) -> (d1, d0) : memref<2x3xf32> to memref<3x2xf32, strided<[1, 3]>>
// CHECK-NEXT:    memref.atomic_rmw addf %f, %m[%i, %i] : (f32, memref<2x3xf32>) -> f32
// CHECK-NEXT:    memref.generic_atomic_rmw %m[%i, %i] : memref<2x3xf32> {
// CHECK-NEXT:    ^bb0(%x: f32):
// CHECK-NEXT:      memref.atomic_yield %x : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.reshape %m(%s) : (memref<2x3xf32>, memref<2xindex>) -> memref<3x2xf32>
// CHECK-NEXT:    memref.realloc %v {alignment = 8 : i64} : memref<4xf32> to memref<9xf32>
// CHECK-NEXT:    memref.realloc %v(%i) : memref<4xf32> to memref<?xf32>
// CHECK-NEXT:    memref.distinct_objects %m, %v : memref<2x3xf32>, memref<4xf32>
// CHECK-NEXT:    memref.reinterpret_cast %u to offset: [0], sizes: [%i, 2], strides: [2, 1]
// CHECK-NEXT:    memref.rank %u : memref<*xf32>
// CHECK-NEXT:    memref.copy %v, %w : memref<4xf32> to memref<?xf32>
