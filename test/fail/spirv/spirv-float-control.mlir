// RUN: hologram-opt %s -p 'convert-gpu-to-spirv{float_controls=DenormPreserv:32}'
// EXIT: 1
// ERROR: 'DenormPreserv:32' is no execution mode of floats
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%i: index):
    
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
