// RUN: hologram-opt %s
// EXIT: 1
// ERROR: the vectors of vector.gather must have one shape \[vector-gather-shape\]

func.func @f(%m: memref<?xf32>, %i: index, %at: vector<8xindex>, %mask: vector<4xi1>, %v: vector<4xf32>) {
  %r = vector.gather %m[%i] [%at], %mask, %v : memref<?xf32>, vector<8xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  func.return
}
