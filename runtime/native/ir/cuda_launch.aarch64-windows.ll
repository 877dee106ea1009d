; Made of cuda_launch.c by 'make native'.
target datalayout = "e-m:w-p270:32:32-p271:32:32-p272:64:64-p:64:64-i32:32-i64:64-i128:128-n32:64-S128-Fn32"
target triple = "aarch64-pc-windows-msvc"

%struct.kernel = type { ptr, i64, i64 }

define dso_local void @hologram_device_launch(ptr noundef %0, i32 noundef %1, i64 noundef %2, i64 noundef %3, i64 noundef %4, i64 noundef %5, i64 noundef %6, i64 noundef %7, i64 noundef %8, ptr noundef %9) local_unnamed_addr #0 {
  %11 = alloca [7 x i64], align 8
  %12 = load i64, ptr %0, align 8
  %13 = icmp eq i64 %12, 0
  br i1 %13, label %14, label %91

14:                                               ; preds = %10
  %15 = icmp eq i64 %2, 0
  %16 = icmp eq i64 %3, 0
  %17 = or i1 %15, %16
  %18 = icmp eq i64 %4, 0
  %19 = or i1 %17, %18
  br i1 %19, label %91, label %20

20:                                               ; preds = %14
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %22 = load ptr, ptr %21, align 8
  %23 = sext i32 %1 to i64
  %24 = getelementptr inbounds %struct.kernel, ptr %22, i64 %23
  %25 = getelementptr inbounds nuw i8, ptr %24, i64 8
  %26 = load i64, ptr %25, align 8
  %27 = add nsw i64 %26, %8
  %28 = or i64 %3, %2
  %29 = or i64 %28, %4
  %30 = or i64 %29, %5
  %31 = or i64 %30, %6
  %32 = or i64 %31, %7
  %33 = or i64 %32, %27
  %34 = icmp ult i64 %33, 2147483648
  br i1 %34, label %35, label %73

35:                                               ; preds = %20
  %36 = getelementptr inbounds nuw i8, ptr %24, i64 16
  %37 = load i64, ptr %36, align 8
  %38 = icmp sgt i64 %37, -1
  br i1 %38, label %39, label %42

39:                                               ; preds = %35
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %41 = getelementptr inbounds nuw ptr, ptr %9, i64 %37
  store ptr %40, ptr %41, align 8
  br label %42

42:                                               ; preds = %35, %39
  %43 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %44 = load ptr, ptr %43, align 8
  %45 = load ptr, ptr %44, align 8
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %47 = load ptr, ptr %46, align 8
  %48 = tail call i32 %45(ptr noundef %47) #2
  %49 = icmp eq i32 %48, 0
  br i1 %49, label %52, label %50

50:                                               ; preds = %42
  %51 = sext i32 %48 to i64
  br label %73

52:                                               ; preds = %42
  %53 = load ptr, ptr %43, align 8
  %54 = getelementptr inbounds nuw i8, ptr %53, i64 16
  %55 = load ptr, ptr %54, align 8
  %56 = load ptr, ptr %24, align 8
  %57 = trunc i64 %2 to i32
  %58 = trunc i64 %3 to i32
  %59 = trunc i64 %4 to i32
  %60 = trunc i64 %5 to i32
  %61 = trunc i64 %6 to i32
  %62 = trunc i64 %7 to i32
  %63 = trunc nuw nsw i64 %27 to i32
  %64 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %65 = load ptr, ptr %64, align 8
  %66 = tail call i32 %55(ptr noundef %56, i32 noundef %57, i32 noundef %58, i32 noundef %59, i32 noundef %60, i32 noundef %61, i32 noundef %62, i32 noundef %63, ptr noundef %65, ptr noundef %9, ptr noundef null) #2
  %67 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %68 = load i64, ptr %67, align 8
  %69 = add nsw i64 %68, 1
  store i64 %69, ptr %67, align 8
  %70 = icmp eq i32 %66, 0
  br i1 %70, label %91, label %71

71:                                               ; preds = %52
  %72 = sext i32 %66 to i64
  br label %73

73:                                               ; preds = %20, %50, %71
  %74 = phi i64 [ %51, %50 ], [ %72, %71 ], [ -2, %20 ]
  store i64 %74, ptr %0, align 8
  %75 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i64 %23, ptr %75, align 8
  call void @llvm.lifetime.start.p0(i64 56, ptr nonnull %11) #3
  store i64 %2, ptr %11, align 8
  %76 = getelementptr inbounds nuw i8, ptr %11, i64 8
  store i64 %3, ptr %76, align 8
  %77 = getelementptr inbounds nuw i8, ptr %11, i64 16
  store i64 %4, ptr %77, align 8
  %78 = getelementptr inbounds nuw i8, ptr %11, i64 24
  store i64 %5, ptr %78, align 8
  %79 = getelementptr inbounds nuw i8, ptr %11, i64 32
  store i64 %6, ptr %79, align 8
  %80 = getelementptr inbounds nuw i8, ptr %11, i64 40
  store i64 %7, ptr %80, align 8
  %81 = getelementptr inbounds nuw i8, ptr %11, i64 48
  store i64 %27, ptr %81, align 8
  %82 = getelementptr inbounds nuw i8, ptr %0, i64 16
  br label %84

