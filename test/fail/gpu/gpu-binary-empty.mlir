// RUN: hologram-opt %s -p cse
// EXIT: 1
// ERROR: gpu.binary 'm' holds no code
"gpu.binary"() <{sym_name = "m", objects = []}> : () -> ()
