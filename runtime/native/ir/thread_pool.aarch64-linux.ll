; Made of thread_pool.c by 'make native'.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"
target triple = "aarch64-unknown-linux-gnu"

%struct.anon = type { i32, i32, i64, i64, i64, i64, ptr, [80 x i8], ptr, ptr, i64, i64, i32, [92 x i8], i64, [120 x i8], i64, [120 x i8], i32, [124 x i8], i32, [124 x i8], i32, [124 x i8], i32, [124 x i8] }
%union.pthread_mutex_t = type { %struct.__pthread_mutex_s, [8 x i8] }
%struct.__pthread_mutex_s = type { i32, i32, i32, i32, i32, i32, %struct.__pthread_internal_list }
%struct.__pthread_internal_list = type { ptr, ptr }
%union.pthread_cond_t = type { %struct.__pthread_cond_s }
%struct.__pthread_cond_s = type { %union.__atomic_wide_counter, %union.__atomic_wide_counter, [2 x i32], i32, i32, [2 x i32], i32, i32 }
%union.__atomic_wide_counter = type { i64 }
%struct.anon.1 = type { i64, %struct.cpu_set_t }
%struct.cpu_set_t = type { [16 x i64] }
%struct.timespec = type { i64, i64 }
%struct.__sigset_t = type { [16 x i64] }
%union.pthread_attr_t = type { i64, [56 x i8] }

@pool = internal global %struct.anon { i32 1, i32 0, i64 0, i64 0, i64 0, i64 0, ptr null, [80 x i8] zeroinitializer, ptr null, ptr null, i64 0, i64 0, i32 0, [92 x i8] zeroinitializer, i64 0, [120 x i8] zeroinitializer, i64 0, [120 x i8] zeroinitializer, i32 0, [124 x i8] zeroinitializer, i32 0, [124 x i8] zeroinitializer, i32 0, [124 x i8] zeroinitializer, i32 0, [124 x i8] zeroinitializer }, align 128
@sleeps_by_futex = internal unnamed_addr global i8 0, align 4
@mutex = internal global %union.pthread_mutex_t zeroinitializer, align 128
@condition = internal global %union.pthread_cond_t zeroinitializer, align 128
@placed = internal global [16 x %struct.anon.1] zeroinitializer, align 8
@allowed = internal global %struct.cpu_set_t zeroinitializer, align 8
@avoided_processor = internal unnamed_addr global i32 -1, align 4

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
  tail call fastcc void @start_workers(i32 noundef range(i32 -2147483648, 2147483647) %22) #12
  br label %29

29:                                               ; preds = %28, %25
  %30 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 4) monotonic, align 4
  %31 = icmp eq i32 %30, 0
  br i1 %31, label %32, label %34

32:                                               ; preds = %29
  store atomic i32 0, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 896) release, align 128
  br label %33

33:                                               ; preds = %21, %32, %17, %20
  tail call void %0(ptr noundef %1, i64 noundef %2, i64 noundef %3) #13
  br label %144

34:                                               ; preds = %29
  %35 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 4) monotonic, align 4
  %36 = icmp ne ptr @sched_getcpu, null
  %37 = icmp ne ptr @pthread_getaffinity_np, null
  %38 = and i1 %36, %37
  %39 = icmp ne ptr @pthread_setaffinity_np, null
  %40 = and i1 %39, %38
  br i1 %40, label %41, label %46

41:                                               ; preds = %34
  %42 = tail call i32 @sched_getcpu() #13
  %43 = load atomic i32, ptr @avoided_processor monotonic, align 4
  %44 = icmp eq i32 %42, %43
  br i1 %44, label %46, label %45

45:                                               ; preds = %41
  tail call fastcc void @move_workers(i32 noundef %42, i32 noundef %9, i32 noundef %35) #12
  br label %46

46:                                               ; preds = %34, %41, %45
  %47 = zext nneg i32 %9 to i64
  %48 = shl nuw nsw i64 %47, 3
  %49 = add nsw i64 %8, -1
  %50 = add nuw i64 %49, %48
  %51 = udiv i64 %50, %48
  %52 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 16), align 16
  %53 = tail call i64 @llvm.umax.i64(i64 %4, i64 1)
  %54 = udiv i64 %52, %53
  %55 = add i64 %54, 1
  %56 = tail call i64 @llvm.umax.i64(i64 %51, i64 %55)
  store ptr %0, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 128), align 128
  store ptr %1, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 136), align 8
  store i64 %3, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 144), align 16
  store i64 %56, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 152), align 8
  store atomic i32 %22, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 160) monotonic, align 32
  store atomic i64 %2, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 384) monotonic, align 128
  %57 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) monotonic, align 128
  %58 = and i64 %57, -65536
  %59 = add i64 %58, 98304
  store atomic i64 %59, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) seq_cst, align 128
  %60 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 512) seq_cst, align 128
  %61 = icmp sgt i32 %60, 0
  br i1 %61, label %62, label %73

