// RUN: hologram-opt %s -t wgsl
// EXIT: 1
// ERROR: looks at memory as another type
// ERROR: \[device-refuses-views\]
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%n: index, %s: memref<64xi8, #gpu.address_space<workgroup>>):
    %v = memref.view %s[%n][] : memref<64xi8, #gpu.address_space<workgroup>> to memref<16xf32, #gpu.address_space<workgroup>>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel, workgroup_attributions = 1 : i64} : () -> ()
}) : () -> ()