83:                                               ; preds = %84
  call void @llvm.lifetime.end.p0(i64 56, ptr nonnull %11) #3
  br label %91

84:                                               ; preds = %73, %84
  %85 = phi i64 [ 0, %73 ], [ %89, %84 ]
  %86 = getelementptr inbounds nuw [7 x i64], ptr %11, i64 0, i64 %85
  %87 = load i64, ptr %86, align 8
  %88 = getelementptr inbounds nuw [7 x i64], ptr %82, i64 0, i64 %85
  store i64 %87, ptr %88, align 8
  %89 = add nuw nsw i64 %85, 1
  %90 = icmp eq i64 %89, 7
  br i1 %90, label %83, label %84

91:                                               ; preds = %52, %83, %14, %10
  ret void
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr captures(none)) #1

declare void @llvm.lifetime.end.p0(i64 immarg, ptr captures(none)) #1

define dso_local void @hologram_device_copy(ptr noundef captures(none) %0, i64 noundef %1, i64 noundef %2, i64 noundef %3) local_unnamed_addr #0 {
  %5 = load i64, ptr %0, align 8
  %6 = icmp ne i64 %5, 0
  %7 = icmp eq i64 %3, 0
  %8 = or i1 %7, %6
  br i1 %8, label %29, label %9

9:                                                ; preds = %4
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %11 = load ptr, ptr %10, align 8
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %14 = load ptr, ptr %13, align 8
  %15 = tail call i32 %12(ptr noundef %14) #2
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %17, label %25

17:                                               ; preds = %9
  %18 = load ptr, ptr %10, align 8
  %19 = getelementptr inbounds nuw i8, ptr %18, i64 24
  %20 = load ptr, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %22 = load ptr, ptr %21, align 8
  %23 = tail call i32 %20(i64 noundef %1, i64 noundef %2, i64 noundef %3, ptr noundef %22) #2
  %24 = icmp eq i32 %23, 0
  br i1 %24, label %29, label %25

25:                                               ; preds = %17, %9
  %26 = phi i32 [ %15, %9 ], [ %23, %17 ]
  %27 = sext i32 %26 to i64
  store i64 %27, ptr %0, align 8
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i64 -1, ptr %28, align 8
  br label %29

29:                                               ; preds = %25, %17, %4
  ret void
}

define dso_local void @hologram_cuda_record(ptr noundef readonly captures(none) %0) local_unnamed_addr #0 {
  %2 = load ptr, ptr %0, align 8
  %3 = getelementptr inbounds nuw i8, ptr %2, i64 80
  %4 = load ptr, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %6 = load ptr, ptr %5, align 8
  store ptr %6, ptr %3, align 8
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %10 = load ptr, ptr %9, align 8
  tail call void %8(ptr noundef %10) #2
  store ptr %4, ptr %3, align 8
  ret void
}

define dso_local void @hologram_cuda_replay(ptr noundef readonly captures(none) %0) local_unnamed_addr #0 {
  %2 = load ptr, ptr %0, align 8
  %3 = load i64, ptr %2, align 8
  %4 = icmp eq i64 %3, 0
  br i1 %4, label %5, label %32

5:                                                ; preds = %1
  %6 = getelementptr inbounds nuw i8, ptr %2, i64 112
  %7 = load ptr, ptr %6, align 8
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %2, i64 72
  %10 = load ptr, ptr %9, align 8
  %11 = tail call i32 %8(ptr noundef %10) #2
  %12 = icmp eq i32 %11, 0
  br i1 %12, label %13, label %28

13:                                               ; preds = %5
  %14 = load ptr, ptr %6, align 8
  %15 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %16 = load ptr, ptr %15, align 8
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %18 = load ptr, ptr %17, align 8
  %19 = getelementptr inbounds nuw i8, ptr %2, i64 80
  %20 = load ptr, ptr %19, align 8
  %21 = tail call i32 %16(ptr noundef %18, ptr noundef %20) #2
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %23 = load i64, ptr %22, align 8
  %24 = getelementptr inbounds nuw i8, ptr %2, i64 104
  %25 = load i64, ptr %24, align 8
  %26 = add nsw i64 %25, %23
  store i64 %26, ptr %24, align 8
  %27 = icmp eq i32 %21, 0
  br i1 %27, label %32, label %28

28:                                               ; preds = %13, %5
  %29 = phi i32 [ %11, %5 ], [ %21, %13 ]
  %30 = sext i32 %29 to i64
  store i64 %30, ptr %2, align 8
  %31 = getelementptr inbounds nuw i8, ptr %2, i64 8
  store i64 -2, ptr %31, align 8
  br label %32

32:                                               ; preds = %28, %13, %1
  ret void
}

attributes #0 = { nounwind uwtable "no-builtins" "no-stack-arg-probe" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nobuiltin nounwind "no-builtins" }
attributes #3 = { nounwind }
