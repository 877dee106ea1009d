// RUN: hologram-opt %s -p 'vectorize-loops{vector-bytes=32}' | filecheck %s

// A short loop of known length becomes straight code; what is the same in all lanes stays scalar until it is needed.
func.func @accumulate(%x: memref<?xf32>, %s: memref<11xf32>, %k: f32, %base: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c11 = arith.constant 11 : index
  scf.for %l = %c0 to %c11 step %c1 {
    %at = arith.addi %base, %l : index
    %v = memref.load %x[%at] : memref<?xf32>
    %w = arith.mulf %v, %k : f32
    %old = memref.load %s[%l] : memref<11xf32>
    %new = arith.addf %old, %w : f32
    memref.store %new, %s[%l] : memref<11xf32>
  } {hologram.vectorize}
  func.return
}

// CHECK-NOT:  scf.for
// CHECK:      %[[C8:.*]] = arith.constant 8 : index
// CHECK-NEXT: %[[C10:.*]] = arith.constant 10 : index
// CHECK-NEXT: %[[AT:.*]] = arith.addi %base, %[[C0:.*]] : index
// CHECK-NEXT: %[[V:.*]] = vector.load %x[%[[AT]]] : memref<?xf32>, vector<8xf32>
// CHECK-NEXT: %[[K:.*]] = vector.broadcast %k : f32 to vector<8xf32>
// CHECK-NEXT: %[[W:.*]] = arith.mulf %[[V]], %[[K]] : vector<8xf32>
// CHECK-NEXT: %[[OLD:.*]] = vector.load %s[%[[C0]]] : memref<11xf32>, vector<8xf32>
// CHECK-NEXT: arith.addf %[[OLD]], %[[W]] : vector<8xf32>
// CHECK:      vector.store %{{.*}}, %s[%[[C8]]] : memref<11xf32>, vector<2xf32>
// CHECK:      memref.store %{{.*}}, %s[%[[C10]]] : memref<11xf32>