62:                                               ; preds = %46
  %63 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 24), align 8
  %64 = icmp uge i64 %12, %63
  %65 = select i1 %11, i1 true, i1 %64
  br i1 %65, label %66, label %73

66:                                               ; preds = %62
  %67 = udiv i64 %49, %56
  %68 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @pool, i64 640), i32 1 seq_cst, align 128
  %69 = add nsw i64 %47, -1
  %70 = icmp samesign ult i64 %67, %69
  %71 = trunc i64 %67 to i32
  %72 = select i1 %70, i32 %71, i32 %22
  tail call fastcc void @wake(ptr noundef nonnull getelementptr inbounds nuw (i8, ptr @pool, i64 640), i32 noundef %72) #14
  br label %73

73:                                               ; preds = %62, %66, %46
  %74 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 128), align 128
  %75 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 136), align 8
  %76 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 144), align 16
  %77 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 152), align 8
  %78 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @pool, i64 384), i64 %77 monotonic, align 128
  %79 = icmp slt i64 %78, %76
  br i1 %79, label %80, label %86

80:                                               ; preds = %73, %80
  %81 = phi i64 [ %84, %80 ], [ %78, %73 ]
  %82 = add nsw i64 %81, %77
  %83 = tail call i64 @llvm.smin.i64(i64 %82, i64 %76)
  tail call void %74(ptr noundef %75, i64 noundef %81, i64 noundef %83) #13
  %84 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @pool, i64 384), i64 %77 monotonic, align 128
  %85 = icmp slt i64 %84, %76
  br i1 %85, label %80, label %86

86:                                               ; preds = %80, %73
  %87 = atomicrmw and ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256), i64 -32769 acq_rel, align 128
  %88 = and i64 %87, 16383
  %89 = icmp eq i64 %88, 0
  br i1 %89, label %143, label %90

90:                                               ; preds = %86
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %7) #15
  %91 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %7) #13
  %92 = load i64, ptr %7, align 8
  %93 = mul nsw i64 %92, 1000000000
  %94 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %95 = load i64, ptr %94, align 8
  %96 = add nsw i64 %93, %95
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %7) #15
  %97 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 32), align 32
  %98 = add nsw i64 %96, %97
  %99 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) acquire, align 128
  %100 = and i64 %99, 16383
  %101 = icmp eq i64 %100, 0
  br i1 %101, label %143, label %102

102:                                              ; preds = %90
  %103 = getelementptr inbounds nuw i8, ptr %6, i64 8
  br label %104

104:                                              ; preds = %116, %102
  %105 = phi i32 [ 0, %102 ], [ %106, %116 ]
  call void @llvm.aarch64.isb(i32 15)
  call void @llvm.aarch64.isb(i32 15)
  %106 = add nuw nsw i32 %105, 1
  %107 = and i32 %106, 15
  %108 = icmp eq i32 %107, 0
  br i1 %108, label %109, label %116

109:                                              ; preds = %104
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %6) #15
  %110 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %6) #13
  %111 = load i64, ptr %6, align 8
  %112 = mul nsw i64 %111, 1000000000
  %113 = load i64, ptr %103, align 8
  %114 = add nsw i64 %112, %113
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %6) #15
  %115 = icmp sgt i64 %114, %98
  br i1 %115, label %120, label %116

116:                                              ; preds = %109, %104
  %117 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) acquire, align 128
  %118 = and i64 %117, 16383
  %119 = icmp eq i64 %118, 0
  br i1 %119, label %143, label %104

120:                                              ; preds = %109
  %121 = atomicrmw or ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256), i64 16384 acq_rel, align 128
  %122 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 40) acquire, align 8
  %123 = inttoptr i64 %122 to ptr
  %124 = icmp eq i64 %122, 0
  br i1 %124, label %126, label %125

125:                                              ; preds = %120
  call void %123(i32 noundef 1) #13
  br label %126

