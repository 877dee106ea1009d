// RUN: hologram-opt %s -p outline-gpu-kernels
// EXIT: 1
// ERROR: :6:3: error: a launch with tokens, clusters or buffers among the arguments of its body.* \[gpu-launch-form\]

func.func @f(%i: index) {
  gpu.launch blocks(%b, %b1, %b2) in (%b3 = %i, %b4 = %i, %b5 = %i)
      threads(%l, %l1, %l2) in (%l3 = %i, %l4 = %i, %l5 = %i)
      workgroup(%s: memref<8xf32, #gpu.address_space<workgroup>>) {
    gpu.terminator
  }
  func.return
}
