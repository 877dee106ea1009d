// RUN: hologram-opt %s -p flatten-kernels | filecheck %s

// A scalar of more than 64 bits is passed as limbs; sizes still come behind the arguments.

// CHECK: func.func @f
// CHECK: [[LOW:%.*]] = arith.trunci %n : i128 to i64
// CHECK: [[AMOUNT:%.*]] = arith.constant 64 : i128
// CHECK: [[TOP:%.*]] = arith.shrui %n, [[AMOUNT]] : i128
// CHECK: [[HIGH:%.*]] = arith.trunci [[TOP]] : i128 to i64
// CHECK: gpu.launch_func {{.*}} args([[LOW]] : i64, [[HIGH]] : i64, %{{.*}}, %{{.*}})
// CHECK: gpu.func @k(%n: i64, %n_1: i64, %a: memref<?xi128> {hologram.access = "write"}, %a_size: index)
// CHECK: [[LOW:%.*]] = arith.extui %n : i64 to i128
// CHECK: [[HIGH:%.*]] = arith.extui %n_1 : i64 to i128
// CHECK: [[TOP:%.*]] = arith.shli [[HIGH]], %{{.*}} : i128
// CHECK: [[WHOLE:%.*]] = arith.ori [[LOW]], [[TOP]] : i128
// CHECK: memref.store [[WHOLE]], %a[%{{.*}}] : memref<?xi128>
builtin.module attributes {gpu.container_module} {
  func.func @f(%n: i128, %a: memref<?x?xi128>) {
    %one = arith.constant 1 : index
    "gpu.launch_func"(%one, %one, %one, %one, %one, %one, %n, %a) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 2, 0>}> : (index, index, index, index, index, index, i128, memref<?x?xi128>) -> ()
    func.return
  }
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = (i128, memref<?x?xi128>) -> ()}> ({
    ^bb0(%n: i128, %a: memref<?x?xi128>):
      %i = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      memref.store %n, %a[%i, %i] : memref<?x?xi128>
      "gpu.return"() : () -> ()
    }) {sym_name = "k", gpu.kernel} : () -> ()
  }) : () -> ()
}
