// RUN: hologram-opt %s -p canonicalize | filecheck %s

// Transfers that are known to be in bounds, or that give what is there.

func.func @bounds(%m: memref<?x8xf32>, %i: index) -> (vector<2x8xf32>, vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %a = vector.transfer_read %m[%i, %c0], %pad : memref<?x8xf32>, vector<2x8xf32>
  %b = vector.transfer_read %m[%i, %i], %pad : memref<?x8xf32>, vector<8xf32>
  return %a, %b : vector<2x8xf32>, vector<8xf32>
}

// CHECK-LABEL: func.func @bounds
// CHECK:         vector.transfer_read %m[%i, %{{\w+}}], %{{\w+}} {in_bounds = [false, true]}
// CHECK-NEXT:    vector.transfer_read %m[%i, %i], %{{\w+}} : memref<?x8xf32>, vector<8xf32>

func.func @forward(%t: tensor<8xf32>, %v: vector<4xf32>, %w: vector<4xf32>) -> (vector<4xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %a = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
  %b = vector.transfer_write %w, %a[%c4] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
  %read = vector.transfer_read %b[%c0], %pad {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
  %over = vector.transfer_write %w, %a[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
  return %read, %over : vector<4xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @forward
// CHECK-NOT:     transfer_read
// CHECK:         [[OVER:%\w+]] = vector.transfer_write %w, %t[%{{\w+}}]
// CHECK:         func.return %v, [[OVER]]

// What overlaps, and what a mask cuts off, stays.

func.func @stays(%t: tensor<8xf32>, %u: tensor<8xf32>, %v: vector<4xf32>, %m: vector<8xi1>) -> (vector<4xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %pad = arith.constant 0.0 : f32
  %a = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
  %read = vector.transfer_read %a[%c2], %pad {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
  %all = vector.transfer_read %t[%c0], %pad, %m {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
  %over = vector.transfer_write %all, %u[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
  return %read, %over : vector<4xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @stays
// CHECK-COUNT-2: vector.transfer_read
// CHECK:         vector.transfer_write
