; Made of thread_pool.c by 'make native'.
target datalayout = "e-m:o-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-n32:64-S128-Fn32"
target triple = "arm64-apple-darwin"

%struct.anon = type { i32, i32, i64, i64, i64, i64, ptr, [80 x i8], ptr, ptr, i64, i64, i32, [92 x i8], i64, [120 x i8], i64, [120 x i8], i32, [124 x i8], i32, [124 x i8], i32, [124 x i8], i32, [124 x i8] }
%struct._opaque_pthread_mutex_t = type { i64, [56 x i8] }
%struct._opaque_pthread_cond_t = type { i64, [40 x i8] }
%struct.timespec = type { i64, i64 }
%struct._opaque_pthread_attr_t = type { i64, [56 x i8] }

@pool = internal global %struct.anon { i32 1, i32 0, i64 0, i64 0, i64 0, i64 0, ptr null, [80 x i8] zeroinitializer, ptr null, ptr null, i64 0, i64 0, i32 0, [92 x i8] zeroinitializer, i64 0, [120 x i8] zeroinitializer, i64 0, [120 x i8] zeroinitializer, i32 0, [124 x i8] zeroinitializer, i32 0, [124 x i8] zeroinitializer, i32 0, [124 x i8] zeroinitializer, i32 0, [124 x i8] zeroinitializer }, align 128
@mutex = internal global %struct._opaque_pthread_mutex_t zeroinitializer, align 128
@condition = internal global %struct._opaque_pthread_cond_t zeroinitializer, align 128

define void @hologram_pool_run(ptr noundef %0, ptr noundef %1, i64 noundef %2, i64 noundef %3, i64 noundef %4) local_unnamed_addr #0 {
  %6 = alloca %struct.timespec, align 8
  %7 = alloca %struct.timespec, align 8
  %8 = sub nsw i64 %3, %2
  %9 = load atomic i32, ptr @pool monotonic, align 128
  %10 = tail call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %8, i64 %4)
  %11 = extractvalue { i64, i1 } %10, 1
  %12 = extractvalue { i64, i1 } %10, 0
  %13 = icmp slt i32 %9, 2
  %14 = icmp slt i64 %8, 2
  %15 = select i1 %13, i1 true, i1 %14
  %16 = select i1 %15, i1 true, i1 %11
  br i1 %16, label %20, label %17

17:                                               ; preds = %5
  %18 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 8) monotonic, align 8
  %19 = icmp ult i64 %12, %18
  br i1 %19, label %33, label %21

20:                                               ; preds = %5
  br i1 %15, label %33, label %21

21:                                               ; preds = %17, %20
  %22 = add nsw i32 %9, -1
  %23 = cmpxchg ptr getelementptr inbounds nuw (i8, ptr @pool, i64 896), i32 0, i32 1 acquire monotonic, align 128
  %24 = extractvalue { i32, i1 } %23, 1
  br i1 %24, label %25, label %33

25:                                               ; preds = %21
  %26 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 4) monotonic, align 4
  %27 = icmp slt i32 %26, %22
  br i1 %27, label %28, label %29

28:                                               ; preds = %25
  tail call fastcc void @start_workers(i32 noundef range(i32 -2147483648, 2147483647) %22) #10
  br label %29

29:                                               ; preds = %28, %25
  %30 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 4) monotonic, align 4
  %31 = icmp eq i32 %30, 0
  br i1 %31, label %32, label %34

32:                                               ; preds = %29
  store atomic i32 0, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 896) release, align 128
  br label %33

33:                                               ; preds = %21, %32, %17, %20
  tail call void %0(ptr noundef %1, i64 noundef %2, i64 noundef %3) #11
  br label %128

