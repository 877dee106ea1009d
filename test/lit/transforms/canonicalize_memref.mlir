// RUN: hologram-opt %s -p canonicalize | filecheck %s

// Accesses go through casts, copies that do nothing go, sizes that are constants are part of the type.

func.func @copies(%a: memref<4xf32>, %b: memref<4xf32>, %z: memref<0x?xf32>, %y: memref<0x?xf32>) {
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  %d = memref.cast %b : memref<4xf32> to memref<?xf32>
  memref.copy %c, %d : memref<?xf32> to memref<?xf32>
  memref.copy %a, %a : memref<4xf32> to memref<4xf32>
  memref.copy %z, %y : memref<0x?xf32> to memref<0x?xf32>
  return
}
// CHECK:      @copies
// CHECK-NEXT: memref.copy %a, %b : memref<4xf32> to memref<4xf32>
// CHECK-NEXT: func.return

func.func @casts(%a: memref<4xf32>, %i: index) -> (memref<4xf32>, memref<5xf32>, f32, memref<?xf32>) {
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  %d = memref.cast %c : memref<?xf32> to memref<4xf32>
  %never = memref.cast %c : memref<?xf32> to memref<5xf32>
  %e = memref.load %c[%i] : memref<?xf32>
  %c3 = arith.constant 3 : index
  %cm3 = arith.constant -3 : index
  %new = memref.alloc(%c3) : memref<?xf32>
  %unused = memref.alloc(%cm3) : memref<?xf32>
  memref.store %e, %unused[%i] : memref<?xf32>
  memref.dealloc %unused : memref<?xf32>
  return %d, %never, %e, %new : memref<4xf32>, memref<5xf32>, f32, memref<?xf32>
}
// CHECK:      @casts
// CHECK-NEXT: %c = memref.cast %a : memref<4xf32> to memref<?xf32>
// CHECK-NEXT: %never = memref.cast %c : memref<?xf32> to memref<5xf32>
// CHECK-NEXT: %e = memref.load %a[%i] : memref<4xf32>
// CHECK-NEXT: %new = memref.alloc() : memref<3xf32>
// CHECK-NEXT: memref.cast %new : memref<3xf32> to memref<?xf32>
// CHECK-NEXT: func.return %a, %never

func.func @parts(%a: memref<8x16xf32>, %i: index) -> (memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<8x16xf32>) {
  %c4 = arith.constant 4 : index
  %b = memref.subview %a[%i, %c4] [%c4, %i] [1, 1] : memref<8x16xf32> to memref<?x?xf32, strided<[16, 1], offset: ?>>
  %c = memref.cast %b : memref<?x?xf32, strided<[16, 1], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %all = memref.subview %a[0, 0] [8, 16] [1, 1] : memref<8x16xf32> to memref<8x16xf32>
  return %c, %all : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<8x16xf32>
}
// CHECK:      @parts
// CHECK-NEXT: %b = memref.subview %a[%i, 4] [4, %i] [1, 1] : memref<8x16xf32> to memref<4x?xf32, strided<[16, 1], offset: ?>>
// CHECK-NEXT: memref.cast %b
// CHECK-NEXT: func.return %{{.*}}, %a
