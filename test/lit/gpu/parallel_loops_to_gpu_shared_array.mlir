// RUN: hologram-opt %s -p convert-parallel-loops-to-gpu | filecheck %s

// An array of the host that the host itself copies to is memory of the device, though one launch alone uses it else.

func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %near = memref.alloca() : memref<8xf32>
  "memref.copy"(%x, %near) : (memref<8xf32>, memref<8xf32>) -> ()
  %v = memref.load %near[%c0] : memref<8xf32>
  memref.store %v, %y[%c0] : memref<8xf32>
  func.return
}

// CHECK:       %[[NEAR:.*]] = memref.alloc()
// CHECK:       memref.copy %{{.*}}, %[[NEAR]]
// CHECK:       gpu.launch
// CHECK:         memref.load %[[NEAR]]
// CHECK:       memref.dealloc %[[NEAR]]
