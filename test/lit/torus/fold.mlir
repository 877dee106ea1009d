// RUN: hologram-opt %s -p canonicalize --allow-unregistered-dialect | filecheck %s

// Every operation folds on constants, by the functions of hologram.torus.

%k = arith.constant -12345 : i64
%page = arith.constant 3 : i32
%byte = arith.constant 5 : i32
%c = torus.project %k : i64 to !torus.coord
%u = torus.project unsigned %k : i64 to !torus.coord
%l = torus.lift %c, %k : (!torus.coord, i64) -> i64
%m = torus.make %k, %page : (i64, i32) -> !torus.coord
%p = torus.page %m : !torus.coord to i32
%r = torus.resonance %m : !torus.coord to i32
%x = torus.pack %c : !torus.coord to i16
%y = torus.unpack %x : i16 to !torus.coord
%e = torus.phi_encode %page, %byte : i32
%d0, %d1 = torus.phi_decode %e : i32
%o = torus.offset %page, %byte : i32
"test.use"(%c, %u, %l, %m, %p, %r, %x, %y, %e, %d0, %d1, %o) : (!torus.coord, !torus.coord, i64, !torus.coord, i32, i32, i16, !torus.coord, i32, i32, i32, i32) -> ()
// CHECK-DAG: %n = arith.constant 3 : i8
// CHECK-DAG: %c = torus.constant (39, 39) : !torus.coord
// CHECK-DAG: %u = torus.constant (7, 7) : !torus.coord
// CHECK-DAG: %l = arith.constant -12345 : i64
// CHECK-DAG: %m = torus.constant (39, 3) : !torus.coord
// CHECK-DAG: %p = arith.constant 39 : i32
// CHECK-DAG: %r = arith.constant 3 : i32
// CHECK-DAG: %x = arith.constant 10023 : i16
// CHECK-DAG: %y = torus.constant (39, 39) : !torus.coord
// CHECK-DAG: %e = arith.constant 327683 : i32
// CHECK-DAG: %d1 = arith.constant 5 : i32
// CHECK-DAG: %o = arith.constant 773 : i32
// CHECK: "test.use"

%t = algebra.constant [5, 6, 0] : tensor<3x!algebra.residue<7>>
%q = algebra.project %k : i64 to !algebra.residue<7>
%n = algebra.value %q : !algebra.residue<7> to i8
%add = algebra.add %t, %t : tensor<3x!algebra.residue<7>>
%sub = algebra.sub %add, %t : tensor<3x!algebra.residue<7>>
%mul = algebra.mul %t, %t : tensor<3x!algebra.residue<7>>
%neg = algebra.neg %t : tensor<3x!algebra.residue<7>>
%scale = algebra.scale %k, %t : (i64, tensor<3x!algebra.residue<7>>) -> tensor<3x!algebra.residue<7>>
%sum = algebra.sum %t {axes = [0 : i64]} : tensor<3x!algebra.residue<7>> to tensor<!algebra.residue<7>>
%product = algebra.product %t {axes = [0 : i64]} : tensor<3x!algebra.residue<7>> to tensor<!algebra.residue<7>>
%matrix = algebra.constant [1, 2, 3, 4] : tensor<2x2x!algebra.residue<7>>
%matmul = algebra.matmul %matrix, %matrix : tensor<2x2x!algebra.residue<7>>
%linear = algebra.convolve %t, %t : (tensor<3x!algebra.residue<7>>, tensor<3x!algebra.residue<7>>) -> tensor<5x!algebra.residue<7>>
%circular = algebra.convolve circular %t, %t : tensor<3x!algebra.residue<7>>
"test.use"(%n, %add, %sub, %mul, %neg, %scale, %sum, %product, %matmul, %linear, %circular) : (i8, tensor<3x!algebra.residue<7>>, tensor<3x!algebra.residue<7>>, tensor<3x!algebra.residue<7>>, tensor<3x!algebra.residue<7>>, tensor<3x!algebra.residue<7>>, tensor<!algebra.residue<7>>, tensor<!algebra.residue<7>>, tensor<2x2x!algebra.residue<7>>, tensor<5x!algebra.residue<7>>, tensor<3x!algebra.residue<7>>) -> ()
// CHECK-DAG: %add = algebra.constant [3, 5, 0]
// CHECK-DAG: %sub = algebra.constant [5, 6, 0]
// CHECK-DAG: %mul = algebra.constant [4, 1, 0]
// CHECK-DAG: %neg = algebra.constant [2, 1, 0]
// CHECK-DAG: %scale = algebra.constant [1, 4, 0]
// CHECK-DAG: %sum = algebra.constant 4 : tensor<!algebra.residue<7>>
// CHECK-DAG: %product = algebra.constant 0 : tensor<!algebra.residue<7>>
// CHECK-DAG: %matmul = algebra.constant [0, 3, 1, 1]
// CHECK-DAG: %linear = algebra.constant [4, 4, 1, 0, 0]
// CHECK-DAG: %circular = algebra.constant [4, 4, 1]
