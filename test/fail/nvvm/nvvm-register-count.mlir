// RUN: hologram-opt %s -p canonicalize
// EXIT: 1
// ERROR: 'nvvm.setmaxregister' sets 24 to 256 registers in steps of 8, not 100 \[nvvm-register-count\]

func.func @f() {
  "nvvm.setmaxregister"() <{regCount = 100 : i32, action = #nvvm<action increase>}> : () -> ()
  func.return
}
