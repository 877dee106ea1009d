// RUN: hologram-opt %s -p canonicalize --allow-unregistered-dialect | filecheck %s

// Masks of constants, and accesses of all lanes or of none.

func.func @loads(%m: memref<?xf32>, %other: vector<4xf32>, %i: index) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %c4 = arith.constant 4 : index
  %c-1 = arith.constant -1 : index
  %all = vector.create_mask %c4 : vector<4xi1>
  %none = vector.create_mask %c-1 : vector<4xi1>
  %a = vector.maskedload %m[%i], %all, %other : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %b = vector.maskedload %m[%i], %none, %other : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %at = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
  %some = vector.create_mask %i : vector<4xi1>
  %c = vector.gather %m[%i] [%at], %some, %other : memref<?xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %m[%i], %none, %other : memref<?xf32>, vector<4xi1>, vector<4xf32>
  return %a, %b, %c : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// CHECK-LABEL: func.func @loads
// CHECK-NEXT:    [[A:%\w+]] = vector.load %m[%i] : memref<?xf32>, vector<4xf32>
// CHECK-NEXT:    [[SOME:%\w+]] = vector.create_mask %i : vector<4xi1>
// CHECK-NEXT:    [[C:%\w+]] = vector.maskedload %m[%i], [[SOME]], %other
// CHECK-NEXT:    func.return [[A]], %other, [[C]]

// A number of lanes of a scalable axis is not known to be all of them; a multiple of its scale is.

func.func @scalable() -> (vector<[4]xi1>, vector<[4]xi1>) {
  %c4 = arith.constant 4 : index
  %some = vector.create_mask %c4 : vector<[4]xi1>
  %scale = vector.vscale
  %n = arith.muli %scale, %c4 : index
  %all = vector.create_mask %n : vector<[4]xi1>
  return %some, %all : vector<[4]xi1>, vector<[4]xi1>
}

// CHECK-LABEL: func.func @scalable
// CHECK-DAG:     [[ALL:%\w+]] = arith.constant dense<true> : vector<[4]xi1>
// CHECK-DAG:     [[SOME:%\w+]] = vector.create_mask %{{\w+}} : vector<[4]xi1>
// CHECK:         func.return [[SOME]], [[ALL]]

// Where a mask is not set, a reduction keeps what was accumulated.

func.func @reduction(%v: vector<1xf32>, %acc: f32, %m: vector<1xi1>) -> f32 {
  %r = vector.mask %m { vector.reduction <add>, %v, %acc : vector<1xf32> into f32 } : vector<1xi1> -> f32
  return %r : f32
}

// CHECK-LABEL: func.func @reduction
// CHECK:         [[SUM:%\w+]] = arith.addf %{{\w+}}, %acc : f32
// CHECK-NEXT:    [[R:%\w+]] = arith.select %{{\w+}}, [[SUM]], %acc : f32
// CHECK-NEXT:    func.return [[R]]

// Neighbours along an axis whose stride is not 1 stay apart in memory.

func.func @strided(%m: memref<?xf32, strided<[?]>>, %some: vector<4xi1>, %other: vector<4xf32>, %i: index) -> vector<4xf32> {
  %at = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
  %r = vector.gather %m[%i] [%at], %some, %other : memref<?xf32, strided<[?]>>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %r : vector<4xf32>
}

// CHECK-LABEL: func.func @strided
// CHECK:         vector.gather %m[%i]
