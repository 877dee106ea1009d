// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Upstream's custom syntax is what is printed of it, in both forms.

func.func @shapes(%a: vector<2x3xf32>, %b: vector<4x4xf32>, %c: vector<2x2xf32>) -> vector<3x2xf32> {
  %0 = vector.shape_cast %a : vector<2x3xf32> to vector<6xf32>
  %1 = vector.transpose %a, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %2 = vector.extract_strided_slice %b {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x4xf32> to vector<2x2xf32>
  %3 = vector.insert_strided_slice %c, %b {offsets = [2, 2], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>
  func.return %1 : vector<3x2xf32>
}
func.func @elements(%a: vector<2xf32>, %b: vector<2xf32>) {
  %0, %1 = vector.to_elements %a : vector<2xf32>
  %2 = vector.interleave %a, %b : vector<2xf32> -> vector<4xf32>
  %3, %4 = vector.deinterleave %2 : vector<4xf32> -> vector<2xf32>
  func.return
}
func.func @combined(%a: vector<2x4xf32>, %b: vector<4x3xf32>, %c: vector<2x3xf32>, %s: vector<2xf32>, %n: f32) {
  %0 = vector.multi_reduction <add>, %a, %s [1] : vector<2x4xf32> to vector<2xf32>
  %1 = vector.multi_reduction <maximumf>, %a, %n [0, 1] : vector<2x4xf32> to f32
  %2 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<2x4xf32>, vector<4x3xf32> into vector<2x3xf32>
  %3 = vector.outerproduct %s, %s : vector<2xf32>, vector<2xf32>
  %4 = vector.outerproduct %s, %s, %3 {kind = #vector.kind<maxnumf>} : vector<2xf32>, vector<2xf32>
  %5, %6 = vector.scan <add>, %a, %s {inclusive = true, reduction_dim = 1 : i64} : vector<2x4xf32>, vector<2xf32>
  func.return
}
func.func @masks(%m: memref<?xf32>, %i: index, %v: vector<4xf32>, %p: vector<4xi1>, %n: f32) {
  %0 = vector.constant_mask [2] : vector<4xi1>
  %1 = vector.mask %p { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %2 = vector.expandload %m[%i], %p, %v : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.compressstore %m[%i], %p, %v : memref<?xf32>, vector<4xi1>, vector<4xf32>
  func.return
}
func.func @scalable(%v: vector<[8]xi32>, %w: vector<4xi32>) -> index {
  %0 = vector.vscale
  %1 = vector.scalable.extract %v[4] : vector<4xi32> from vector<[8]xi32>
  %2 = vector.scalable.insert %w, %v[0] : vector<4xi32> into vector<[8]xi32>
  func.return %0 : index
}
func.func @copies(%a: memref<4xf32>, %b: memref<?xf32>, %n: index, %f: f32) {
  %0 = memref.cast %a : memref<4xf32> to memref<?xf32>
  memref.copy %0, %b : memref<?xf32> to memref<?xf32>
  %1 = memref.rank %b : memref<?xf32>
  %2 = memref.extract_aligned_pointer_as_index %b : memref<?xf32> -> index
  %3 = memref.memory_space_cast %a : memref<4xf32> to memref<4xf32, 1 : i64>
  memref.alloca_scope {
    %4 = memref.alloca() : memref<4xf32>
  }
  %5 = memref.alloca_scope -> (f32) {
    memref.alloca_scope.return %f : f32
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    memref.store %f, %b[%i] : memref<?xf32>
  }
  %6 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%f) -> (f32) {
    scf.reduce(%f : f32) {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      scf.reduce.return %z : f32
    }
  }
  func.return
}
func.func @indices(%m: memref<?x?xf32>, %n: index, %v: f32) -> index {
  affine.for %i = 0 to 4 {
    %0 = affine.load %m[%i + symbol(%n) * 2, %i mod 3] : memref<?x?xf32>
    affine.store %0, %m[%i, 0] : memref<?x?xf32>
    affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0)>(%i)[%n] {
      affine.store %v, %m[%i, %i] : memref<?x?xf32>
    } else {
      affine.store %v, %m[0, symbol(%n)] : memref<?x?xf32>
    }
  }
  %1 = affine.max affine_map<(d0)[s0] -> (d0, (s0 + 4))> (%n)[%n]
  %2, %3 = affine.delinearize_index %1 into (%n, 8) : index, index
  %4 = affine.linearize_index disjoint [%2, %3] by (8) : index
  %5 = affine.linearize_index [%2, %4] by (%n, 8) : index
  func.return %5 : index
}
func.func @tiles(%x: tensor<16x8xf32>, %o: tensor<4x2x4x4xf32>, %p: f32, %n: index, %d: tensor<?x2x?x4xf32>) -> tensor<16x8xf32> {
  %0 = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %o : tensor<16x8xf32> -> tensor<4x2x4x4xf32>
  %1 = linalg.pack %x padding_value(%p : f32) outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [%n, 4] into %d : tensor<16x8xf32> -> tensor<?x2x?x4xf32>
  %2 = linalg.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %x : tensor<4x2x4x4xf32> -> tensor<16x8xf32>
  func.return %2 : tensor<16x8xf32>
}
func.func @spaces(%m: memref<4 x ? x f32>, %t: tensor<2 x vector<4xf32>>) {
  func.return
}

// CHECK:        func.func @shapes(%a: vector<2x3xf32>, %b: vector<4x4xf32>, %c: vector<2x2xf32>) -> vector<3x2xf32> {
// CHECK-NEXT:     %0 = vector.shape_cast %a : vector<2x3xf32> to vector<6xf32>
// CHECK-NEXT:     %1 = vector.transpose %a, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
// CHECK-NEXT:     %2 = vector.extract_strided_slice %b {offsets = [1 : i64, 1 : i64], sizes = [2 : i64, 2 : i64], strides = [1 : i64, 1 : i64]} : vector<4x4xf32> to vector<2x2xf32>
// CHECK-NEXT:     %3 = vector.insert_strided_slice %c, %b {offsets = [2 : i64, 2 : i64], strides = [1 : i64, 1 : i64]} : vector<2x2xf32> into vector<4x4xf32>
// CHECK-NEXT:     func.return %1 : vector<3x2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @elements(%a: vector<2xf32>, %b: vector<2xf32>) {
// CHECK-NEXT:     %0, %1 = vector.to_elements %a : vector<2xf32>
// CHECK-NEXT:     %2 = vector.interleave %a, %b : vector<2xf32> -> vector<4xf32>
// CHECK-NEXT:     %3, %4 = vector.deinterleave %2 : vector<4xf32> -> vector<2xf32>
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @combined(%a: vector<2x4xf32>, %b: vector<4x3xf32>, %c: vector<2x3xf32>, %s: vector<2xf32>, %n: f32) {
// CHECK-NEXT:     %0 = vector.multi_reduction <add>, %a, %s [1] : vector<2x4xf32> to vector<2xf32>
// CHECK-NEXT:     %1 = vector.multi_reduction <maximumf>, %a, %n [0, 1] : vector<2x4xf32> to f32
// CHECK-NEXT:     %2 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<2x4xf32>, vector<4x3xf32> into vector<2x3xf32>
// CHECK-NEXT:     %3 = vector.outerproduct %s, %s : vector<2xf32>, vector<2xf32>
// CHECK-NEXT:     %4 = vector.outerproduct %s, %s, %3 {kind = #vector.kind<maxnumf>} : vector<2xf32>, vector<2xf32>
// CHECK-NEXT:     %5, %6 = vector.scan <add>, %a, %s {inclusive = true, reduction_dim = 1 : i64} : vector<2x4xf32>, vector<2xf32>
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @masks(%m: memref<?xf32>, %i: index, %v: vector<4xf32>, %p: vector<4xi1>, %n: f32) {
// CHECK-NEXT:     %0 = vector.constant_mask [2] : vector<4xi1>
// CHECK-NEXT:     %1 = vector.mask %p { %2 = vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
// CHECK-NEXT:     %3 = vector.expandload %m[%i], %p, %v : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
// CHECK-NEXT:     vector.compressstore %m[%i], %p, %v : memref<?xf32>, vector<4xi1>, vector<4xf32>
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @scalable(%v: vector<[8]xi32>, %w: vector<4xi32>) -> index {
// CHECK-NEXT:     %0 = vector.vscale
// CHECK-NEXT:     %1 = vector.scalable.extract %v[4] : vector<4xi32> from vector<[8]xi32>
// CHECK-NEXT:     %2 = vector.scalable.insert %w, %v[0] : vector<4xi32> into vector<[8]xi32>
// CHECK-NEXT:     func.return %0 : index
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @copies(%a: memref<4xf32>, %b: memref<?xf32>, %n: index, %f: f32) {
// CHECK-NEXT:     %0 = memref.cast %a : memref<4xf32> to memref<?xf32>
// CHECK-NEXT:     memref.copy %0, %b : memref<?xf32> to memref<?xf32>
// CHECK-NEXT:     %1 = memref.rank %b : memref<?xf32>
// CHECK-NEXT:     %2 = memref.extract_aligned_pointer_as_index %b : memref<?xf32> -> index
// CHECK-NEXT:     %3 = memref.memory_space_cast %a : memref<4xf32> to memref<4xf32, 1 : i64>
// CHECK-NEXT:     memref.alloca_scope {
// CHECK-NEXT:       %4 = memref.alloca() : memref<4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     %5 = memref.alloca_scope -> (f32) {
// CHECK-NEXT:       memref.alloca_scope.return %f : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
// CHECK-NEXT:       memref.store %f, %b[%i] : memref<?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     %6 = scf.parallel (%i_1) = (%c0) to (%n) step (%c1) init (%f) -> (f32) {
// CHECK-NEXT:       scf.reduce(%f : f32) {
// CHECK-NEXT:       ^bb0(%x: f32, %y: f32):
// CHECK-NEXT:         %z = arith.addf %x, %y : f32
// CHECK-NEXT:         scf.reduce.return %z : f32
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @indices(%m: memref<?x?xf32>, %n: index, %v: f32) -> index {
// CHECK-NEXT:     affine.for %i = 0 to 4 {
// CHECK-NEXT:       %0 = affine.load %m[%i + symbol(%n) * 2, %i mod 3] : memref<?x?xf32>
// CHECK-NEXT:       affine.store %0, %m[%i, 0] : memref<?x?xf32>
// CHECK-NEXT:       affine.if affine_set<(d0)[s0] : ((d0 + (s0 * -1)) >= 0)>(%i)[%n] {
// CHECK-NEXT:         affine.store %v, %m[%i, %i] : memref<?x?xf32>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         affine.store %v, %m[0, symbol(%n)] : memref<?x?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     %1 = affine.max affine_map<(d0)[s0] -> (d0, (s0 + 4))> (%n)[%n]
// CHECK-NEXT:     %2, %3 = affine.delinearize_index %1 into (%n, 8) : index, index
// CHECK-NEXT:     %4 = affine.linearize_index disjoint [%2, %3] by (8) : index
// CHECK-NEXT:     %5 = affine.linearize_index [%2, %4] by (%n, 8) : index
// CHECK-NEXT:     func.return %5 : index
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @tiles(%x: tensor<16x8xf32>, %o: tensor<4x2x4x4xf32>, %p: f32, %n: index, %d: tensor<?x2x?x4xf32>) -> tensor<16x8xf32> {
// CHECK-NEXT:     %0 = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %o : tensor<16x8xf32> -> tensor<4x2x4x4xf32>
// CHECK-NEXT:     %1 = linalg.pack %x padding_value(%p : f32) outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [%n, 4] into %d : tensor<16x8xf32> -> tensor<?x2x?x4xf32>
// CHECK-NEXT:     %2 = linalg.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %x : tensor<4x2x4x4xf32> -> tensor<16x8xf32>
// CHECK-NEXT:     func.return %2 : tensor<16x8xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @spaces(%m: memref<4x?xf32>, %t: tensor<2xvector<4xf32>>) {
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