34:                                               ; preds = %29
  %35 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 4) monotonic, align 4
  %36 = zext nneg i32 %9 to i64
  %37 = shl nuw nsw i64 %36, 3
  %38 = add nsw i64 %8, -1
  %39 = add nuw i64 %38, %37
  %40 = udiv i64 %39, %37
  %41 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 16), align 16
  %42 = tail call i64 @llvm.umax.i64(i64 %4, i64 1)
  %43 = udiv i64 %41, %42
  %44 = add i64 %43, 1
  %45 = tail call i64 @llvm.umax.i64(i64 %40, i64 %44)
  store ptr %0, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 128), align 128
  store ptr %1, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 136), align 8
  store i64 %3, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 144), align 16
  store i64 %45, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 152), align 8
  store atomic i32 %22, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 160) monotonic, align 32
  store atomic i64 %2, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 384) monotonic, align 128
  %46 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) monotonic, align 128
  %47 = and i64 %46, -65536
  %48 = add i64 %47, 98304
  store atomic i64 %48, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) seq_cst, align 128
  %49 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 512) seq_cst, align 128
  %50 = icmp sgt i32 %49, 0
  br i1 %50, label %51, label %57

51:                                               ; preds = %34
  %52 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 24), align 8
  %53 = icmp uge i64 %12, %52
  %54 = select i1 %11, i1 true, i1 %53
  br i1 %54, label %55, label %57

55:                                               ; preds = %51
  %56 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @pool, i64 640), i32 1 seq_cst, align 128
  tail call fastcc void @wake() #12
  br label %57

57:                                               ; preds = %51, %55, %34
  %58 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 128), align 128
  %59 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 136), align 8
  %60 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 144), align 16
  %61 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 152), align 8
  %62 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @pool, i64 384), i64 %61 monotonic, align 128
  %63 = icmp slt i64 %62, %60
  br i1 %63, label %64, label %70

64:                                               ; preds = %57, %64
  %65 = phi i64 [ %68, %64 ], [ %62, %57 ]
  %66 = add nsw i64 %65, %61
  %67 = tail call i64 @llvm.smin.i64(i64 %66, i64 %60)
  tail call void %58(ptr noundef %59, i64 noundef %65, i64 noundef %67) #11
  %68 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @pool, i64 384), i64 %61 monotonic, align 128
  %69 = icmp slt i64 %68, %60
  br i1 %69, label %64, label %70

70:                                               ; preds = %64, %57
  %71 = atomicrmw and ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256), i64 -32769 acq_rel, align 128
  %72 = and i64 %71, 16383
  %73 = icmp eq i64 %72, 0
  br i1 %73, label %127, label %74

74:                                               ; preds = %70
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %7) #13
  %75 = call i32 @clock_gettime(i32 noundef 6, ptr noundef nonnull %7) #11
  %76 = load i64, ptr %7, align 8
  %77 = mul nsw i64 %76, 1000000000
  %78 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %79 = load i64, ptr %78, align 8
  %80 = add nsw i64 %77, %79
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %7) #13
  %81 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 32), align 32
  %82 = add nsw i64 %80, %81
  %83 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) acquire, align 128
  %84 = and i64 %83, 16383
  %85 = icmp eq i64 %84, 0
  br i1 %85, label %127, label %86

86:                                               ; preds = %74
  %87 = getelementptr inbounds nuw i8, ptr %6, i64 8
  br label %88

88:                                               ; preds = %100, %86
  %89 = phi i32 [ 0, %86 ], [ %90, %100 ]
  call void @llvm.aarch64.isb(i32 15)
  call void @llvm.aarch64.isb(i32 15)
  %90 = add nuw nsw i32 %89, 1
  %91 = and i32 %90, 15
  %92 = icmp eq i32 %91, 0
  br i1 %92, label %93, label %100

93:                                               ; preds = %88
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %6) #13
  %94 = call i32 @clock_gettime(i32 noundef 6, ptr noundef nonnull %6) #11
  %95 = load i64, ptr %6, align 8
  %96 = mul nsw i64 %95, 1000000000
  %97 = load i64, ptr %87, align 8
  %98 = add nsw i64 %96, %97
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %6) #13
  %99 = icmp sgt i64 %98, %82
  br i1 %99, label %104, label %100

100:                                              ; preds = %93, %88
  %101 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) acquire, align 128
  %102 = and i64 %101, 16383
  %103 = icmp eq i64 %102, 0
  br i1 %103, label %127, label %88

