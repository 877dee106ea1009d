// RUN: hologram-opt %s -p 'schedule-atlas{target=gpu},canonicalize,cse' | filecheck %s

// A row is loaded once and kept in shared memory; a size known to fit makes one launch.

func.func @softmax(%x: memref<8x100xf32>, %y: memref<8x100xf32>) {
  atlas.softmax ins(%x : memref<8x100xf32>) outs(%y : memref<8x100xf32>) {axis = 1 : i64}
  func.return
}

// CHECK:       gpu.launch
// CHECK:         [[ROW:%.*]] = memref.alloca() : memref<100xf32, #gpu.address_space<workgroup>>
// CHECK:         [[X:%.*]] = memref.load %x
// CHECK:         memref.store [[X]], [[ROW]]
// CHECK-NOT:     memref.load %x
// CHECK:         gpu.barrier
// CHECK:         [[E:%.*]] = atlas.exp f32
// CHECK-NEXT:    memref.store [[E]], [[ROW]]
// CHECK:         gpu.barrier
// CHECK:         atlas.div f32
// CHECK-NEXT:    memref.store %{{.*}}, %y
// CHECK-NOT:   gpu.launch
