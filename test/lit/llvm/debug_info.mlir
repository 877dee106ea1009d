// RUN: hologram-opt %s | hologram-opt | filecheck %s
// RUN: hologram-opt %s --mlir-print-op-generic | hologram-opt | filecheck %s

// What debuggers are told of variables, and the types by which accesses are told apart.

#file = #llvm.di_file<"a.c" in "/home">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = true, emissionKind = Full>
#int = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#first = #llvm.di_derived_type<tag = DW_TAG_member, name = "first", baseType = #int, sizeInBits = 32>
#pair = #llvm.di_composite_type<tag = DW_TAG_structure_type, name = "pair", sizeInBits = 64, elements = #first, #first>
#function = #llvm.di_subprogram<compileUnit = #unit, scope = #file, name = "f", file = #file, subprogramFlags = "Definition|Optimized">
#variable = #llvm.di_local_variable<scope = #function, name = "x", file = #file, line = 10, alignInBits = 32, type = #pair>
#label = #llvm.di_label<scope = #function, name = "here", file = #file, line = 3>
#root = #llvm.tbaa_root<id = "Simple C/C++ TBAA">
#char = #llvm.tbaa_type_desc<id = "omnipotent char", members = {<#root, 0>}>
#struct = #llvm.tbaa_type_desc<id = "agg", members = {<#char, 0>, <#char, 8>}>
#tag = #llvm.tbaa_tag<base_type = #struct, access_type = #char, offset = 8>

// CHECK: llvm.func @f
llvm.func @f(%p: !llvm.ptr, %x: i32) {
  // CHECK: llvm.intr.dbg.value #llvm.di_local_variable<scope = #llvm.di_subprogram<compileUnit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C
  // CHECK-SAME: subprogramFlags = "Definition|Optimized">, name = "x"
  // CHECK-SAME: #llvm.di_expression<[DW_OP_deref, DW_OP_LLVM_fragment(32, 32)]> = %x : i32
  llvm.intr.dbg.value #variable #llvm.di_expression<[DW_OP_deref, DW_OP_LLVM_fragment(32, 32)]> = %x : i32 loc(fused<#function>["a.c":1:2])
  // CHECK: llvm.intr.dbg.declare #llvm.di_local_variable<
  // CHECK-SAME: elements = #llvm.di_derived_type<
  // CHECK-SAME: > = %p : !llvm.ptr
  llvm.intr.dbg.declare #variable = %p : !llvm.ptr
  // CHECK: llvm.intr.dbg.label #llvm.di_label<
  llvm.intr.dbg.label #label
  // CHECK: llvm.store %x, %p {tbaa = [#llvm.tbaa_tag<base_type = #llvm.tbaa_type_desc<id = "agg", members = {<#llvm.tbaa_type_desc<id = "omnipotent char", members = {<#llvm.tbaa_root<id = "Simple C/C++ TBAA">, 0>}>, 0>,
  llvm.store %x, %p {tbaa = [#tag]} : i32, !llvm.ptr
  llvm.return
}