104:                                              ; preds = %93
  %105 = atomicrmw or ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256), i64 16384 acq_rel, align 128
  %106 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 40) acquire, align 8
  %107 = inttoptr i64 %106 to ptr
  %108 = icmp eq i64 %106, 0
  br i1 %108, label %110, label %109

109:                                              ; preds = %104
  call void %107(i32 noundef 1) #11
  br label %110

110:                                              ; preds = %109, %104
  %111 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 768) acquire, align 128
  %112 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) acquire, align 128
  %113 = and i64 %112, 16383
  %114 = icmp eq i64 %113, 0
  br i1 %114, label %125, label %115

115:                                              ; preds = %110
  %116 = select i1 %108, i64 0, i64 50000000
  br label %117

117:                                              ; preds = %120, %115
  %118 = phi i32 [ %111, %115 ], [ %121, %120 ]
  call fastcc void @wait_while_equal(ptr noundef nonnull getelementptr inbounds nuw (i8, ptr @pool, i64 768), i32 noundef %118, i64 noundef %116) #12
  br i1 %108, label %120, label %119

119:                                              ; preds = %117
  call void %107(i32 noundef 2) #11
  br label %120

120:                                              ; preds = %119, %117
  %121 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 768) acquire, align 128
  %122 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) acquire, align 128
  %123 = and i64 %122, 16383
  %124 = icmp eq i64 %123, 0
  br i1 %124, label %125, label %117

125:                                              ; preds = %120, %110
  br i1 %108, label %127, label %126

126:                                              ; preds = %125
  call void %107(i32 noundef 0) #11
  br label %127

127:                                              ; preds = %100, %70, %74, %125, %126
  store atomic i32 0, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 896) release, align 128
  br label %128

128:                                              ; preds = %127, %33
  ret void
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr captures(none)) #1

declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64) #2

define internal fastcc void @wake() unnamed_addr #3 {
  %1 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @mutex) #11
  %2 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @mutex) #11
  %3 = tail call i32 @pthread_cond_broadcast(ptr noundef nonnull @condition) #11
  ret void
}

declare void @llvm.lifetime.end.p0(i64 immarg, ptr captures(none)) #1

define void @hologram_pool_configure(i32 noundef %0, i64 noundef %1, i64 noundef %2, i64 noundef %3, i64 noundef %4) local_unnamed_addr #4 {
  store atomic i32 %0, ptr @pool monotonic, align 128
  store atomic i64 %1, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 8) monotonic, align 8
  store i64 %2, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 16), align 16
  store i64 %3, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 24), align 8
  store i64 %4, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 32), align 32
  ret void
}

define void @hologram_pool_tell(ptr noundef %0) local_unnamed_addr #4 {
  %2 = ptrtoint ptr %0 to i64
  store atomic i64 %2, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 40) release, align 8
  ret void
}

define void @hologram_pool_reset(i32 noundef %0) local_unnamed_addr #0 {
  store atomic i32 0, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 4) monotonic, align 4
  store atomic i64 0, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) monotonic, align 128
  store atomic i32 0, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 512) monotonic, align 128
  store atomic i32 0, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 896) monotonic, align 128
  %2 = tail call i32 @pthread_mutex_init(ptr noundef nonnull @mutex, ptr noundef null) #11
  %3 = tail call i32 @"\01_pthread_cond_init"(ptr noundef nonnull @condition, ptr noundef null) #11
  ret void
}

define i32 @hologram_pool_workers() local_unnamed_addr #4 {
  %1 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 4) monotonic, align 4
  ret i32 %1
}

define internal fastcc void @start_workers(i32 noundef range(i32 -2147483648, 2147483647) %0) unnamed_addr #5 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca %struct._opaque_pthread_attr_t, align 8
  %5 = alloca ptr, align 8
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %2) #13
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %3) #13
  store i32 -1, ptr %2, align 4
  %6 = call i32 @"\01_pthread_sigmask"(i32 noundef 3, ptr noundef nonnull %2, ptr noundef nonnull %3) #11
  call void @llvm.lifetime.start.p0(i64 64, ptr nonnull %4) #13
  %7 = call i32 @pthread_attr_init(ptr noundef nonnull %4) #11
  %8 = call i32 @pthread_attr_setstacksize(ptr noundef nonnull %4, i64 noundef 8388608) #11
  %9 = call i32 @pthread_attr_setdetachstate(ptr noundef nonnull %4, i32 noundef 2) #11
  %10 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 4) monotonic, align 4
  %11 = icmp slt i32 %10, %0
  br i1 %11, label %12, label %21

