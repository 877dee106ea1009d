// RUN: hologram-opt %s -p flatten-kernels | filecheck %s

// A function of the device takes memory of any space: the array of a lane is cast, first its size and then its space.

"gpu.module"() <{sym_name = "m"}> ({
  func.func private @next(%a: memref<4xi64>) {
    %c1 = arith.constant 1 : index
    %v = memref.load %a[%c1] : memref<4xi64>
    memref.store %v, %a[%c1] : memref<4xi64>
    func.return
  }
  "gpu.func"() <{function_type = (memref<4xi64>) -> ()}> ({
  ^bb0(%a: memref<4xi64>):
    %own = memref.alloca() : memref<4xi64>
    func.call @next(%own) : (memref<4xi64>) -> ()
    func.call @next(%a) : (memref<4xi64>) -> ()
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) {} : () -> ()

// CHECK:       func.func private @next(%a: memref<?xi64>
// CHECK:       gpu.func @k(%a: memref<?xi64>
// CHECK:         %[[OWN:.*]] = memref.alloca() : memref<4xi64, #gpu.address_space<private>>
// CHECK:         %[[SIZE:.*]] = memref.cast %[[OWN]] : memref<4xi64, #gpu.address_space<private>> to memref<?xi64, #gpu.address_space<private>>
// CHECK:         %[[SPACE:.*]] = memref.memory_space_cast %[[SIZE]] : memref<?xi64, #gpu.address_space<private>> to memref<?xi64>
// CHECK:         func.call @next(%[[SPACE]]
// CHECK:         func.call @next(%a