126:                                              ; preds = %125, %120
  %127 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 768) acquire, align 128
  %128 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) acquire, align 128
  %129 = and i64 %128, 16383
  %130 = icmp eq i64 %129, 0
  br i1 %130, label %141, label %131

131:                                              ; preds = %126
  %132 = select i1 %124, i64 0, i64 50000000
  br label %133

133:                                              ; preds = %136, %131
  %134 = phi i32 [ %127, %131 ], [ %137, %136 ]
  call fastcc void @wait_while_equal(ptr noundef nonnull getelementptr inbounds nuw (i8, ptr @pool, i64 768), i32 noundef %134, i64 noundef %132) #14
  br i1 %124, label %136, label %135

135:                                              ; preds = %133
  call void %123(i32 noundef 2) #13
  br label %136

136:                                              ; preds = %135, %133
  %137 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 768) acquire, align 128
  %138 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) acquire, align 128
  %139 = and i64 %138, 16383
  %140 = icmp eq i64 %139, 0
  br i1 %140, label %141, label %133

141:                                              ; preds = %136, %126
  br i1 %124, label %143, label %142

142:                                              ; preds = %141
  call void %123(i32 noundef 0) #13
  br label %143

143:                                              ; preds = %116, %86, %90, %141, %142
  store atomic i32 0, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 896) release, align 128
  br label %144

144:                                              ; preds = %143, %33
  ret void
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr captures(none)) #1

declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64) #2

define internal fastcc void @wake(ptr noundef %0, i32 noundef %1) unnamed_addr #3 {
  %3 = load i8, ptr @sleeps_by_futex, align 4
  %4 = trunc nuw i8 %3 to i1
  br i1 %4, label %5, label %7

5:                                                ; preds = %2
  %6 = tail call i64 (i64, ...) @syscall(i64 noundef 98, ptr noundef %0, i32 noundef 129, i32 noundef %1, ptr noundef null, ptr noundef null, i32 noundef 0) #13
  br label %11

7:                                                ; preds = %2
  %8 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @mutex) #13
  %9 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @mutex) #13
  %10 = tail call i32 @pthread_cond_broadcast(ptr noundef nonnull @condition) #13
  br label %11

11:                                               ; preds = %7, %5
  ret void
}

declare void @llvm.lifetime.end.p0(i64 immarg, ptr captures(none)) #1

define void @hologram_pool_configure(i32 noundef %0, i64 noundef %1, i64 noundef %2, i64 noundef %3, i64 noundef %4) local_unnamed_addr #4 {
  store atomic i32 %0, ptr @pool monotonic, align 128
  store atomic i64 %1, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 8) monotonic, align 8
  store i64 %2, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 16), align 16
  store i64 %3, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 24), align 8
  store i64 %4, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 32), align 32
  store atomic i32 -1, ptr @avoided_processor monotonic, align 4
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
  store atomic i32 -1, ptr @avoided_processor monotonic, align 4
  %2 = icmp ne i32 %0, 0
  %3 = zext i1 %2 to i8
  store i8 %3, ptr @sleeps_by_futex, align 4
  %4 = tail call i32 @pthread_mutex_init(ptr noundef nonnull @mutex, ptr noundef null) #13
  %5 = tail call i32 @pthread_cond_init(ptr noundef nonnull @condition, ptr noundef null) #13
  ret void
}

define i32 @hologram_pool_workers() local_unnamed_addr #4 {
  %1 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 4) monotonic, align 4
  ret i32 %1
}

define internal fastcc void @start_workers(i32 noundef range(i32 -2147483648, 2147483647) %0) unnamed_addr #5 {
  %2 = alloca %struct.__sigset_t, align 8
  %3 = alloca %struct.__sigset_t, align 8
  %4 = alloca %union.pthread_attr_t, align 8
  %5 = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 128, ptr nonnull %2) #15
  call void @llvm.lifetime.start.p0(i64 128, ptr nonnull %3) #15
  %6 = call i32 @sigfillset(ptr noundef nonnull %2) #13
  %7 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %2, ptr noundef nonnull %3) #13
  call void @llvm.lifetime.start.p0(i64 64, ptr nonnull %4) #15
  %8 = call i32 @pthread_attr_init(ptr noundef nonnull %4) #13
  %9 = call i32 @pthread_attr_setstacksize(ptr noundef nonnull %4, i64 noundef 8388608) #13
  %10 = call i32 @pthread_attr_setdetachstate(ptr noundef nonnull %4, i32 noundef 1) #13
  %11 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 4) monotonic, align 4
  %12 = icmp slt i32 %11, %0
  br i1 %12, label %13, label %38

