// RUN: hologram-opt %s --print-op-generic | filecheck %s

// What has upstream's default is not said.

// CHECK:      objects = [#gpu.object<#nvvm.target, assembly = "a">]
// CHECK-SAME: offloadingHandler = #gpu.select_object
// CHECK:      objects = [#gpu.object<#nvvm.target<O = 3, chip = "sm_90", features = "+ptx80">, bin = "b">]

"gpu.binary"() <{sym_name = "m", objects = [#gpu.object<#nvvm.target<O = 2, chip = "sm_50">, assembly = "a">], offloadingHandler = #gpu.select_object}> : () -> ()
"gpu.binary"() <{sym_name = "n", objects = [#gpu.object<#nvvm.target<features = "+ptx80", chip = "sm_90", O = 3>, bin = "b">], offloadingHandler = #gpu.select_object}> : () -> ()
