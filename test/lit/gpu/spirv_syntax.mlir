// RUN: hologram-opt %s | hologram-opt | filecheck %s

// Each operation is printed as upstream prints it, and read again.

// CHECK: spirv.module @m Logical GLSL450 requires #spirv.vce<v1.0, [Shader, Linkage], [SPV_KHR_storage_buffer_storage_class]> attributes {a = 1 : i32} {
// CHECK: spirv.GlobalVariable @v initializer(@s2) {location = 0 : i32} : !spirv.ptr<f32, Private>
// CHECK: spirv.GlobalVariable @w bind(1, 2) {x = 1 : i32} : !spirv.ptr<f32, Private>
// CHECK: spirv.GlobalVariable @b built_in("WorkgroupId") : !spirv.ptr<vector<3xi32>, Input>
// CHECK: spirv.SpecConstant @s spec_id(5) = 42 : i32
// CHECK: spirv.SpecConstant @s2 = 1.500000e+00 : f32
// CHECK: spirv.SpecConstant @s3 = true
// CHECK: spirv.SpecConstantComposite @c (@s, @s) : !spirv.array<2 x i32>
// CHECK: spirv.EXT.SpecConstantCompositeReplicate @cr (@s) : !spirv.array<2 x i32>
// CHECK: spirv.func @ext(i32) -> i32 "Pure|Const" attributes {linkage_attributes = #spirv.linkage_attributes<linkage_name = "ext", linkage_type = <Import>>}
// CHECK: spirv.func @f(%{{[a-z0-9_]+}}: i32 {a.b}) -> (i32 {a.c}) "DontInline" attributes {k = 1 : i32} {
// CHECK: %{{[a-z0-9_]+}} = spirv.Constant 1 : i32
// CHECK: %{{[a-z0-9_]+}} = spirv.Constant dense<[1, 2]> : tensor<2xi32> : !spirv.array<2 x i32>
// CHECK: %{{[a-z0-9_]+}} = spirv.Constant [dense<3.000000e+00> : vector<2xf32>] : !spirv.array<1 x vector<2xf32>>
// CHECK: %{{[a-z0-9_]+}} = spirv.Constant dense<[1, 2]> : vector<2xi32>
// CHECK: %{{[a-z0-9_]+}} = spirv.EXT.ConstantCompositeReplicate [1 : i32] : vector<2xi32>
// CHECK: %{{[a-z0-9_]+}} = spirv.mlir.loop control(Unroll) -> i32 {
// CHECK: spirv.Branch ^{{[a-z0-9]+}}(%{{[a-z0-9_]+}} : i32)
// CHECK: %{{[a-z0-9_]+}} = spirv.Constant true
// CHECK: spirv.BranchConditional %{{[a-z0-9_]+}} [1, 2], ^{{[a-z0-9]+}}, ^{{[a-z0-9]+}}(%{{[a-z0-9_]+}} : i32)
// CHECK: spirv.Branch ^{{[a-z0-9]+}}(%{{[a-z0-9_]+}} : i32)
// CHECK: spirv.mlir.merge %{{[a-z0-9_]+}} : i32
// CHECK: %{{[a-z0-9_]+}} = spirv.Variable init(%{{[a-z0-9_]+}}) {abc} : !spirv.ptr<i32, Function>
// CHECK: %{{[a-z0-9_]+}} = spirv.Variable : !spirv.ptr<i32, Function>
// CHECK: %{{[a-z0-9_]+}} = spirv.Load "Function" %{{[a-z0-9_]+}} ["Volatile|Aligned", 4] {k} : i32
// CHECK: spirv.Store "Function" %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} ["Aligned", 4] : i32
// CHECK: spirv.CopyMemory "Function" %{{[a-z0-9_]+}}, "Function" %{{[a-z0-9_]+}} ["Volatile"], ["Aligned", 4] : i32
// CHECK: spirv.ReturnValue %{{[a-z0-9_]+}} : i32
// CHECK: spirv.EntryPoint "GLCompute" @f, @v, @w
// CHECK: spirv.ExecutionMode @f "LocalSize", 1, 2, 3
// CHECK: %{{[a-z0-9_]+}} = spirv.AtomicIAdd <Device> <AcquireRelease|WorkgroupMemory> %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : !spirv.ptr<i32, Workgroup>
// CHECK: %{{[a-z0-9_]+}} = spirv.AtomicCompareExchange <Workgroup> <Release> <Acquire> %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : !spirv.ptr<i32, Workgroup>
// CHECK: %{{[a-z0-9_]+}} = spirv.AtomicIIncrement <Device> <None> %{{[a-z0-9_]+}} {k} : !spirv.ptr<i32, Workgroup>
// CHECK: %{{[a-z0-9_]+}} = spirv.EXT.AtomicFAdd <Device> <None> %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : !spirv.ptr<f32, Workgroup>
// CHECK: spirv.ControlBarrier <Workgroup>, <Device>, <Acquire|UniformMemory>
// CHECK: spirv.MemoryBarrier <Device>, <Acquire|UniformMemory> {k}
// CHECK: %{{[a-z0-9_]+}} = spirv.ShiftLeftLogical %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : i32, i16
// CHECK: %{{[a-z0-9_]+}} = spirv.BitFieldInsert %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : i32, i16, i16
// CHECK: %{{[a-z0-9_]+}} = spirv.BitFieldSExtract %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : i32, i16, i16
// CHECK: %{{[a-z0-9_]+}} = spirv.IEqual %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : vector<4xi32>
// CHECK: %{{[a-z0-9_]+}} = spirv.ConvertFToS %{{[a-z0-9_]+}} : f32 to i32
// CHECK: %{{[a-z0-9_]+}} = spirv.CompositeConstruct %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : (f32, f32) -> vector<2xf32>
// CHECK: %{{[a-z0-9_]+}} = spirv.CompositeExtract %{{[a-z0-9_]+}}[1 : i32] : vector<4xf32>
// CHECK: %{{[a-z0-9_]+}} = spirv.CompositeInsert %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}[1 : i32] : f32 into vector<4xf32>
// CHECK: %{{[a-z0-9_]+}} = spirv.VectorExtractDynamic %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}] : vector<4xf32>, i32
// CHECK: %{{[a-z0-9_]+}} = spirv.VectorInsertDynamic %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}] : vector<4xf32>, i32
// CHECK: %{{[a-z0-9_]+}} = spirv.VectorShuffle [1 : i32, 3 : i32, -1 : i32] %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : vector<4xf32>, vector<4xf32> -> vector<3xf32>
// CHECK: %{{[a-z0-9_]+}} = spirv.VectorTimesScalar %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : (vector<4xf32>, f32) -> vector<4xf32>
// CHECK: %{{[a-z0-9_]+}} = spirv.MatrixTimesScalar %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : !spirv.matrix<3 x vector<3xf32>>, f32
// CHECK: %{{[a-z0-9_]+}} = spirv.MatrixTimesMatrix %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : !spirv.matrix<3 x vector<3xf32>>, !spirv.matrix<3 x vector<3xf32>> -> !spirv.matrix<3 x vector<3xf32>>
// CHECK: %{{[a-z0-9_]+}} = spirv.Transpose %{{[a-z0-9_]+}} : !spirv.matrix<3 x vector<3xf32>> -> !spirv.matrix<3 x vector<3xf32>>
// CHECK: %{{[a-z0-9_]+}} = spirv.MatrixTimesVector %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : !spirv.matrix<3 x vector<3xf32>>, vector<3xf32> -> vector<3xf32>
// CHECK: %{{[a-z0-9_]+}} = spirv.VectorTimesMatrix %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : vector<3xf32>, !spirv.matrix<3 x vector<3xf32>> -> vector<3xf32>
// CHECK: %{{[a-z0-9_]+}} = spirv.GL.FMix %{{[a-z0-9_]+}} : f32, %{{[a-z0-9_]+}} : f32, %{{[a-z0-9_]+}} : f32 -> f32
// CHECK: %{{[a-z0-9_]+}} = spirv.GL.Ldexp %{{[a-z0-9_]+}} : f32, %{{[a-z0-9_]+}} : i32 -> f32
// CHECK: %{{[a-z0-9_]+}} = spirv.GL.FrexpStruct %{{[a-z0-9_]+}} : f32 -> !spirv.struct<(f32, i32)>
// CHECK: %{{[a-z0-9_]+}} = spirv.GL.Distance %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : vector<4xf32>, vector<4xf32> -> f32
// CHECK: %{{[a-z0-9_]+}} = spirv.GL.Cross %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : vector<3xf32>
// CHECK: %{{[a-z0-9_]+}} = spirv.GL.Length %{{[a-z0-9_]+}} : vector<4xf32> -> f32
// CHECK: %{{[a-z0-9_]+}} = spirv.Dot %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : vector<4xf32> -> f32
// CHECK: %{{[a-z0-9_]+}} = spirv.SDot %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, <PackedVectorFormat4x8Bit> : i32 -> i32
// CHECK: %{{[a-z0-9_]+}} = spirv.SDotAccSat %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, <PackedVectorFormat4x8Bit> : i32 -> i32
// CHECK: %{{[a-z0-9_]+}} = spirv.IAddCarry %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : !spirv.struct<(i32, i32)>
// CHECK: %{{[a-z0-9_]+}} = spirv.GroupNonUniformFAdd <Workgroup> <Reduce> %{{[a-z0-9_]+}} : f32 -> f32
// CHECK: %{{[a-z0-9_]+}} = spirv.GroupNonUniformFAdd <Subgroup> <ClusteredReduce> %{{[a-z0-9_]+}} cluster_size(%{{[a-z0-9_]+}}) : f32, i32 -> f32
// CHECK: %{{[a-z0-9_]+}} = spirv.GroupNonUniformAll <Subgroup> %{{[a-z0-9_]+}} : i1
// CHECK: %{{[a-z0-9_]+}} = spirv.GroupNonUniformAllEqual <Subgroup> %{{[a-z0-9_]+}} : f32, i1
// CHECK: %{{[a-z0-9_]+}} = spirv.GroupNonUniformBallotBitCount <Subgroup> <Reduce> %{{[a-z0-9_]+}} : vector<4xi32> -> i32
// CHECK: %{{[a-z0-9_]+}} = spirv.GroupNonUniformBallotFindLSB <Subgroup> %{{[a-z0-9_]+}} : vector<4xi32>, i32
// CHECK: %{{[a-z0-9_]+}} = spirv.GroupNonUniformRotateKHR <Subgroup> %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : f32, i32 -> f32
// CHECK: %{{[a-z0-9_]+}} = spirv.GroupNonUniformRotateKHR <Workgroup> %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, cluster_size(%{{[a-z0-9_]+}}) : f32, i32, i32 -> f32
// CHECK: %{{[a-z0-9_]+}} = spirv.GroupNonUniformBallot <Workgroup> %{{[a-z0-9_]+}} : vector<4xi32>
// CHECK: %{{[a-z0-9_]+}} = spirv.INTEL.SubgroupBlockRead %{{[a-z0-9_]+}} : !spirv.ptr<i32, Workgroup> -> i32
// CHECK: %{{[a-z0-9_]+}} = spirv.CL.exp %{{[a-z0-9_]+}} : f32
// CHECK: %{{[a-z0-9_]+}} = spirv.CL.fma %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : f32
// CHECK: %{{[a-z0-9_]+}} = spirv.INTEL.ConvertFToBF16 %{{[a-z0-9_]+}} : f32 to i16
// CHECK: spirv.KHR.AssumeTrue %{{[a-z0-9_]+}}
// CHECK: %{{[a-z0-9_]+}} = spirv.GenericCastToPtr %{{[a-z0-9_]+}} : !spirv.ptr<f32, Generic> to !spirv.ptr<f32, CrossWorkgroup>
// CHECK: %{{[a-z0-9_]+}} = spirv.PtrCastToGeneric %{{[a-z0-9_]+}} : !spirv.ptr<f32, CrossWorkgroup> to !spirv.ptr<f32, Generic>
// CHECK: %{{[a-z0-9_]+}} = spirv.Unordered %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : f32
// CHECK: %{{[a-z0-9_]+}} = spirv.GroupNonUniformLogicalAnd <Workgroup> <Reduce> %{{[a-z0-9_]+}} : i1 -> i1
// CHECK: %{{[a-z0-9_]+}} = spirv.GL.FMix %{{[a-z0-9_]+}} : f32, %{{[a-z0-9_]+}} : f32, %{{[a-z0-9_]+}} : f32 -> f32
// CHECK: %{{[a-z0-9_]+}} = spirv.IsNan %{{[a-z0-9_]+}} : vector<4xf32>
// CHECK: %{{[a-z0-9_]+}} = spirv.IsNan %{{[a-z0-9_]+}} : vector<4xf32> {k}
// CHECK: %{{[a-z0-9_]+}} = spirv.GL.PackHalf2x16 %{{[a-z0-9_]+}} : vector<2xf32> -> i32
// CHECK: %{{[a-z0-9_]+}} = spirv.GL.UnpackHalf2x16 %{{[a-z0-9_]+}} : i32 -> vector<2xf32>
// CHECK: %{{[a-z0-9_]+}} = spirv.GL.Normalize %{{[a-z0-9_]+}} : vector<4xf32>
// CHECK: %{{[a-z0-9_]+}} = spirv.GL.Reflect %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : vector<4xf32>
// CHECK: %{{[a-z0-9_]+}} = spirv.AtomicIAdd <Device> <None> %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} {k} : !spirv.ptr<i32, Workgroup>
// CHECK: %{{[a-z0-9_]+}} = spirv.Ordered %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : f32
// CHECK: %{{[a-z0-9_]+}} = spirv.SDot %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, <PackedVectorFormat4x8Bit> : i32 -> i32
// CHECK: %{{[a-z0-9_]+}} = spirv.SDot %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : vector<4xi8> -> i32
// CHECK: %{{[a-z0-9_]+}} = spirv.SDotAccSat %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : vector<4xi8> -> i32
// CHECK: %{{[a-z0-9_]+}} = spirv.SDotAccSat %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, <PackedVectorFormat4x8Bit> : i32 -> i32
// CHECK: %{{[a-z0-9_]+}} = spirv.GenericCastToPtrExplicit %{{[a-z0-9_]+}} : !spirv.ptr<f32, Generic> to !spirv.ptr<f32, CrossWorkgroup>
// CHECK: %{{[a-z0-9_]+}} = spirv.ConvertPtrToU %{{[a-z0-9_]+}} : !spirv.ptr<f32, CrossWorkgroup> to i32
// CHECK: %{{[a-z0-9_]+}} = spirv.CL.printf %{{[a-z0-9_]+}} %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : !spirv.ptr<i8, UniformConstant>, i32, f32 -> i32
// CHECK: %{{[a-z0-9_]+}} = spirv.IsFinite %{{[a-z0-9_]+}} : f32
// CHECK: %{{[a-z0-9_]+}} = spirv.CL.sin %{{[a-z0-9_]+}} : f32
// CHECK: %{{[a-z0-9_]+}} = spirv.CL.mix %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : f32
// CHECK: %{{[a-z0-9_]+}} = spirv.CL.acos %{{[a-z0-9_]+}} : f32
// CHECK: %{{[a-z0-9_]+}} = spirv.CL.rint %{{[a-z0-9_]+}} : f32
// CHECK: %{{[a-z0-9_]+}} = spirv.CL.s_abs %{{[a-z0-9_]+}} : i32
// CHECK: %{{[a-z0-9_]+}} = spirv.CL.pow %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : f32
// CHECK: %{{[a-z0-9_]+}} = spirv.CL.atan2 %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : f32
// CHECK: %{{[a-z0-9_]+}} = spirv.GL.Asinh %{{[a-z0-9_]+}} : f32
// CHECK: %{{[a-z0-9_]+}} = spirv.GL.Acosh %{{[a-z0-9_]+}} : f32
// CHECK: %{{[a-z0-9_]+}} = spirv.GL.Atanh %{{[a-z0-9_]+}} : f32
// CHECK: spirv.INTEL.ControlBarrierArrive <Workgroup> <Device> <Acquire|UniformMemory>
// CHECK: %{{[a-z0-9_]+}} = spirv.KHR.CooperativeMatrixLength : !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>
// CHECK: %{{[a-z0-9_]+}} = spirv.KHR.CooperativeMatrixLoad %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, <RowMajor> : !spirv.ptr<i32, Workgroup>, i32 -> !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>
// CHECK: spirv.KHR.CooperativeMatrixStore %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, <RowMajor>, <Volatile> : !spirv.ptr<i32, Workgroup>, !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>, i32
// CHECK: %{{[a-z0-9_]+}} = spirv.KHR.CooperativeMatrixMulAdd %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>, !spirv.coopmatrix<16x8xi32, Subgroup, MatrixB> -> !spirv.coopmatrix<8x8xi32, Subgroup, MatrixAcc>
// CHECK: %{{[a-z0-9_]+}} = spirv.INTEL.ConvertBF16ToF %{{[a-z0-9_]+}} : i16 to f32
// CHECK: %{{[a-z0-9_]+}} = spirv.INTEL.RoundFToTF32 %{{[a-z0-9_]+}} : f32 to f32
// CHECK: %{{[a-z0-9_]+}} = spirv.Image %{{[a-z0-9_]+}} : !spirv.sampled_image<!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>>
// CHECK: %{{[a-z0-9_]+}} = spirv.ImageDrefGather %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : !spirv.sampled_image<!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>>, vector<4xf32>, f32 -> vector<4xf32>
// CHECK: %{{[a-z0-9_]+}} = spirv.ImageSampleImplicitLod %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : !spirv.sampled_image<!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>>, vector<4xf32> -> vector<4xf32>
// CHECK: %{{[a-z0-9_]+}} = spirv.ImageSampleExplicitLod %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} ["Lod"], %{{[a-z0-9_]+}} : !spirv.sampled_image<!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>>, vector<4xf32>, f32 -> vector<4xf32>
// CHECK: %{{[a-z0-9_]+}} = spirv.ImageQuerySize %{{[a-z0-9_]+}} : !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NoSampler, Unknown> -> vector<2xi32>
// CHECK: %{{[a-z0-9_]+}} = spirv.ImageRead %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NoSampler, Unknown>, vector<2xsi32> -> vector<4xf32>
// CHECK: spirv.ImageWrite %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NoSampler, Unknown>, vector<2xsi32>, vector<4xf32>
// CHECK: %{{[a-z0-9_]+}} = spirv.ImageFetch %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>, vector<2xsi32> -> vector<4xf32>
spirv.module @m Logical GLSL450 requires #spirv.vce<v1.0, [Shader, Linkage], [SPV_KHR_storage_buffer_storage_class]> attributes {a = 1 : i32} {
  spirv.GlobalVariable @v initializer(@s2) {location = 0 : i32} : !spirv.ptr<f32, Private>
  spirv.GlobalVariable @w bind(1, 2) {x = 1 : i32} : !spirv.ptr<f32, Private>
  spirv.GlobalVariable @b built_in("WorkgroupId") : !spirv.ptr<vector<3xi32>, Input>
  spirv.SpecConstant @s spec_id(5) = 42 : i32
  spirv.SpecConstant @s2 = 1.5 : f32
  spirv.SpecConstant @s3 = true
  spirv.SpecConstantComposite @c (@s, @s) : !spirv.array<2 x i32>
  spirv.EXT.SpecConstantCompositeReplicate @cr (@s) : !spirv.array<2 x i32>
  spirv.func @ext(i32) -> i32 "Pure|Const" attributes {linkage_attributes = #spirv.linkage_attributes<linkage_name = "ext", linkage_type = <Import>>}
  spirv.func @f(%x : i32 {a.b}) -> (i32 {a.c}) "DontInline" attributes {k = 1 : i32} {
    %k0 = spirv.Constant 1 : i32
    %1 = spirv.SpecConstantOperation wraps "spirv.IAdd"(%k0, %k0) : (i32, i32) -> i32
    %c = spirv.Constant dense<[1, 2]> : tensor<2xi32> : !spirv.array<2 x i32>
    %cc = spirv.Constant [dense<3.0> : vector<2xf32>] : !spirv.array<1 x vector<2xf32>>
    %v = spirv.Constant dense<[1, 2]> : vector<2xi32>
    %r = spirv.EXT.ConstantCompositeReplicate [1 : i32] : vector<2xi32>
    %l = spirv.mlir.loop control(Unroll) -> i32 {
      spirv.Branch ^h(%x : i32)
    ^h(%i : i32):
      %t = spirv.Constant true
      spirv.BranchConditional %t [1, 2], ^b, ^m(%i : i32)
    ^b:
      spirv.Branch ^h(%i : i32)
    ^m(%q : i32):
      spirv.mlir.merge %q : i32
    }
    %va = spirv.Variable init(%k0) {abc} : !spirv.ptr<i32, Function>
    %vb = spirv.Variable :  !spirv.ptr<i32, Function>
    %ld = spirv.Load "Function" %va ["Volatile|Aligned", 4] {k} : i32
    spirv.Store "Function" %va, %ld ["Aligned", 4] : i32
    spirv.CopyMemory "Function" %va, "Function" %vb ["Volatile"], ["Aligned", 4] : i32
    spirv.ReturnValue %l : i32
  }
  spirv.EntryPoint "GLCompute" @f, @v, @w
  spirv.ExecutionMode @f "LocalSize", 1, 2, 3
}
func.func @f(%p : !spirv.ptr<i32, Workgroup>, %pf : !spirv.ptr<f32, Workgroup>, %i : i32, %j: i64, %x : f32, %v : vector<4xf32>, %w : vector<4xi32>, %b : i1, %arr : !spirv.array<4 x f32>, %pa : !spirv.ptr<!spirv.array<4 x f32>, CrossWorkgroup>, %s : i16, %vb : vector<4xi1>, %m : !spirv.matrix<3 x vector<3xf32>>, %v2: vector<2xf32>, %vi8: vector<4xi8>, %ps : !spirv.ptr<i32, StorageBuffer>, %pfmt: !spirv.ptr<i8, UniformConstant>, %pp: !spirv.ptr<i32, TaskPayloadWorkgroupEXT>, %cm : !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>, %cmb : !spirv.coopmatrix<16x8xi32, Subgroup, MatrixB>, %cmc : !spirv.coopmatrix<8x8xi32, Subgroup, MatrixAcc>, %si: !spirv.sampled_image<!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>>, %im : !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NoSampler, Unknown>, %imf : !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>, %iv : vector<2xsi32>, %v3 : vector<3xf32>, %pg : !spirv.ptr<f32, Generic>, %pcw : !spirv.ptr<f32, CrossWorkgroup>) {
  %c4 = spirv.Constant 4 : i32
  %r0 = spirv.AtomicIAdd <Device> <AcquireRelease|WorkgroupMemory> %p, %i : !spirv.ptr<i32, Workgroup>
  %r1 = spirv.AtomicCompareExchange <Workgroup> <Release> <Acquire> %p, %i, %i : !spirv.ptr<i32, Workgroup>
  %r2 = spirv.AtomicIIncrement <Device> <None> %p {k} : !spirv.ptr<i32, Workgroup>
  %r3 = spirv.EXT.AtomicFAdd <Device> <None> %pf, %x : !spirv.ptr<f32, Workgroup>
  spirv.ControlBarrier <Workgroup>, <Device>, <Acquire|UniformMemory>
  spirv.MemoryBarrier <Device>, <Acquire|UniformMemory> {k}
  %r6 = spirv.ShiftLeftLogical %i, %s : i32, i16
  %r7 = spirv.BitFieldInsert %i, %i, %s, %s : i32, i16, i16
  %r8 = spirv.BitFieldSExtract %i, %s, %s : i32, i16, i16
  %r9 = spirv.IEqual %w, %w : vector<4xi32>
  %r10 = spirv.ConvertFToS %x : f32 to i32
  %r11 = spirv.CompositeConstruct %x, %x : (f32, f32) -> vector<2xf32>
  %r12 = spirv.CompositeExtract %v[1 : i32] : vector<4xf32>
  %r13 = spirv.CompositeInsert %x, %v[1 : i32] : f32 into vector<4xf32>
  %r14 = spirv.VectorExtractDynamic %v[%i] : vector<4xf32>, i32
  %r15 = spirv.VectorInsertDynamic %x, %v[%i] : vector<4xf32>, i32
  %r16 = spirv.VectorShuffle [1 : i32, 3 : i32, -1 : i32] %v, %v : vector<4xf32>, vector<4xf32> -> vector<3xf32>
  %r17 = spirv.VectorTimesScalar %v, %x : (vector<4xf32>, f32) -> vector<4xf32>
  %r18 = spirv.MatrixTimesScalar %m, %x : !spirv.matrix<3 x vector<3xf32>>, f32
  %r19 = spirv.MatrixTimesMatrix %m, %m : !spirv.matrix<3 x vector<3xf32>>, !spirv.matrix<3 x vector<3xf32>> -> !spirv.matrix<3 x vector<3xf32>>
  %r20 = spirv.Transpose %m : !spirv.matrix<3 x vector<3xf32>> -> !spirv.matrix<3 x vector<3xf32>>
  %r21 = spirv.MatrixTimesVector %m, %v3 : !spirv.matrix<3 x vector<3xf32>>, vector<3xf32> -> vector<3xf32>
  %r22 = spirv.VectorTimesMatrix %v3, %m : vector<3xf32>, !spirv.matrix<3 x vector<3xf32>> -> vector<3xf32>
  %r23 = spirv.GL.FMix %x : f32, %x : f32, %x : f32 -> f32
  %r24 = spirv.GL.Ldexp %x : f32, %i : i32 -> f32
  %r25 = spirv.GL.FrexpStruct %x : f32 -> !spirv.struct<(f32, i32)>
  %r26 = spirv.GL.Distance %v, %v : vector<4xf32>, vector<4xf32> -> f32
  %r27 = spirv.GL.Cross %v3, %v3 : vector<3xf32>
  %r28 = spirv.GL.Length %v : vector<4xf32> -> f32
  %r29 = spirv.Dot %v, %v : vector<4xf32> -> f32
  %r30 = spirv.SDot %i, %i, <PackedVectorFormat4x8Bit> : i32 -> i32
  %r31 = spirv.SDotAccSat %i, %i, %i, <PackedVectorFormat4x8Bit> : i32 -> i32
  %r32 = spirv.IAddCarry %i, %i : !spirv.struct<(i32, i32)>
  %r33 = spirv.GroupNonUniformFAdd <Workgroup> <Reduce> %x : f32 -> f32
  %r34 = spirv.GroupNonUniformFAdd <Subgroup> <ClusteredReduce> %x cluster_size(%c4) : f32, i32 -> f32
  %r35 = spirv.GroupNonUniformAll <Subgroup> %b : i1
  %r36 = spirv.GroupNonUniformAllEqual <Subgroup> %x : f32, i1
  %r37 = spirv.GroupNonUniformBallotBitCount <Subgroup> <Reduce> %w : vector<4xi32> -> i32
  %r38 = spirv.GroupNonUniformBallotFindLSB <Subgroup> %w : vector<4xi32>, i32
  %r39 = spirv.GroupNonUniformRotateKHR <Subgroup> %x, %i : f32, i32 -> f32
  %r40 = spirv.GroupNonUniformRotateKHR <Workgroup> %x, %i, cluster_size(%c4) : f32, i32, i32 -> f32
  %r41 = spirv.GroupNonUniformBallot <Workgroup> %b : vector<4xi32>
  %r42 = spirv.INTEL.SubgroupBlockRead %p : !spirv.ptr<i32, Workgroup> -> i32
  %r43 = spirv.CL.exp %x : f32
  %r44 = spirv.CL.fma %x, %x, %x : f32
  %r45 = spirv.INTEL.ConvertFToBF16 %x : f32 to i16
  spirv.KHR.AssumeTrue %b
  %r47 = spirv.GenericCastToPtr %pg : !spirv.ptr<f32, Generic> to !spirv.ptr<f32, CrossWorkgroup>
  %r48 = spirv.PtrCastToGeneric %pcw : !spirv.ptr<f32, CrossWorkgroup> to !spirv.ptr<f32, Generic>
  %r49 = spirv.Unordered %x, %x : f32
  %r50 = spirv.GroupNonUniformLogicalAnd <Workgroup> <Reduce> %b : i1 -> i1
  %r51 = spirv.GL.FMix %x : f32, %x : f32, %x : f32 -> f32
  %r52 = spirv.IsNan %v : vector<4xf32>
  %r53 = spirv.IsNan %v : vector<4xf32> {k}
  %r54 = spirv.GL.PackHalf2x16 %v2 : vector<2xf32> -> i32
  %r55 = spirv.GL.UnpackHalf2x16 %i : i32 -> vector<2xf32>
  %r56 = spirv.GL.Normalize %v : vector<4xf32>
  %r57 = spirv.GL.Reflect %v, %v : vector<4xf32>
  %r58 = spirv.AtomicIAdd <Device> <None> %p, %i {k} : !spirv.ptr<i32, Workgroup>
  %r59 = spirv.Ordered %x, %x : f32
  %r60 = spirv.SDot %i, %i, <PackedVectorFormat4x8Bit> : i32 -> i32
  %r61 = spirv.SDot %vi8, %vi8 : vector<4xi8> -> i32
  %r62 = spirv.SDotAccSat %vi8, %vi8, %i : vector<4xi8> -> i32
  %r63 = spirv.SDotAccSat %i, %i, %i, <PackedVectorFormat4x8Bit> : i32 -> i32
  %r64 = spirv.GenericCastToPtrExplicit %pg : !spirv.ptr<f32, Generic> to !spirv.ptr<f32, CrossWorkgroup>
  %r65 = spirv.ConvertPtrToU %pcw : !spirv.ptr<f32, CrossWorkgroup> to i32
  %r66 = spirv.CL.printf %pfmt %i, %x : !spirv.ptr<i8, UniformConstant>, i32, f32 -> i32
  %r67 = spirv.IsFinite %x : f32
  %r68 = spirv.CL.sin %x : f32
  %r69 = spirv.CL.mix %x, %x, %x : f32
  %r70 = spirv.CL.acos %x : f32
  %r71 = spirv.CL.rint %x : f32
  %r72 = spirv.CL.s_abs %i : i32
  %r73 = spirv.CL.pow %x, %x : f32
  %r74 = spirv.CL.atan2 %x, %x : f32
  %r75 = spirv.GL.Asinh %x : f32
  %r76 = spirv.GL.Acosh %x : f32
  %r77 = spirv.GL.Atanh %x : f32
  spirv.INTEL.ControlBarrierArrive <Workgroup> <Device> <Acquire|UniformMemory>
  %r79 = spirv.KHR.CooperativeMatrixLength : !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>
  %r80 = spirv.KHR.CooperativeMatrixLoad %p, %i, <RowMajor> : !spirv.ptr<i32, Workgroup>, i32 -> !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>
  spirv.KHR.CooperativeMatrixStore %p, %cm, %i, <RowMajor>, <Volatile> : !spirv.ptr<i32, Workgroup>, !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>, i32
  %r82 = spirv.KHR.CooperativeMatrixMulAdd %cm, %cmb, %cmc : !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>, !spirv.coopmatrix<16x8xi32, Subgroup, MatrixB> -> !spirv.coopmatrix<8x8xi32, Subgroup, MatrixAcc>
  %r83 = spirv.INTEL.ConvertBF16ToF %s : i16 to f32
  %r84 = spirv.INTEL.RoundFToTF32 %x : f32 to f32
  %r85 = spirv.Image %si : !spirv.sampled_image<!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>>
  %r86 = spirv.ImageDrefGather %si, %v, %x : !spirv.sampled_image<!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>>, vector<4xf32>, f32 -> vector<4xf32>
  %r87 = spirv.ImageSampleImplicitLod %si, %v : !spirv.sampled_image<!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>>, vector<4xf32> -> vector<4xf32>
  %r88 = spirv.ImageSampleExplicitLod %si, %v ["Lod"], %x : !spirv.sampled_image<!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>>, vector<4xf32>, f32 -> vector<4xf32>
  %r89 = spirv.ImageQuerySize %im : !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NoSampler, Unknown> -> vector<2xi32>
  %r90 = spirv.ImageRead %im, %iv : !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NoSampler, Unknown>, vector<2xsi32> -> vector<4xf32>
  spirv.ImageWrite %im, %iv, %v : !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NoSampler, Unknown>, vector<2xsi32>, vector<4xf32>
  %r92 = spirv.ImageFetch %imf, %iv : !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>, vector<2xsi32> -> vector<4xf32>
  return
}

