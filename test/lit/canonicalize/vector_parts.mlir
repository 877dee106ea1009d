// RUN: hologram-opt %s -p canonicalize | filecheck %s

// Parts of vectors come from where they were made.

func.func @parts(%v: vector<2x3xf32>, %a: f32, %b: f32) -> (f32, f32, vector<3xf32>) {
  %0 = vector.insert %a, %v[0, 1] : f32 into vector<2x3xf32>
  %1 = vector.transpose %0, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %2 = vector.insert %b, %1[2, 1] : f32 into vector<3x2xf32>
  %p = vector.extract %2[1, 0] : f32 from vector<3x2xf32>
  %q = vector.extract %2[2, 0] : f32 from vector<3x2xf32>
  %r = vector.extract %0[1] : vector<3xf32> from vector<2x3xf32>
  return %p, %q, %r : f32, f32, vector<3xf32>
}

// CHECK-LABEL: func.func @parts
// CHECK-NEXT:    [[Q:%\w+]] = vector.extract %v[0, 2] : f32 from vector<2x3xf32>
// CHECK-NEXT:    [[R:%\w+]] = vector.extract %v[1] : vector<3xf32> from vector<2x3xf32>
// CHECK-NEXT:    func.return %a, [[Q]], [[R]]

// A cast after a broadcast is a broadcast only where elements repeat in the same order.

func.func @broadcasts(%s: f32, %v: vector<2x1xf32>) -> (vector<2x6xf32>, vector<2x2x2xf32>) {
  %0 = vector.broadcast %s : f32 to vector<3x4xf32>
  %1 = vector.shape_cast %0 : vector<3x4xf32> to vector<2x6xf32>
  %2 = vector.broadcast %v : vector<2x1xf32> to vector<2x4xf32>
  %3 = vector.shape_cast %2 : vector<2x4xf32> to vector<2x2x2xf32>
  return %1, %3 : vector<2x6xf32>, vector<2x2x2xf32>
}

// CHECK-LABEL: func.func @broadcasts
// CHECK-NEXT:    vector.broadcast %s : f32 to vector<2x6xf32>
// CHECK-NEXT:    vector.broadcast %v : vector<2x1xf32> to vector<2x4xf32>
// CHECK-NEXT:    vector.shape_cast

// Constants, poison, and bits.

func.func @constants() -> (vector<3x2xi8>, i32, vector<2xi32>) {
  %0 = arith.constant dense<7> : vector<2xi8>
  %1 = vector.broadcast %0 : vector<2xi8> to vector<3x2xi8>
  %2 = ub.poison : vector<4xi32>
  %3 = vector.extract %2[1] : i32 from vector<4xi32>
  %4 = arith.constant dense<-1> : vector<4xi16>
  %5 = vector.bitcast %4 : vector<4xi16> to vector<2xi32>
  return %1, %3, %5 : vector<3x2xi8>, i32, vector<2xi32>
}

// CHECK-LABEL: func.func @constants
// CHECK-DAG:     arith.constant dense<7> : vector<3x2xi8>
// CHECK-DAG:     ub.poison : i32
// CHECK-DAG:     arith.constant dense<-1> : vector<2xi32>