13:                                               ; preds = %1
  %14 = icmp eq ptr @sched_getcpu, null
  %15 = icmp eq ptr @pthread_getaffinity_np, null
  %16 = or i1 %14, %15
  %17 = icmp eq ptr @pthread_setaffinity_np, null
  %18 = or i1 %17, %16
  br label %19

19:                                               ; preds = %13, %34
  %20 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 4) monotonic, align 4
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %5) #15
  %21 = call i32 @pthread_create(ptr noundef nonnull %5, ptr noundef nonnull %4, ptr noundef nonnull @run_worker, ptr noundef null) #13
  %22 = icmp eq i32 %21, 0
  br i1 %22, label %25, label %23

23:                                               ; preds = %19
  %24 = add nsw i32 %20, 1
  store atomic i32 %24, ptr @pool monotonic, align 128
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %5) #15
  br label %38

25:                                               ; preds = %19
  %26 = load i64, ptr %5, align 8
  store atomic i32 -1, ptr @avoided_processor monotonic, align 4
  %27 = icmp sgt i32 %20, 15
  %28 = or i1 %27, %18
  br i1 %28, label %34, label %29

29:                                               ; preds = %25
  %30 = sext i32 %20 to i64
  %31 = getelementptr inbounds [16 x %struct.anon.1], ptr @placed, i64 0, i64 %30
  store i64 %26, ptr %31, align 8
  %32 = getelementptr inbounds nuw i8, ptr %31, i64 8
  %33 = call i32 @pthread_getaffinity_np(i64 noundef %26, i64 noundef 128, ptr noundef nonnull %32) #13
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(128) @allowed, ptr noundef nonnull align 8 dereferenceable(128) %32, i64 128, i1 false)
  br label %34

34:                                               ; preds = %25, %29
  %35 = add nsw i32 %20, 1
  store atomic i32 %35, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 4) monotonic, align 4
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %5) #15
  %36 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 4) monotonic, align 4
  %37 = icmp slt i32 %36, %0
  br i1 %37, label %19, label %38

38:                                               ; preds = %34, %1, %23
  %39 = call i32 @pthread_attr_destroy(ptr noundef nonnull %4) #13
  %40 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %3, ptr noundef null) #13
  call void @llvm.lifetime.end.p0(i64 64, ptr nonnull %4) #15
  call void @llvm.lifetime.end.p0(i64 128, ptr nonnull %3) #15
  call void @llvm.lifetime.end.p0(i64 128, ptr nonnull %2) #15
  ret void
}

declare i32 @sigfillset(ptr noundef) local_unnamed_addr #6

declare i32 @pthread_sigmask(i32 noundef, ptr noundef, ptr noundef) local_unnamed_addr #6

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
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %3) #15
  %8 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #13
  %9 = load i64, ptr %3, align 8
  %10 = load i64, ptr %4, align 8
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %3) #15
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
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %2) #15
  %30 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %2) #13
  %31 = load i64, ptr %2, align 8
  %32 = mul nsw i64 %31, 1000000000
  %33 = load i64, ptr %5, align 8
  %34 = add nsw i64 %32, %33
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %2) #15
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
  call fastcc void @wait_while_equal(ptr noundef nonnull getelementptr inbounds nuw (i8, ptr @pool, i64 640), i32 noundef %46, i64 noundef 0) #14
  br label %54

54:                                               ; preds = %53, %44
  %55 = atomicrmw sub ptr getelementptr inbounds nuw (i8, ptr @pool, i64 512), i32 1 seq_cst, align 128
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %3) #15
  %56 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #13
  %57 = load i64, ptr %3, align 8
  %58 = mul nsw i64 %57, 1000000000
  %59 = load i64, ptr %4, align 8
  %60 = add nsw i64 %58, %59
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %3) #15
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
  call void %89(ptr noundef %90, i64 noundef %96, i64 noundef %98) #13
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
  call fastcc void @wake(ptr noundef nonnull getelementptr inbounds nuw (i8, ptr @pool, i64 768), i32 noundef 1) #14
  br label %107

107:                                              ; preds = %81, %71, %101, %105
  %108 = phi i64 [ %72, %101 ], [ %72, %105 ], [ %82, %81 ], [ %72, %71 ]
  %109 = lshr i64 %108, 16
  br label %6
}