// CHECK: spirv.Switch %{{[a-z]+}} : i32, [
// CHECK-NEXT: default: ^{{[a-z0-9]+}},
// CHECK-NEXT: 1: ^{{[a-z0-9]+}}(%{{[a-z]+}} : f32),
// CHECK-NEXT: -2: ^{{[a-z0-9]+}}
func.func @switch(%i : i32, %s : f32) -> f32 {
  spirv.Switch %i : i32, [ default: ^a, 1: ^b(%s : f32), -2: ^a]
^a:
  spirv.Kill
^b(%x : f32):
  return %x : f32
}

// A struct that points to itself, a matrix with its layout, and what a device has.
// CHECK: @types(!spirv.struct<a4, (!spirv.ptr<!spirv.struct<a4>, Uniform>)>,
// CHECK-SAME: !spirv.struct<(!spirv.matrix<3 x vector<3xf32>> [0, ColMajor, MatrixStride=16])>)
// CHECK-SAME: spirv.target_env = #spirv.target_env<#spirv.vce<v1.0, [Shader], []>, api=Vulkan, Qualcomm:IntegratedGPU:100925441, #spirv.resource_limits<subgroup_size = 64>>
func.func private @types(!spirv.struct<a4, (!spirv.ptr<!spirv.struct<a4>, Uniform>)>, !spirv.struct<(!spirv.matrix<3 x vector<3xf32>> [0, ColMajor, MatrixStride=16])>) attributes {
  spirv.target_env = #spirv.target_env<#spirv.vce<v1.0, [Shader], []>, api=Vulkan, Qualcomm:IntegratedGPU:0x6040001, #spirv.resource_limits<subgroup_size = 64, max_compute_shared_memory_size = 16384>>
}
