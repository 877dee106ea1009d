// RUN: hologram-opt %s -t spirv -o /dev/null
// EXIT: 1
// ERROR: is made from one spirv.module, and there are 0