declare i32 @pthread_attr_destroy(ptr noundef) local_unnamed_addr #6

define internal fastcc void @wait_while_equal(ptr noundef %0, i32 noundef %1, i64 noundef range(i64 0, 50000001) %2) unnamed_addr #3 {
  %4 = alloca %struct.timespec, align 8
  %5 = alloca %struct.timespec, align 8
  %6 = load i8, ptr @sleeps_by_futex, align 4
  %7 = trunc nuw i8 %6 to i1
  br i1 %7, label %8, label %13

8:                                                ; preds = %3
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %4) #15
  store i64 0, ptr %4, align 8
  %9 = getelementptr inbounds nuw i8, ptr %4, i64 8
  store i64 %2, ptr %9, align 8
  %10 = icmp eq i64 %2, 0
  %11 = select i1 %10, ptr null, ptr %4
  %12 = call i64 (i64, ...) @syscall(i64 noundef 98, ptr noundef %0, i32 noundef 128, i32 noundef %1, ptr noundef %11, ptr noundef null, i32 noundef 0) #13
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %4) #15
  br label %40

13:                                               ; preds = %3
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %5) #15
  %14 = call i32 @clock_gettime(i32 noundef 0, ptr noundef nonnull %5) #13
  %15 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %16 = load i64, ptr %15, align 8
  %17 = add nsw i64 %16, %2
  %18 = freeze i64 %17
  %19 = sdiv i64 %18, 1000000000
  %20 = load i64, ptr %5, align 8
  %21 = add nsw i64 %19, %20
  store i64 %21, ptr %5, align 8
  %22 = mul i64 %19, 1000000000
  %23 = sub i64 %18, %22
  store i64 %23, ptr %15, align 8
  %24 = call i32 @pthread_mutex_lock(ptr noundef nonnull @mutex) #13
  %25 = load atomic i32, ptr %0 seq_cst, align 4
  %26 = icmp eq i32 %25, %1
  br i1 %26, label %27, label %38

27:                                               ; preds = %13
  %28 = icmp eq i64 %2, 0
  br label %29

29:                                               ; preds = %27, %33
  br i1 %28, label %36, label %30

30:                                               ; preds = %29
  %31 = call i32 @pthread_cond_timedwait(ptr noundef nonnull @condition, ptr noundef nonnull @mutex, ptr noundef nonnull %5) #13
  %32 = icmp eq i32 %31, 0
  br i1 %32, label %33, label %38

33:                                               ; preds = %30, %36
  %34 = load atomic i32, ptr %0 seq_cst, align 4
  %35 = icmp eq i32 %34, %1
  br i1 %35, label %29, label %38

36:                                               ; preds = %29
  %37 = call i32 @pthread_cond_wait(ptr noundef nonnull @condition, ptr noundef nonnull @mutex) #13
  br label %33

38:                                               ; preds = %33, %30, %13
  %39 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @mutex) #13
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %5) #15
  br label %40

40:                                               ; preds = %38, %8
  ret void
}

declare i32 @clock_gettime(i32 noundef, ptr noundef) local_unnamed_addr #6

declare void @llvm.aarch64.isb(i32) #8

declare i64 @syscall(i64 noundef, ...) local_unnamed_addr #6

declare i32 @pthread_mutex_lock(ptr noundef) local_unnamed_addr #6

declare i32 @pthread_cond_timedwait(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #9

declare i32 @pthread_cond_wait(ptr noundef, ptr noundef) local_unnamed_addr #9

declare i32 @pthread_mutex_unlock(ptr noundef) local_unnamed_addr #6

declare extern_weak i32 @pthread_getaffinity_np(i64 noundef, i64 noundef, ptr noundef) #6

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #10

declare extern_weak i32 @sched_getcpu() #6

declare extern_weak i32 @pthread_setaffinity_np(i64 noundef, i64 noundef, ptr noundef) #6

define internal fastcc void @move_workers(i32 noundef %0, i32 noundef %1, i32 noundef %2) unnamed_addr #5 {
  %4 = alloca %struct.cpu_set_t, align 8
  %5 = alloca %struct.cpu_set_t, align 8
  store atomic i32 %0, ptr @avoided_processor monotonic, align 4
  call void @llvm.lifetime.start.p0(i64 128, ptr nonnull %4) #15
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(128) %4, ptr noundef nonnull align 8 dereferenceable(128) @allowed, i64 128, i1 false)
  %6 = tail call i32 @__sched_cpucount(i64 noundef 128, ptr noundef nonnull @allowed) #13
  %7 = icmp sle i32 %1, %6
  %8 = icmp ult i32 %0, 1024
  %9 = and i1 %8, %7
  br i1 %9, label %10, label %19