12:                                               ; preds = %1, %18
  %13 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 4) monotonic, align 4
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %5) #13
  %14 = call i32 @pthread_create(ptr noundef nonnull %5, ptr noundef nonnull %4, ptr noundef nonnull @run_worker, ptr noundef null) #11
  %15 = icmp eq i32 %14, 0
  %16 = add nsw i32 %13, 1
  br i1 %15, label %18, label %17

17:                                               ; preds = %12
  store atomic i32 %16, ptr @pool monotonic, align 128
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %5) #13
  br label %21

18:                                               ; preds = %12
  store atomic i32 %16, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 4) monotonic, align 4
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %5) #13
  %19 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 4) monotonic, align 4
  %20 = icmp slt i32 %19, %0
  br i1 %20, label %12, label %21

21:                                               ; preds = %18, %1, %17
  %22 = call i32 @pthread_attr_destroy(ptr noundef nonnull %4) #11
  %23 = call i32 @"\01_pthread_sigmask"(i32 noundef 3, ptr noundef nonnull %3, ptr noundef null) #11
  call void @llvm.lifetime.end.p0(i64 64, ptr nonnull %4) #13
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %3) #13
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %2) #13
  ret void
}

declare i32 @"\01_pthread_sigmask"(i32 noundef, ptr noundef, ptr noundef) local_unnamed_addr #6

declare i32 @pthread_attr_init(ptr noundef) local_unnamed_addr #6

declare i32 @pthread_attr_setstacksize(ptr noundef, i64 noundef) local_unnamed_addr #6

declare i32 @pthread_attr_setdetachstate(ptr noundef, i32 noundef) local_unnamed_addr #6

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #6

define internal noundef ptr @run_worker(ptr readnone captures(none) %0) #7 {
  %2 = alloca %struct.timespec, align 8
  %3 = alloca %struct.timespec, align 8
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %5 = getelementptr inbounds nuw i8, ptr %2, i64 8
  br label %6

6:                                                ; preds = %107, %1
  %7 = phi i64 [ 0, %1 ], [ %109, %107 ]
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %3) #13
  %8 = call i32 @clock_gettime(i32 noundef 6, ptr noundef nonnull %3) #11
  %9 = load i64, ptr %3, align 8
  %10 = load i64, ptr %4, align 8
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %3) #13
  %11 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 32), align 32
  %12 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) acquire, align 128
  %13 = and i64 %12, 32768
  %14 = icmp ne i64 %13, 0
  %15 = lshr i64 %12, 16
  %16 = icmp ne i64 %15, %7
  %17 = and i1 %14, %16
  br i1 %17, label %69, label %18

18:                                               ; preds = %6
  %19 = mul nsw i64 %9, 1000000000
  %20 = add nsw i64 %19, %10
  %21 = add nsw i64 %20, %11
  br label %22

22:                                               ; preds = %54, %18
  %23 = phi i64 [ %21, %18 ], [ %62, %54 ]
  br label %24

24:                                               ; preds = %37, %22
  %25 = phi i32 [ 0, %22 ], [ %26, %37 ]
  call void @llvm.aarch64.isb(i32 15)
  call void @llvm.aarch64.isb(i32 15)
  %26 = add nuw nsw i32 %25, 1
  %27 = and i32 %26, 15
  %28 = icmp eq i32 %27, 0
  br i1 %28, label %29, label %37

29:                                               ; preds = %24
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %2) #13
  %30 = call i32 @clock_gettime(i32 noundef 6, ptr noundef nonnull %2) #11
  %31 = load i64, ptr %2, align 8
  %32 = mul nsw i64 %31, 1000000000
  %33 = load i64, ptr %5, align 8
  %34 = add nsw i64 %32, %33
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %2) #13
  %35 = icmp sle i64 %34, %23
  %36 = freeze i1 %35
  br i1 %36, label %37, label %44

