// RUN: hologram-opt %s -p expand-math | filecheck %s

// tanh of f32 looks its coefficients up: a scalar loads them, a vector gathers them; both have one table.

func.func @tanh(%x: f32, %v: vector<16xf32>) -> (f32, vector<16xf32>) {
  %y = math.tanh %x : f32
  %w = math.tanh %v : vector<16xf32>
  func.return %y, %w : f32, vector<16xf32>
}

// A name that is taken stays with whoever has it.

func.func private @tanh_f32(%x: f32) -> f32

// CHECK:         memref.global{{.*}}@tanh_f32_0
// CHECK-NOT:     memref.global
// CHECK-LABEL:   func.func @tanh(
// CHECK:         %[[N:.*]] = arith.shrui %{{.*}}, %{{.*}} : i32
// CHECK:         %[[COLUMN:.*]] = arith.andi %[[N]], %{{.*}} : i32
// CHECK:         %[[T:.*]] = memref.get_global @tanh_f32_0 : memref<8x16xf32>
// CHECK:         %[[AT:.*]] = arith.index_castui %[[COLUMN]] : i32 to index
// CHECK-COUNT-8: memref.load %[[T]][%{{.*}}, %[[AT]]] : memref<8x16xf32>
// CHECK:         memref.get_global @tanh_f32_0 : memref<8x16xf32>
// CHECK-COUNT-8: vector.gather {{.*}} : memref<8x16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
