// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | filecheck %s --check-prefix GENERIC

// Predicates in quotes, rounding modes, and flags of arith, and weights of branches.

func.func @f(%a: f32, %i: i32, %v: vector<4xf32>, %p: i1) {
  %0 = arith.truncf %a toward_zero fastmath<contract> : f32 to bf16
  %1 = arith.extf %a fastmath<contract> {q} : f32 to f64
  %2 = arith.shrui %i, %i exact : i32
  %3 = arith.divsi %i, %i exact {a = 1 : i32} : i32
  %4 = arith.trunci %i overflow<nsw> : i32 to i8
  %5 = arith.cmpi "sle", %i, %i {q = 1 : i32} : i32
  %6 = arith.cmpf "one", %v, %v fastmath<ninf,nnan> : vector<4xf32>
  %7 = arith.shrui %i, %i : i32
  cf.cond_br %p weights([60, 40]), ^bb1(%i : i32), ^bb2
^bb1(%z: i32):
  func.return
^bb2:
  func.return
}
// CHECK:         %0 = arith.truncf %a toward_zero fastmath<contract> : f32 to bf16
// CHECK-NEXT:    %1 = arith.extf %a fastmath<contract> {q} : f32 to f64
// CHECK-NEXT:    %2 = arith.shrui %i, %i exact : i32
// CHECK-NEXT:    %3 = arith.divsi %i, %i exact {a = 1 : i32} : i32
// CHECK-NEXT:    %4 = arith.trunci %i overflow<nsw> : i32 to i8
// CHECK-NEXT:    %5 = arith.cmpi sle, %i, %i {q = 1 : i32} : i32
// CHECK-NEXT:    %6 = arith.cmpf one, %v, %v fastmath<nnan,ninf> : vector<4xf32>
// CHECK-NEXT:    %7 = arith.shrui %i, %i : i32
// CHECK-NEXT:    cf.cond_br %p weights([60, 40]), ^bb1(%i : i32), ^bb2
// GENERIC:       "arith.truncf"(%a) <{roundingmode = 3 : i32, fastmath = #arith.fastmath<contract>}> : (f32) -> bf16
// GENERIC:       "arith.divsi"(%i, %i) <{isExact}> {a = 1 : i32} : (i32, i32) -> i32
// GENERIC:       <{operandSegmentSizes = array<i32: 1, 1, 0>, branch_weights = array<i32: 60, 40>}>
