; Made of half_floats.c by 'make native'.
target datalayout = "e-m:w-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-windows-msvc"

define dso_local float @__extendhfsf2(half noundef %0) local_unnamed_addr #0 {
  %2 = bitcast half %0 to i16
  %3 = zext i16 %2 to i32
  %4 = shl nuw nsw i32 %3, 13
  %5 = and i32 %4, 268427264
  %6 = bitcast i32 %5 to float
  %7 = fmul float %6, 0x46F0000000000000
  %8 = bitcast float %7 to i32
  %9 = and i32 %3, 31744
  %10 = icmp eq i32 %9, 31744
  %11 = or i32 %4, 2139095040
  %12 = select i1 %10, i32 %11, i32 %8
  %13 = sext i16 %2 to i32
  %14 = and i32 %13, -2147483648
  %15 = or disjoint i32 %12, %14
  %16 = bitcast i32 %15 to float
  ret float %16
}

define dso_local half @__truncsfhf2(float noundef %0) local_unnamed_addr #0 {
  %2 = bitcast float %0 to i32
  %3 = tail call float @llvm.fabs.f32(float %0)
  %4 = bitcast float %3 to i32
  %5 = lshr i32 %4, 13
  %6 = and i32 %5, 1
  %7 = add nsw i32 %4, -939520001
  %8 = add nuw nsw i32 %7, %6
  %9 = lshr i32 %8, 13
  %10 = fadd float %3, 5.000000e-01
  %11 = bitcast float %10 to i32
  %12 = icmp samesign ult i32 %4, 947912704
  %13 = select i1 %12, i32 %11, i32 %9
  %14 = icmp samesign ugt i32 %4, 1199570943
  %15 = select i1 %14, i32 31744, i32 %13
  %16 = icmp samesign ugt i32 %4, 2139095040
  %17 = and i32 %5, 511
  %18 = or disjoint i32 %17, 32256
  %19 = select i1 %16, i32 %18, i32 %15
  %20 = lshr i32 %2, 16
  %21 = and i32 %20, 32768
  %22 = or i32 %19, %21
  %23 = trunc i32 %22 to i16
  %24 = bitcast i16 %23 to half
  ret half %24
}

define dso_local bfloat @__truncsfbf2(float noundef %0) local_unnamed_addr #0 {
  %2 = bitcast float %0 to i32
  %3 = lshr i32 %2, 16
  %4 = fcmp uno float %0, 0.000000e+00
  br i1 %4, label %5, label %7

5:                                                ; preds = %1
  %6 = or i32 %3, 64
  br label %12

7:                                                ; preds = %1
  %8 = and i32 %3, 1
  %9 = add i32 %2, 32767
  %10 = add i32 %9, %8
  %11 = lshr i32 %10, 16
  br label %12

12:                                               ; preds = %7, %5
  %13 = phi i32 [ %6, %5 ], [ %11, %7 ]
  %14 = trunc nuw i32 %13 to i16
  %15 = bitcast i16 %14 to bfloat
  ret bfloat %15
}

define dso_local half @__truncdfhf2(double noundef %0) local_unnamed_addr #0 {
  %2 = fptrunc double %0 to float
  %3 = fpext float %2 to double
  %4 = fcmp oeq double %0, %3
  %5 = fcmp uno double %0, 0.000000e+00
  %6 = or i1 %5, %4
  br i1 %6, label %16, label %7

7:                                                ; preds = %1
  %8 = bitcast float %2 to i32
  %9 = tail call double @llvm.fabs.f64(double %3)
  %10 = tail call double @llvm.fabs.f64(double %0)
  %11 = fcmp ogt double %9, %10
  %12 = sext i1 %11 to i32
  %13 = add i32 %12, %8
  %14 = or i32 %13, 1
  %15 = bitcast i32 %14 to float
  br label %16

16:                                               ; preds = %1, %7
  %17 = phi float [ %15, %7 ], [ %2, %1 ]
  %18 = bitcast float %17 to i32
  %19 = tail call float @llvm.fabs.f32(float %17)
  %20 = bitcast float %19 to i32
  %21 = lshr i32 %20, 13
  %22 = and i32 %21, 1
  %23 = add nsw i32 %20, -939520001
  %24 = add nuw nsw i32 %23, %22
  %25 = lshr i32 %24, 13
  %26 = fadd float %19, 5.000000e-01
  %27 = bitcast float %26 to i32
  %28 = icmp samesign ult i32 %20, 947912704
  %29 = select i1 %28, i32 %27, i32 %25
  %30 = icmp samesign ugt i32 %20, 1199570943
  %31 = select i1 %30, i32 31744, i32 %29
  %32 = icmp samesign ugt i32 %20, 2139095040
  %33 = and i32 %21, 511
  %34 = or disjoint i32 %33, 32256
  %35 = select i1 %32, i32 %34, i32 %31
  %36 = lshr i32 %18, 16
  %37 = and i32 %36, 32768
  %38 = or i32 %35, %37
  %39 = trunc i32 %38 to i16
  %40 = bitcast i16 %39 to half
  ret half %40
}

define dso_local bfloat @__truncdfbf2(double noundef %0) local_unnamed_addr #0 {
  %2 = fptrunc double %0 to float
  %3 = fpext float %2 to double
  %4 = fcmp oeq double %0, %3
  %5 = fcmp uno double %0, 0.000000e+00
  %6 = or i1 %5, %4
  br i1 %6, label %16, label %7

7:                                                ; preds = %1
  %8 = bitcast float %2 to i32
  %9 = tail call double @llvm.fabs.f64(double %3)
  %10 = tail call double @llvm.fabs.f64(double %0)
  %11 = fcmp ogt double %9, %10
  %12 = sext i1 %11 to i32
  %13 = add i32 %12, %8
  %14 = or i32 %13, 1
  %15 = bitcast i32 %14 to float
  br label %16

16:                                               ; preds = %1, %7
  %17 = phi float [ %15, %7 ], [ %2, %1 ]
  %18 = bitcast float %17 to i32
  %19 = lshr i32 %18, 16
  %20 = fcmp uno float %17, 0.000000e+00
  br i1 %20, label %21, label %23

21:                                               ; preds = %16
  %22 = or i32 %19, 64
  br label %28

23:                                               ; preds = %16
  %24 = and i32 %19, 1
  %25 = add i32 %18, 32767
  %26 = add i32 %25, %24
  %27 = lshr i32 %26, 16
  br label %28

28:                                               ; preds = %21, %23
  %29 = phi i32 [ %22, %21 ], [ %27, %23 ]
  %30 = trunc nuw i32 %29 to i16
  %31 = bitcast i16 %30 to bfloat
  ret bfloat %31
}

declare double @llvm.fabs.f64(double) #1

declare float @llvm.fabs.f32(float) #2

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable "no-builtins" "no-stack-arg-probe" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