37:                                               ; preds = %29, %24
  %38 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) acquire, align 128
  %39 = and i64 %38, 32768
  %40 = icmp ne i64 %39, 0
  %41 = lshr i64 %38, 16
  %42 = icmp ne i64 %41, %7
  %43 = and i1 %40, %42
  br i1 %43, label %69, label %24

44:                                               ; preds = %29
  %45 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @pool, i64 512), i32 1 seq_cst, align 128
  %46 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 640) seq_cst, align 128
  %47 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) seq_cst, align 128
  %48 = and i64 %47, 32768
  %49 = icmp ne i64 %48, 0
  %50 = lshr i64 %47, 16
  %51 = icmp ne i64 %50, %7
  %52 = and i1 %49, %51
  br i1 %52, label %54, label %53

53:                                               ; preds = %44
  call fastcc void @wait_while_equal(ptr noundef nonnull getelementptr inbounds nuw (i8, ptr @pool, i64 640), i32 noundef %46, i64 noundef 0) #12
  br label %54

54:                                               ; preds = %53, %44
  %55 = atomicrmw sub ptr getelementptr inbounds nuw (i8, ptr @pool, i64 512), i32 1 seq_cst, align 128
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %3) #13
  %56 = call i32 @clock_gettime(i32 noundef 6, ptr noundef nonnull %3) #11
  %57 = load i64, ptr %3, align 8
  %58 = mul nsw i64 %57, 1000000000
  %59 = load i64, ptr %4, align 8
  %60 = add nsw i64 %58, %59
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %3) #13
  %61 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 32), align 32
  %62 = add nsw i64 %60, %61
  %63 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) acquire, align 128
  %64 = and i64 %63, 32768
  %65 = icmp ne i64 %64, 0
  %66 = lshr i64 %63, 16
  %67 = icmp ne i64 %66, %7
  %68 = and i1 %65, %67
  br i1 %68, label %69, label %22

69:                                               ; preds = %54, %37, %6
  %70 = phi i64 [ %12, %6 ], [ %38, %37 ], [ %63, %54 ]
  br label %71

71:                                               ; preds = %69, %81
  %72 = phi i64 [ %82, %81 ], [ %70, %69 ]
  %73 = and i64 %72, 16383
  %74 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 160) monotonic, align 32
  %75 = sext i32 %74 to i64
  %76 = icmp slt i64 %73, %75
  br i1 %76, label %77, label %107

77:                                               ; preds = %71
  %78 = add i64 %72, 1
  %79 = cmpxchg ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256), i64 %72, i64 %78 acq_rel acquire, align 128
  %80 = extractvalue { i64, i1 } %79, 1
  br i1 %80, label %88, label %81

81:                                               ; preds = %77
  %82 = extractvalue { i64, i1 } %79, 0
  %83 = and i64 %82, 32768
  %84 = icmp ne i64 %83, 0
  %85 = lshr i64 %82, 16
  %86 = icmp ne i64 %85, %7
  %87 = and i1 %84, %86
  br i1 %87, label %71, label %107

88:                                               ; preds = %77
  %89 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 128), align 128
  %90 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 136), align 8
  %91 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 144), align 16
  %92 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 152), align 8
  %93 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @pool, i64 384), i64 %92 monotonic, align 128
  %94 = icmp slt i64 %93, %91
  br i1 %94, label %95, label %101

95:                                               ; preds = %88, %95
  %96 = phi i64 [ %99, %95 ], [ %93, %88 ]
  %97 = add nsw i64 %96, %92
  %98 = call i64 @llvm.smin.i64(i64 %97, i64 %91)
  call void %89(ptr noundef %90, i64 noundef %96, i64 noundef %98) #11
  %99 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @pool, i64 384), i64 %92 monotonic, align 128
  %100 = icmp slt i64 %99, %91
  br i1 %100, label %95, label %101

101:                                              ; preds = %95, %88
  %102 = atomicrmw sub ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256), i64 1 acq_rel, align 128
  %103 = and i64 %102, 32767
  %104 = icmp eq i64 %103, 16385
  br i1 %104, label %105, label %107

