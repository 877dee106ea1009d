// RUN: hologram-opt %s -p embed-wasm | filecheck %s

// The function becomes WebAssembly in a constant. What is left has the device start it with the same arguments; a wide
// integer comes by its address and goes on so.
llvm.func @scale(%x: !llvm.ptr, %n: i64, %by: !llvm.ptr) attributes {hologram.entry = "{\"version\":1,\"name\":\"scale\",\"symbol\":\"scale\",\"arguments\":[{\"name\":\"x\",\"kind\":\"buffer\",\"dtype\":\"f32\",\"shape\":[null],\"strides\":null,\"access\":\"read\",\"result\":null},{\"name\":\"by\",\"kind\":\"scalar\",\"dtype\":\"u128\"}],\"constraints\":[],\"trap\":false,\"sites\":[],\"launch\":\"call\"}"} {
  llvm.return
}

// CHECK:      llvm.mlir.global external constant @hologram_device_code("\00asm
// CHECK-NEXT: llvm.mlir.global external @hologram_device_context(0 : i64) : i64
// CHECK-NEXT: llvm.func @hologram_device_launch(
// CHECK-NEXT: llvm.func @scale(%p0: !llvm.ptr, %p1: i64, %p2: !llvm.ptr) attributes {hologram.entry = "{{.*device.*wasm32.*}}
// CHECK:        llvm.store %p0, [[X:%.*]] : !llvm.ptr, !llvm.ptr
// CHECK:        llvm.store [[X]], %at0 : !llvm.ptr, !llvm.ptr
// CHECK:        llvm.store %p1, [[N:%.*]] : i64, !llvm.ptr
// CHECK:        llvm.store %p2, %at2 : !llvm.ptr, !llvm.ptr
// CHECK:        llvm.call @hologram_device_launch(