10:                                               ; preds = %3
  %11 = zext nneg i32 %0 to i64
  %12 = and i64 %11, 63
  %13 = shl nuw i64 1, %12
  %14 = xor i64 %13, -1
  %15 = lshr i64 %11, 6
  %16 = getelementptr inbounds nuw i64, ptr %4, i64 %15
  %17 = load i64, ptr %16, align 8
  %18 = and i64 %17, %14
  store i64 %18, ptr %16, align 8
  br label %19

19:                                               ; preds = %10, %3
  %20 = icmp sgt i32 %2, 0
  br i1 %20, label %21, label %24

21:                                               ; preds = %19
  %22 = tail call i32 @llvm.umin.i32(i32 %2, i32 16)
  %23 = zext nneg i32 %22 to i64
  br label %25

24:                                               ; preds = %40, %19
  call void @llvm.lifetime.end.p0(i64 128, ptr nonnull %4) #15
  ret void

25:                                               ; preds = %21, %40
  %26 = phi i64 [ 0, %21 ], [ %41, %40 ]
  call void @llvm.lifetime.start.p0(i64 128, ptr nonnull %5) #15
  %27 = getelementptr inbounds nuw [16 x %struct.anon.1], ptr @placed, i64 0, i64 %26
  %28 = load i64, ptr %27, align 8
  %29 = call i32 @pthread_getaffinity_np(i64 noundef %28, i64 noundef 128, ptr noundef nonnull %5) #13
  %30 = icmp eq i32 %29, 0
  br i1 %30, label %31, label %40

31:                                               ; preds = %25
  %32 = getelementptr inbounds nuw i8, ptr %27, i64 8
  %33 = call i32 @memcmp(ptr noundef nonnull %5, ptr noundef nonnull %32, i64 noundef 128) #13
  %34 = icmp eq i32 %33, 0
  br i1 %34, label %35, label %40

35:                                               ; preds = %31
  %36 = load i64, ptr %27, align 8
  %37 = call i32 @pthread_setaffinity_np(i64 noundef %36, i64 noundef 128, ptr noundef nonnull %4) #13
  %38 = icmp eq i32 %37, 0
  br i1 %38, label %39, label %40

39:                                               ; preds = %35
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(128) %32, ptr noundef nonnull align 8 dereferenceable(128) %4, i64 128, i1 false)
  br label %40

40:                                               ; preds = %35, %39, %31, %25
  call void @llvm.lifetime.end.p0(i64 128, ptr nonnull %5) #15
  %41 = add nuw nsw i64 %26, 1
  %42 = icmp eq i64 %41, %23
  br i1 %42, label %24, label %25
}

declare extern_weak i32 @__sched_cpucount(i64 noundef, ptr noundef) local_unnamed_addr #6

declare i32 @memcmp(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #6

declare i32 @pthread_cond_broadcast(ptr noundef) local_unnamed_addr #6

declare i32 @pthread_mutex_init(ptr noundef, ptr noundef) local_unnamed_addr #6

declare i32 @pthread_cond_init(ptr noundef, ptr noundef) local_unnamed_addr #6

declare i64 @llvm.umax.i64(i64, i64) #11

declare i64 @llvm.smin.i64(i64, i64) #11

declare i32 @llvm.umin.i32(i32, i32) #11

attributes #0 = { nounwind uwtable "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { noinline nounwind uwtable "no-builtins" }
attributes #4 = { mustprogress nofree norecurse nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none) uwtable "no-builtins" }
attributes #5 = { cold noinline nounwind optsize uwtable "no-builtins" }
attributes #6 = { nounwind "no-builtins" }
attributes #7 = { noreturn nounwind uwtable "no-builtins" }
attributes #8 = { mustprogress nofree nounwind willreturn }
attributes #9 = { "no-builtins" }
attributes #10 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #11 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #12 = { cold nobuiltin "no-builtins" }
attributes #13 = { nobuiltin nounwind "no-builtins" }
attributes #14 = { nobuiltin "no-builtins" }
attributes #15 = { nounwind }