105:                                              ; preds = %101
  %106 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @pool, i64 768), i32 1 release, align 128
  call fastcc void @wake() #12
  br label %107

107:                                              ; preds = %81, %71, %101, %105
  %108 = phi i64 [ %72, %101 ], [ %72, %105 ], [ %82, %81 ], [ %72, %71 ]
  %109 = lshr i64 %108, 16
  br label %6
}

declare i32 @pthread_attr_destroy(ptr noundef) local_unnamed_addr #6

define internal fastcc void @wait_while_equal(ptr noundef readonly captures(none) %0, i32 noundef %1, i64 noundef range(i64 0, 50000001) %2) unnamed_addr #3 {
  %4 = alloca %struct.timespec, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %4) #13
  %5 = call i32 @clock_gettime(i32 noundef 0, ptr noundef nonnull %4) #11
  %6 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %7 = load i64, ptr %6, align 8
  %8 = add nsw i64 %7, %2
  %9 = freeze i64 %8
  %10 = sdiv i64 %9, 1000000000
  %11 = load i64, ptr %4, align 8
  %12 = add nsw i64 %10, %11
  store i64 %12, ptr %4, align 8
  %13 = mul i64 %10, 1000000000
  %14 = sub i64 %9, %13
  store i64 %14, ptr %6, align 8
  %15 = call i32 @pthread_mutex_lock(ptr noundef nonnull @mutex) #11
  %16 = load atomic i32, ptr %0 seq_cst, align 4
  %17 = icmp eq i32 %16, %1
  br i1 %17, label %18, label %29

18:                                               ; preds = %3
  %19 = icmp eq i64 %2, 0
  br label %20

20:                                               ; preds = %18, %24
  br i1 %19, label %27, label %21

21:                                               ; preds = %20
  %22 = call i32 @"\01_pthread_cond_timedwait"(ptr noundef nonnull @condition, ptr noundef nonnull @mutex, ptr noundef nonnull %4) #11
  %23 = icmp eq i32 %22, 0
  br i1 %23, label %24, label %29

24:                                               ; preds = %21, %27
  %25 = load atomic i32, ptr %0 seq_cst, align 4
  %26 = icmp eq i32 %25, %1
  br i1 %26, label %20, label %29

27:                                               ; preds = %20
  %28 = call i32 @"\01_pthread_cond_wait"(ptr noundef nonnull @condition, ptr noundef nonnull @mutex) #11
  br label %24

29:                                               ; preds = %24, %21, %3
  %30 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @mutex) #11
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %4) #13
  ret void
}

declare i32 @clock_gettime(i32 noundef, ptr noundef) local_unnamed_addr #6

declare void @llvm.aarch64.isb(i32) #8

declare i32 @pthread_mutex_lock(ptr noundef) local_unnamed_addr #6

declare i32 @"\01_pthread_cond_timedwait"(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #6

declare i32 @"\01_pthread_cond_wait"(ptr noundef, ptr noundef) local_unnamed_addr #6

declare i32 @pthread_mutex_unlock(ptr noundef) local_unnamed_addr #6

declare i32 @pthread_cond_broadcast(ptr noundef) local_unnamed_addr #6

declare i32 @pthread_mutex_init(ptr noundef, ptr noundef) local_unnamed_addr #6

declare i32 @"\01_pthread_cond_init"(ptr noundef, ptr noundef) local_unnamed_addr #6

declare i64 @llvm.umax.i64(i64, i64) #9

declare i64 @llvm.smin.i64(i64, i64) #9

attributes #0 = { nounwind uwtable "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { noinline nounwind uwtable "no-builtins" }
attributes #4 = { mustprogress nofree norecurse nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none) uwtable "no-builtins" }
attributes #5 = { cold noinline nounwind optsize uwtable "no-builtins" }
attributes #6 = { "no-builtins" }
attributes #7 = { noreturn nounwind uwtable "no-builtins" }
attributes #8 = { mustprogress nofree nounwind willreturn }
attributes #9 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #10 = { cold nobuiltin "no-builtins" }
attributes #11 = { nobuiltin nounwind "no-builtins" }
attributes #12 = { nobuiltin "no-builtins" }
attributes #13 = { nounwind }
