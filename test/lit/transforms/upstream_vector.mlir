// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Accesses to tensors, printing, and casts of vectors in upstream's syntax.

func.func @f(%t: tensor<4xf32>, %i: index, %x: vector<4xindex>, %m: vector<4xi1>, %v: vector<4xf32>, %a: vector<2x4xf32>, %r: memref<4xvector<4xf32>>, %b: memref<16xf32>, %y: vector<2xindex>) {
  %0 = vector.scatter %t[%i] [%x], %m, %v : tensor<4xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> -> tensor<4xf32>
  %1 = vector.gather %t[%i] [%x], %m, %v : tensor<4xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %2 = vector.multi_reduction #vector.kind<add>, %a, %v [0] : vector<2x4xf32> to vector<4xf32>
  %3 = vector.load %r[%i] : memref<4xvector<4xf32>>, vector<4xf32>
  %4 = vector.type_cast %b : memref<16xf32> to memref<vector<16xf32>>
  %5 = vector.bitcast %y : vector<2xindex> to vector<4xi32>
  vector.print %v : vector<4xf32> punctuation <comma>
  vector.print str "text" {q}
  vector.print
  func.return
}
// CHECK:         vector.scatter %t[%i] [%x], %m, %v : tensor<4xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> -> tensor<4xf32>
// CHECK-NEXT:    vector.gather %t[%i] [%x], %m, %v : tensor<4xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
// CHECK-NEXT:    vector.multi_reduction <add>, %a, %v [0] : vector<2x4xf32> to vector<4xf32>
// CHECK-NEXT:    vector.load %r[%i] : memref<4xvector<4xf32>>, vector<4xf32>
// CHECK-NEXT:    vector.type_cast %b : memref<16xf32> to memref<vector<16xf32>>
// CHECK-NEXT:    vector.bitcast %y : vector<2xindex> to vector<4xi32>
// CHECK-NEXT:    vector.print %v : vector<4xf32> punctuation <comma>
// CHECK-NEXT:    vector.print str "text" {q}
// CHECK-NEXT:    vector.print{{$}}
