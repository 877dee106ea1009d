; Made of launch.c by 'make native'.
target datalayout = "e-m:o-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-n32:64-S128-Fn32"
target triple = "arm64-apple-darwin"

%struct.anon = type { ptr, ptr, i64, i64, i64 }
%struct.anon.0 = type { ptr, ptr, i64, i64 }
%struct.launch_config = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, ptr, ptr, i64 }
%struct.watch = type { ptr, ptr, i64, i64, [3 x ptr] }
%struct.launch = type { [128 x i64], [128 x i64], i64, [64 x ptr], [9 x i64], [64 x ptr] }
%struct.argument = type { i64, i64, ptr, i64, i64, i64, ptr, i64, i64, i64, i64, i64 }
%struct.word_pair = type { i64, i64 }
%struct.number = type { i32, i64, double }
%struct.axis = type { i64, i64, i64, i64, i64 }
%struct.number_type = type { ptr, i64 }

@hologram_watch_config = local_unnamed_addr global %struct.anon zeroinitializer, align 8
@main_sleeps = internal unnamed_addr global i32 0, align 4
@watches = internal unnamed_addr global ptr null, align 8
@hologram_parallel_config = local_unnamed_addr global %struct.anon.0 zeroinitializer, align 8
@hologram_launch_config = local_unnamed_addr global %struct.launch_config zeroinitializer, align 8

define void @hologram_watch_wait(i32 noundef %0) local_unnamed_addr #0 {
  %2 = tail call i64 @PyThread_get_thread_ident() #13
  %3 = load i64, ptr getelementptr inbounds nuw (i8, ptr @hologram_watch_config, i64 32), align 8
  %4 = icmp eq i64 %2, %3
  br i1 %4, label %5, label %43

5:                                                ; preds = %1
  %6 = icmp slt i32 %0, 2
  br i1 %6, label %7, label %8

7:                                                ; preds = %5
  store atomic i32 %0, ptr @main_sleeps seq_cst, align 4
  br label %43

8:                                                ; preds = %5
  %9 = tail call i32 @PyGILState_Ensure() #13
  %10 = load i64, ptr getelementptr inbounds nuw (i8, ptr @hologram_watch_config, i64 32), align 8
  br label %11

11:                                               ; preds = %15, %8
  %12 = phi ptr [ @watches, %8 ], [ %13, %15 ]
  %13 = load ptr, ptr %12, align 8
  %14 = icmp eq ptr %13, null
  br i1 %14, label %42, label %15

15:                                               ; preds = %11
  %16 = getelementptr inbounds nuw i8, ptr %13, i64 16
  %17 = load i64, ptr %16, align 8
  %18 = icmp eq i64 %17, %10
  br i1 %18, label %19, label %11

19:                                               ; preds = %15
  %20 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %21 = load ptr, ptr %20, align 8
  %22 = load atomic i64, ptr %21 seq_cst, align 8
  %23 = icmp slt i64 %22, 1
  br i1 %23, label %24, label %42

24:                                               ; preds = %19
  %25 = load ptr, ptr %20, align 8
  %26 = cmpxchg ptr %25, i64 -1, i64 0 seq_cst seq_cst, align 8
  %27 = getelementptr inbounds nuw i8, ptr %13, i64 32
  %28 = load ptr, ptr %27, align 8
  %29 = icmp eq ptr %28, null
  br i1 %29, label %30, label %42

30:                                               ; preds = %24
  %31 = tail call i32 @PyErr_CheckSignals() #13
  %32 = icmp eq i32 %31, 0
  br i1 %32, label %42, label %33

33:                                               ; preds = %30
  %34 = getelementptr inbounds nuw i8, ptr %13, i64 40
  %35 = getelementptr inbounds nuw i8, ptr %13, i64 48
  tail call void @PyErr_Fetch(ptr noundef nonnull %27, ptr noundef nonnull %34, ptr noundef nonnull %35) #13
  %36 = load ptr, ptr %20, align 8
  %37 = cmpxchg ptr %36, i64 0, i64 9223372036854775807 seq_cst seq_cst, align 8
  %38 = extractvalue { i64, i1 } %37, 1
  br i1 %38, label %42, label %39

39:                                               ; preds = %33
  %40 = load ptr, ptr %20, align 8
  %41 = cmpxchg ptr %40, i64 -1, i64 9223372036854775807 seq_cst seq_cst, align 8
  br label %42

42:                                               ; preds = %11, %39, %33, %30, %24, %19
  tail call void @PyGILState_Release(i32 noundef %9) #13
  br label %43

43:                                               ; preds = %1, %42, %7
  ret void
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr captures(none)) #1

declare i32 @PyGILState_Ensure() local_unnamed_addr #2

declare void @PyGILState_Release(i32 noundef) local_unnamed_addr #2

declare void @llvm.lifetime.end.p0(i64 immarg, ptr captures(none)) #1

define range(i64 0, 3) i64 @hologram_watch_tick(i64 noundef %0, i64 noundef %1) local_unnamed_addr #3 {
  %3 = load ptr, ptr @watches, align 8
  %4 = icmp eq ptr %3, null
  br i1 %4, label %38, label %8

5:                                                ; preds = %35
  %6 = load ptr, ptr @watches, align 8
  %7 = icmp eq ptr %6, null
  br i1 %7, label %38, label %41

8:                                                ; preds = %2, %35
  %9 = phi ptr [ %36, %35 ], [ %3, %2 ]
  %10 = getelementptr inbounds nuw i8, ptr %9, i64 24
  %11 = load i64, ptr %10, align 8
  %12 = icmp eq i64 %11, 0
  %13 = icmp slt i64 %0, %11
  %14 = or i1 %12, %13
  br i1 %14, label %23, label %15

15:                                               ; preds = %8
  %16 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %17 = load ptr, ptr %16, align 8
  %18 = cmpxchg ptr %17, i64 0, i64 9223372036854775806 seq_cst seq_cst, align 8
  %19 = extractvalue { i64, i1 } %18, 1
  br i1 %19, label %35, label %20

20:                                               ; preds = %15
  %21 = load ptr, ptr %16, align 8
  %22 = cmpxchg ptr %21, i64 -1, i64 9223372036854775806 seq_cst seq_cst, align 8
  br label %35

23:                                               ; preds = %8
  %24 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %25 = load i64, ptr %24, align 8
  %26 = load i64, ptr getelementptr inbounds nuw (i8, ptr @hologram_watch_config, i64 32), align 8
  %27 = icmp eq i64 %25, %26
  br i1 %27, label %28, label %35

28:                                               ; preds = %23
  %29 = load atomic i32, ptr @main_sleeps seq_cst, align 4
  %30 = icmp eq i32 %29, 0
  br i1 %30, label %31, label %35

31:                                               ; preds = %28
  %32 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %33 = load ptr, ptr %32, align 8
  %34 = cmpxchg ptr %33, i64 0, i64 -1 seq_cst seq_cst, align 8
  br label %35

35:                                               ; preds = %20, %15, %31, %28, %23
  %36 = load ptr, ptr %9, align 8
  %37 = icmp eq ptr %36, null
  br i1 %37, label %5, label %8

38:                                               ; preds = %2, %5
  %39 = icmp eq i64 %1, 0
  %40 = zext i1 %39 to i64
  store i64 %40, ptr getelementptr inbounds nuw (i8, ptr @hologram_watch_config, i64 24), align 8
  br label %41

41:                                               ; preds = %5, %38
  %42 = phi i64 [ %40, %38 ], [ 2, %5 ]
  ret i64 %42
}

define void @hologram_watch_forked() local_unnamed_addr #0 {
  %1 = tail call i64 @PyThread_get_thread_ident() #13
  store i64 %1, ptr getelementptr inbounds nuw (i8, ptr @hologram_watch_config, i64 32), align 8
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @hologram_watch_config, i64 24), align 8
  store atomic i32 0, ptr @main_sleeps seq_cst, align 4
  %2 = load ptr, ptr @watches, align 8
  %3 = icmp eq ptr %2, null
  br i1 %3, label %4, label %5

4:                                                ; preds = %13, %0
  ret void

5:                                                ; preds = %0, %13
  %6 = phi ptr [ %11, %13 ], [ %2, %0 ]
  %7 = phi ptr [ %14, %13 ], [ @watches, %0 ]
  %8 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %9 = load i64, ptr %8, align 8
  %10 = icmp eq i64 %9, %1
  %11 = load ptr, ptr %6, align 8
  br i1 %10, label %13, label %12

12:                                               ; preds = %5
  store ptr %11, ptr %7, align 8
  br label %13

13:                                               ; preds = %5, %12
  %14 = phi ptr [ %7, %12 ], [ %6, %5 ]
  %15 = icmp eq ptr %11, null
  br i1 %15, label %4, label %5
}

define i64 @hologram_run_watched(ptr noundef readonly captures(none) %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr #0 {
  %4 = alloca %struct.watch, align 8
  call void @llvm.lifetime.start.p0(i64 56, ptr nonnull %4) #14
  %5 = load ptr, ptr @watches, align 8
  store ptr %5, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %4, i64 8
  store ptr %2, ptr %6, align 8
  %7 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %8 = tail call i64 @PyThread_get_thread_ident() #13
  store i64 %8, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %4, i64 24
  store i64 0, ptr %9, align 8
  %10 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %11 = getelementptr inbounds nuw i8, ptr %2, i64 64
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %10, i8 0, i64 24, i1 false)
  store i64 ptrtoint (ptr @answer to i64), ptr %11, align 8
  %12 = load i64, ptr getelementptr inbounds nuw (i8, ptr @hologram_watch_config, i64 24), align 8
  %13 = icmp eq i64 %12, 0
  %14 = load i64, ptr getelementptr inbounds nuw (i8, ptr @hologram_watch_config, i64 16), align 8
  %15 = icmp ne i64 %14, 0
  %16 = select i1 %13, i1 true, i1 %15
  br i1 %16, label %17, label %21

17:                                               ; preds = %3
  %18 = call fastcc zeroext i1 @prepare_watch(ptr noundef %4) #15
  br i1 %18, label %19, label %40

19:                                               ; preds = %17
  %20 = load ptr, ptr @watches, align 8
  store ptr %20, ptr %4, align 8
  br label %21

21:                                               ; preds = %3, %19
  store ptr %4, ptr @watches, align 8
  %22 = call ptr @PyEval_SaveThread() #13
  call void %0(ptr noundef %1) #13
  call void @PyEval_RestoreThread(ptr noundef %22) #13
  br label %23

23:                                               ; preds = %23, %21
  %24 = phi ptr [ @watches, %21 ], [ %25, %23 ]
  %25 = load ptr, ptr %24, align 8
  %26 = icmp eq ptr %25, %4
  br i1 %26, label %27, label %23

27:                                               ; preds = %23
  %28 = load ptr, ptr %4, align 8
  store ptr %28, ptr %24, align 8
  %29 = load ptr, ptr %6, align 8
  %30 = cmpxchg ptr %29, i64 -1, i64 0 seq_cst seq_cst, align 8
  %31 = load ptr, ptr %10, align 8
  %32 = icmp eq ptr %31, null
  br i1 %32, label %33, label %35

33:                                               ; preds = %27
  %34 = load i64, ptr %2, align 8
  br label %40

35:                                               ; preds = %27
  %36 = getelementptr inbounds nuw i8, ptr %4, i64 40
  %37 = load ptr, ptr %36, align 8
  %38 = getelementptr inbounds nuw i8, ptr %4, i64 48
  %39 = load ptr, ptr %38, align 8
  call void @PyErr_Restore(ptr noundef nonnull %31, ptr noundef %37, ptr noundef %39) #13
  br label %40

40:                                               ; preds = %33, %35, %17
  %41 = phi i64 [ -1, %17 ], [ -1, %35 ], [ %34, %33 ]
  call void @llvm.lifetime.end.p0(i64 56, ptr nonnull %4) #14
  ret i64 %41
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #4

define internal range(i64 0, 2) i64 @answer(ptr noundef readonly captures(address) %0) #0 {
  %2 = load atomic i64, ptr %0 seq_cst, align 8
  %3 = icmp eq i64 %2, -1
  br i1 %3, label %6, label %4

4:                                                ; preds = %1
  %5 = icmp ne i64 %2, 0
  br label %41

6:                                                ; preds = %1
  %7 = tail call i64 @PyThread_get_thread_ident() #13
  %8 = load i64, ptr getelementptr inbounds nuw (i8, ptr @hologram_watch_config, i64 32), align 8
  %9 = icmp eq i64 %7, %8
  br i1 %9, label %10, label %41

10:                                               ; preds = %6
  %11 = tail call i32 @PyGILState_Ensure() #13
  br label %12

12:                                               ; preds = %16, %10
  %13 = phi ptr [ @watches, %10 ], [ %14, %16 ]
  %14 = load ptr, ptr %13, align 8
  %15 = icmp eq ptr %14, null
  br i1 %15, label %38, label %16

16:                                               ; preds = %12
  %17 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %18 = load ptr, ptr %17, align 8
  %19 = icmp eq ptr %18, %0
  br i1 %19, label %20, label %12

20:                                               ; preds = %16
  %21 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %22 = cmpxchg ptr %18, i64 -1, i64 0 seq_cst seq_cst, align 8
  %23 = getelementptr inbounds nuw i8, ptr %14, i64 32
  %24 = load ptr, ptr %23, align 8
  %25 = icmp eq ptr %24, null
  br i1 %25, label %26, label %38

26:                                               ; preds = %20
  %27 = tail call i32 @PyErr_CheckSignals() #13
  %28 = icmp eq i32 %27, 0
  br i1 %28, label %38, label %29

29:                                               ; preds = %26
  %30 = getelementptr inbounds nuw i8, ptr %14, i64 40
  %31 = getelementptr inbounds nuw i8, ptr %14, i64 48
  tail call void @PyErr_Fetch(ptr noundef nonnull %23, ptr noundef nonnull %30, ptr noundef nonnull %31) #13
  %32 = load ptr, ptr %21, align 8
  %33 = cmpxchg ptr %32, i64 0, i64 9223372036854775807 seq_cst seq_cst, align 8
  %34 = extractvalue { i64, i1 } %33, 1
  br i1 %34, label %38, label %35

35:                                               ; preds = %29
  %36 = load ptr, ptr %21, align 8
  %37 = cmpxchg ptr %36, i64 -1, i64 9223372036854775807 seq_cst seq_cst, align 8
  br label %38

38:                                               ; preds = %12, %35, %29, %26, %20
  tail call void @PyGILState_Release(i32 noundef %11) #13
  %39 = load atomic i64, ptr %0 seq_cst, align 8
  %40 = icmp sgt i64 %39, 0
  br label %41

41:                                               ; preds = %6, %38, %4
  %42 = phi i1 [ %5, %4 ], [ %40, %38 ], [ false, %6 ]
  %43 = zext i1 %42 to i64
  ret i64 %43
}

define internal fastcc noundef zeroext i1 @prepare_watch(ptr noundef nonnull writeonly captures(none) %0) unnamed_addr #5 {
  %2 = alloca i32, align 4
  %3 = load i64, ptr getelementptr inbounds nuw (i8, ptr @hologram_watch_config, i64 24), align 8
  %4 = icmp eq i64 %3, 0
  br i1 %4, label %5, label %10

5:                                                ; preds = %1
  %6 = load ptr, ptr @hologram_watch_config, align 8
  %7 = tail call ptr @PyObject_Vectorcall(ptr noundef %6, ptr noundef null, i64 noundef 0, ptr noundef null) #13
  %8 = icmp eq ptr %7, null
  br i1 %8, label %21, label %9

9:                                                ; preds = %5
  tail call void @Py_DecRef(ptr noundef nonnull %7) #13
  br label %10

10:                                               ; preds = %9, %1
  %11 = load i64, ptr getelementptr inbounds nuw (i8, ptr @hologram_watch_config, i64 16), align 8
  %12 = icmp eq i64 %11, 0
  br i1 %12, label %21, label %13

13:                                               ; preds = %10
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %2) #14
  %14 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @hologram_watch_config, i64 8), align 8
  %15 = tail call ptr @PyObject_Vectorcall(ptr noundef %14, ptr noundef null, i64 noundef 0, ptr noundef null) #13
  %16 = icmp ne ptr %15, null
  br i1 %16, label %17, label %20

17:                                               ; preds = %13
  %18 = call i64 @PyLong_AsLongLongAndOverflow(ptr noundef nonnull %15, ptr noundef nonnull %2) #13
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 24
  store i64 %18, ptr %19, align 8
  call void @Py_DecRef(ptr noundef nonnull %15) #13
  br label %20

20:                                               ; preds = %13, %17
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %2) #14
  br label %21

21:                                               ; preds = %20, %10, %5
  %22 = phi i1 [ false, %5 ], [ true, %10 ], [ %16, %20 ]
  ret i1 %22
}

declare ptr @PyEval_SaveThread() local_unnamed_addr #2

declare void @PyEval_RestoreThread(ptr noundef) local_unnamed_addr #2

declare void @PyErr_Restore(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

define void @hologram_run_serially(ptr noundef readonly captures(none) %0, ptr noundef %1, i64 noundef %2, i64 noundef %3, i64 %4) local_unnamed_addr #0 {
  tail call void %0(ptr noundef %1, i64 noundef %2, i64 noundef %3) #13
  ret void
}

define void @hologram_run_parallel(ptr noundef %0, ptr noundef %1, i64 noundef %2, i64 noundef %3, i64 noundef %4) local_unnamed_addr #0 {
  %6 = load atomic i64, ptr @hologram_parallel_config acquire, align 8
  %7 = inttoptr i64 %6 to ptr
  %8 = icmp eq i64 %6, 0
  br i1 %8, label %9, label %29

9:                                                ; preds = %5
  %10 = sub nsw i64 %3, %2
  %11 = tail call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %10, i64 %4)
  %12 = extractvalue { i64, i1 } %11, 1
  %13 = extractvalue { i64, i1 } %11, 0
  %14 = load i64, ptr getelementptr inbounds nuw (i8, ptr @hologram_parallel_config, i64 16), align 8
  %15 = icmp uge i64 %13, %14
  %16 = select i1 %12, i1 true, i1 %15
  br i1 %16, label %17, label %25

17:                                               ; preds = %9
  %18 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @hologram_parallel_config, i64 8), align 8
  tail call void %18() #13
  %19 = load i64, ptr getelementptr inbounds nuw (i8, ptr @hologram_parallel_config, i64 24), align 8
  %20 = icmp eq i64 %19, 0
  br i1 %20, label %22, label %21

21:                                               ; preds = %17
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @hologram_parallel_config, i64 24), align 8
  tail call void @PyErr_SetInterrupt() #13
  br label %22

22:                                               ; preds = %21, %17
  %23 = load atomic i64, ptr @hologram_parallel_config acquire, align 8
  %24 = inttoptr i64 %23 to ptr
  br label %25

25:                                               ; preds = %9, %22
  %26 = phi ptr [ %24, %22 ], [ null, %9 ]
  %27 = icmp eq ptr %26, null
  %28 = select i1 %27, ptr @hologram_run_serially, ptr %26
  br label %29

29:                                               ; preds = %25, %5
  %30 = phi ptr [ %7, %5 ], [ %28, %25 ]
  tail call void %30(ptr noundef %0, ptr noundef %1, i64 noundef %2, i64 noundef %3, i64 noundef %4) #13
  ret void
}

declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64) #6

declare void @PyErr_SetInterrupt() local_unnamed_addr #2

define ptr @hologram_launch(ptr noundef %0, ptr noundef readonly captures(none) %1, i64 noundef %2, ptr noundef %3) local_unnamed_addr #0 {
  %5 = alloca %struct.launch, align 8
  %6 = load i64, ptr getelementptr inbounds nuw (i8, ptr @hologram_launch_config, i64 96), align 8
  %7 = getelementptr inbounds i8, ptr %0, i64 %6
  %8 = load ptr, ptr %7, align 8
  %9 = and i64 %2, 9223372036854775807
  call void @llvm.lifetime.start.p0(i64 3152, ptr nonnull %5) #14
  %10 = getelementptr inbounds nuw i8, ptr %5, i64 2048
  store i64 0, ptr %10, align 8
  %11 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %12 = load i64, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %14 = load i64, ptr %13, align 8
  %15 = icmp slt i64 %12, %14
  br i1 %15, label %16, label %20

16:                                               ; preds = %4
  %17 = getelementptr inbounds nuw i8, ptr %5, i64 2640
  %18 = getelementptr inbounds nuw i8, ptr %8, i64 24
  %19 = load ptr, ptr %18, align 8
  br label %74

20:                                               ; preds = %74, %4
  %21 = icmp eq ptr %3, null
  %22 = icmp eq i64 %9, %14
  %23 = and i1 %21, %22
  br i1 %23, label %24, label %35

24:                                               ; preds = %20
  %25 = icmp eq i64 %9, 0
  br i1 %25, label %81, label %26

26:                                               ; preds = %24
  %27 = getelementptr inbounds nuw i8, ptr %5, i64 2056
  br label %28

28:                                               ; preds = %28, %26
  %29 = phi i64 [ 0, %26 ], [ %33, %28 ]
  %30 = getelementptr inbounds nuw ptr, ptr %1, i64 %29
  %31 = load ptr, ptr %30, align 8
  %32 = getelementptr inbounds nuw [64 x ptr], ptr %27, i64 0, i64 %29
  store ptr %31, ptr %32, align 8
  %33 = add nuw nsw i64 %29, 1
  %34 = icmp eq i64 %33, %9
  br i1 %34, label %81, label %28

35:                                               ; preds = %20
  %36 = icmp eq i64 %9, %12
  br i1 %36, label %37, label %143

37:                                               ; preds = %35
  br i1 %21, label %51, label %38

38:                                               ; preds = %37
  %39 = tail call i64 @PyTuple_Size(ptr noundef nonnull %3) #13
  %40 = icmp eq i64 %39, 1
  %41 = sub nsw i64 %14, %9
  %42 = icmp eq i64 %41, 1
  %43 = select i1 %40, i1 %42, i1 false
  br i1 %43, label %44, label %143

44:                                               ; preds = %38
  %45 = tail call ptr @PyTuple_GetItem(ptr noundef nonnull %3, i64 noundef 0) #13
  %46 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @hologram_launch_config, i64 88), align 8
  %47 = icmp eq ptr %45, %46
  br i1 %47, label %48, label %143

48:                                               ; preds = %44
  %49 = getelementptr inbounds nuw ptr, ptr %1, i64 %9
  %50 = load ptr, ptr %49, align 8
  br label %51

51:                                               ; preds = %48, %37
  %52 = phi ptr [ %50, %48 ], [ null, %37 ]
  %53 = icmp sgt i64 %14, 0
  br i1 %53, label %54, label %81

54:                                               ; preds = %51
  %55 = getelementptr inbounds nuw i8, ptr %8, i64 24
  %56 = getelementptr inbounds nuw i8, ptr %5, i64 2056
  %57 = load ptr, ptr %55, align 8
  br label %58

58:                                               ; preds = %67, %54
  %59 = phi i64 [ 0, %54 ], [ %72, %67 ]
  %60 = getelementptr inbounds nuw %struct.argument, ptr %57, i64 %59
  %61 = icmp samesign ult i64 %59, %9
  br i1 %61, label %62, label %67

62:                                               ; preds = %58
  %63 = getelementptr inbounds nuw i8, ptr %60, i64 88
  %64 = load i64, ptr %63, align 8
  %65 = getelementptr inbounds ptr, ptr %1, i64 %64
  %66 = load ptr, ptr %65, align 8
  br label %67

67:                                               ; preds = %62, %58
  %68 = phi ptr [ %66, %62 ], [ %52, %58 ]
  %69 = getelementptr inbounds nuw i8, ptr %60, i64 80
  %70 = load i64, ptr %69, align 8
  %71 = getelementptr inbounds [64 x ptr], ptr %56, i64 0, i64 %70
  store ptr %68, ptr %71, align 8
  %72 = add nuw nsw i64 %59, 1
  %73 = icmp eq i64 %72, %14
  br i1 %73, label %81, label %58

74:                                               ; preds = %74, %16
  %75 = phi i64 [ %12, %16 ], [ %79, %74 ]
  %76 = getelementptr inbounds %struct.argument, ptr %19, i64 %75, i32 10
  %77 = load i64, ptr %76, align 8
  %78 = getelementptr inbounds [64 x ptr], ptr %17, i64 0, i64 %77
  store ptr null, ptr %78, align 8
  %79 = add nsw i64 %75, 1
  %80 = icmp slt i64 %79, %14
  br i1 %80, label %74, label %20

81:                                               ; preds = %67, %28, %51, %24
  %82 = load i64, ptr %11, align 8
  %83 = call fastcc zeroext i1 @take_arguments(ptr noundef nonnull readonly %8, i64 noundef 0, i64 noundef %82, ptr noundef nonnull %5) #16
  br i1 %83, label %84, label %143

84:                                               ; preds = %81
  %85 = getelementptr inbounds nuw i8, ptr %8, i64 40
  %86 = load i64, ptr %85, align 8
  %87 = icmp eq i64 %86, 0
  br i1 %87, label %92, label %88

88:                                               ; preds = %84
  %89 = getelementptr inbounds nuw i8, ptr %8, i64 32
  %90 = load ptr, ptr %89, align 8
  %91 = call fastcc zeroext i1 @evaluate_shape(ptr noundef %90, i64 noundef %86, ptr noundef nonnull %5) #16
  br i1 %91, label %92, label %143

92:                                               ; preds = %88, %84
  %93 = load i64, ptr %11, align 8
  %94 = load i64, ptr %13, align 8
  %95 = call fastcc zeroext i1 @take_arguments(ptr noundef nonnull readonly %8, i64 noundef %93, i64 noundef %94, ptr noundef nonnull %5) #16
  br i1 %95, label %96, label %143

96:                                               ; preds = %92
  %97 = getelementptr inbounds nuw i8, ptr %8, i64 56
  %98 = load i64, ptr %97, align 8
  %99 = icmp eq i64 %98, 0
  br i1 %99, label %104, label %100

100:                                              ; preds = %96
  %101 = getelementptr inbounds nuw i8, ptr %8, i64 48
  %102 = load ptr, ptr %101, align 8
  %103 = call fastcc zeroext i1 @evaluate_shape(ptr noundef %102, i64 noundef %98, ptr noundef nonnull %5) #16
  br i1 %103, label %104, label %143

104:                                              ; preds = %100, %96
  %105 = getelementptr inbounds nuw i8, ptr %8, i64 96
  %106 = load i64, ptr %105, align 8
  %107 = icmp eq i64 %106, -1
  br i1 %107, label %115, label %108

108:                                              ; preds = %104
  %109 = getelementptr inbounds nuw i8, ptr %8, i64 104
  %110 = load i64, ptr %109, align 8
  %111 = getelementptr inbounds [128 x i64], ptr %5, i64 0, i64 %106
  store i64 %110, ptr %111, align 8
  %112 = add nsw i64 %110, 1179648
  %113 = getelementptr inbounds nuw i8, ptr %5, i64 1024
  %114 = getelementptr inbounds [128 x i64], ptr %113, i64 0, i64 %106
  store i64 %112, ptr %114, align 8
  br label %115

115:                                              ; preds = %108, %104
  %116 = getelementptr inbounds nuw i8, ptr %8, i64 72
  %117 = load i64, ptr %116, align 8
  %118 = icmp slt i64 %117, 1
  br i1 %118, label %145, label %119

119:                                              ; preds = %115
  %120 = getelementptr inbounds nuw i8, ptr %8, i64 64
  %121 = load ptr, ptr %120, align 8
  %122 = getelementptr inbounds nuw i8, ptr %5, i64 1024
  br label %126

123:                                              ; preds = %126
  %124 = add nuw nsw i64 %127, 1
  %125 = icmp eq i64 %124, %117
  br i1 %125, label %145, label %126

126:                                              ; preds = %123, %119
  %127 = phi i64 [ 0, %119 ], [ %124, %123 ]
  %128 = getelementptr inbounds nuw %struct.word_pair, ptr %121, i64 %127
  %129 = load i64, ptr %128, align 8
  %130 = getelementptr inbounds nuw i8, ptr %128, i64 8
  %131 = load i64, ptr %130, align 8
  %132 = getelementptr inbounds [128 x i64], ptr %5, i64 0, i64 %129
  %133 = load i64, ptr %132, align 8
  %134 = getelementptr inbounds [128 x i64], ptr %122, i64 0, i64 %131
  %135 = load i64, ptr %134, align 8
  %136 = icmp uge i64 %133, %135
  %137 = getelementptr inbounds [128 x i64], ptr %5, i64 0, i64 %131
  %138 = load i64, ptr %137, align 8
  %139 = getelementptr inbounds [128 x i64], ptr %122, i64 0, i64 %129
  %140 = load i64, ptr %139, align 8
  %141 = icmp uge i64 %138, %140
  %142 = select i1 %136, i1 true, i1 %141
  br i1 %142, label %123, label %143

143:                                              ; preds = %126, %81, %88, %92, %100, %35, %38, %44
  call fastcc void @drop_outputs(ptr noundef %8, ptr noundef %5) #16
  %144 = tail call fastcc ptr @call_python(ptr noundef %0, ptr noundef %1, i64 noundef %9, ptr noundef %3) #16
  br label %236

145:                                              ; preds = %123, %115
  %146 = getelementptr inbounds nuw i8, ptr %8, i64 112
  %147 = load i64, ptr %146, align 8
  %148 = icmp eq i64 %147, -1
  br i1 %148, label %151, label %149

149:                                              ; preds = %145
  %150 = call fastcc i64 @run_with_sums(ptr noundef nonnull %8, ptr noundef %5) #16
  br label %181

151:                                              ; preds = %145
  %152 = getelementptr inbounds nuw i8, ptr %8, i64 80
  %153 = load i64, ptr %152, align 8
  %154 = icmp eq i64 %153, -1
  br i1 %154, label %159, label %155

155:                                              ; preds = %151
  %156 = getelementptr inbounds nuw i8, ptr %5, i64 2568
  call void @llvm.memset.inline.p0.i64(ptr nonnull align 8 %156, i8 0, i64 64, i1 false)
  %157 = ptrtoint ptr %156 to i64
  %158 = getelementptr inbounds [128 x i64], ptr %5, i64 0, i64 %153
  store i64 %157, ptr %158, align 8
  br label %159

159:                                              ; preds = %155, %151
  %160 = load i64, ptr %10, align 8
  %161 = getelementptr inbounds nuw i8, ptr %8, i64 88
  %162 = load i64, ptr %161, align 8
  %163 = icmp sgt i64 %160, %162
  br i1 %163, label %164, label %175

164:                                              ; preds = %159
  %165 = getelementptr inbounds nuw i8, ptr %8, i64 120
  %166 = load i64, ptr %165, align 8
  %167 = icmp eq i64 %166, 0
  br i1 %167, label %172, label %168

168:                                              ; preds = %164
  %169 = load ptr, ptr %8, align 8
  %170 = getelementptr inbounds nuw i8, ptr %5, i64 2568
  %171 = call i64 @hologram_run_watched(ptr noundef %169, ptr noundef nonnull %5, ptr noundef nonnull %170) #16
  br label %181

172:                                              ; preds = %164
  %173 = call ptr @PyEval_SaveThread() #13
  %174 = load ptr, ptr %8, align 8
  call void %174(ptr noundef nonnull %5) #13
  call void @PyEval_RestoreThread(ptr noundef %173) #13
  br label %177

175:                                              ; preds = %159
  %176 = load ptr, ptr %8, align 8
  call void %176(ptr noundef nonnull %5) #13
  br label %177

177:                                              ; preds = %175, %172
  br i1 %154, label %188, label %178

178:                                              ; preds = %177
  %179 = getelementptr inbounds nuw i8, ptr %5, i64 2568
  %180 = load i64, ptr %179, align 8
  br label %181

181:                                              ; preds = %178, %168, %149
  %182 = phi i64 [ %150, %149 ], [ %171, %168 ], [ %180, %178 ]
  %183 = icmp eq i64 %182, 0
  br i1 %183, label %188, label %184

184:                                              ; preds = %181
  call fastcc void @drop_outputs(ptr noundef nonnull %8, ptr noundef %5) #16
  %185 = icmp slt i64 %182, 0
  br i1 %185, label %236, label %186

186:                                              ; preds = %184
  %187 = call fastcc ptr @raise_trap(ptr noundef %0, ptr noundef %5) #16
  br label %236

188:                                              ; preds = %177, %181
  %189 = getelementptr inbounds nuw i8, ptr %8, i64 24
  %190 = load ptr, ptr %189, align 8
  %191 = load i64, ptr %11, align 8
  %192 = getelementptr inbounds %struct.argument, ptr %190, i64 %191
  %193 = load i64, ptr %13, align 8
  %194 = sub nsw i64 %193, %191
  %195 = icmp eq i64 %194, 1
  br i1 %195, label %196, label %207

196:                                              ; preds = %188
  %197 = getelementptr inbounds nuw i8, ptr %5, i64 2640
  %198 = getelementptr inbounds nuw i8, ptr %192, i64 80
  %199 = load i64, ptr %198, align 8
  %200 = getelementptr inbounds [64 x ptr], ptr %197, i64 0, i64 %199
  %201 = load ptr, ptr %200, align 8
  %202 = icmp eq ptr %201, null
  br i1 %202, label %203, label %236

203:                                              ; preds = %196
  %204 = getelementptr inbounds nuw i8, ptr %5, i64 2056
  %205 = getelementptr inbounds [64 x ptr], ptr %204, i64 0, i64 %199
  %206 = load ptr, ptr %205, align 8
  call void @Py_IncRef(ptr noundef %206) #13
  br label %236

207:                                              ; preds = %188
  %208 = icmp eq i64 %193, %191
  br i1 %208, label %209, label %212

209:                                              ; preds = %207
  %210 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @hologram_launch_config, i64 40), align 8
  call void @Py_IncRef(ptr noundef %210) #13
  %211 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @hologram_launch_config, i64 40), align 8
  br label %236

212:                                              ; preds = %207
  %213 = call ptr @PyTuple_New(i64 noundef %194) #13
  %214 = icmp eq ptr %213, null
  br i1 %214, label %220, label %215

215:                                              ; preds = %212
  %216 = icmp sgt i64 %194, 0
  br i1 %216, label %217, label %236

217:                                              ; preds = %215
  %218 = getelementptr inbounds nuw i8, ptr %5, i64 2640
  %219 = getelementptr inbounds nuw i8, ptr %5, i64 2056
  br label %221

220:                                              ; preds = %212
  call fastcc void @drop_outputs(ptr noundef nonnull readonly %8, ptr noundef nonnull readonly %5) #16
  br label %236

221:                                              ; preds = %231, %217
  %222 = phi i64 [ 0, %217 ], [ %234, %231 ]
  %223 = getelementptr inbounds nuw %struct.argument, ptr %192, i64 %222, i32 10
  %224 = load i64, ptr %223, align 8
  %225 = getelementptr inbounds [64 x ptr], ptr %218, i64 0, i64 %224
  %226 = load ptr, ptr %225, align 8
  %227 = icmp eq ptr %226, null
  br i1 %227, label %228, label %231

228:                                              ; preds = %221
  %229 = getelementptr inbounds [64 x ptr], ptr %219, i64 0, i64 %224
  %230 = load ptr, ptr %229, align 8
  call void @Py_IncRef(ptr noundef %230) #13
  br label %231

231:                                              ; preds = %228, %221
  %232 = phi ptr [ %230, %228 ], [ %226, %221 ]
  %233 = call i32 @PyTuple_SetItem(ptr noundef nonnull %213, i64 noundef %222, ptr noundef %232) #13
  %234 = add nuw nsw i64 %222, 1
  %235 = icmp eq i64 %234, %194
  br i1 %235, label %236, label %221

236:                                              ; preds = %231, %220, %215, %209, %203, %196, %184, %186, %143
  %237 = phi ptr [ %144, %143 ], [ %187, %186 ], [ null, %184 ], [ %211, %209 ], [ null, %220 ], [ %206, %203 ], [ %201, %196 ], [ %213, %215 ], [ %213, %231 ]
  call void @llvm.lifetime.end.p0(i64 3152, ptr nonnull %5) #14
  ret ptr %237
}

define internal fastcc void @drop_outputs(ptr noundef readonly captures(none) %0, ptr noundef nonnull readonly captures(none) %1) unnamed_addr #7 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %4 = load i64, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %6 = load i64, ptr %5, align 8
  %7 = icmp slt i64 %4, %6
  br i1 %7, label %8, label %11

8:                                                ; preds = %2
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 2640
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 24
  br label %12

11:                                               ; preds = %23, %2
  ret void

12:                                               ; preds = %8, %23
  %13 = phi i64 [ %6, %8 ], [ %24, %23 ]
  %14 = phi i64 [ %4, %8 ], [ %25, %23 ]
  %15 = load ptr, ptr %10, align 8
  %16 = getelementptr inbounds %struct.argument, ptr %15, i64 %14, i32 10
  %17 = load i64, ptr %16, align 8
  %18 = getelementptr inbounds [64 x ptr], ptr %9, i64 0, i64 %17
  %19 = load ptr, ptr %18, align 8
  %20 = icmp eq ptr %19, null
  br i1 %20, label %23, label %21

21:                                               ; preds = %12
  tail call void @Py_DecRef(ptr noundef nonnull %19) #13
  %22 = load i64, ptr %5, align 8
  br label %23

23:                                               ; preds = %21, %12
  %24 = phi i64 [ %22, %21 ], [ %13, %12 ]
  %25 = add nsw i64 %14, 1
  %26 = icmp slt i64 %25, %24
  br i1 %26, label %12, label %11
}

define internal fastcc ptr @call_python(ptr noundef %0, ptr noundef readonly captures(none) %1, i64 noundef range(i64 0, -9223372036854775808) %2, ptr noundef %3) unnamed_addr #7 {
  %5 = icmp eq ptr %3, null
  br i1 %5, label %8, label %6

6:                                                ; preds = %4
  %7 = tail call i64 @PyTuple_Size(ptr noundef nonnull %3) #13
  br label %8

8:                                                ; preds = %4, %6
  %9 = phi i64 [ %7, %6 ], [ 0, %4 ]
  %10 = add nsw i64 %9, %2
  %11 = add nsw i64 %10, 1
  %12 = alloca ptr, i64 %11, align 8
  store ptr %0, ptr %12, align 8
  %13 = icmp sgt i64 %10, 0
  br i1 %13, label %18, label %14

14:                                               ; preds = %18, %8
  %15 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @hologram_launch_config, i64 48), align 8
  %16 = add nuw nsw i64 %2, 1
  %17 = call ptr @PyObject_Vectorcall(ptr noundef %15, ptr noundef nonnull %12, i64 noundef %16, ptr noundef %3) #13
  ret ptr %17

18:                                               ; preds = %8, %18
  %19 = phi i64 [ %22, %18 ], [ 0, %8 ]
  %20 = getelementptr inbounds nuw ptr, ptr %1, i64 %19
  %21 = load ptr, ptr %20, align 8
  %22 = add nuw nsw i64 %19, 1
  %23 = getelementptr inbounds nuw ptr, ptr %12, i64 %22
  store ptr %21, ptr %23, align 8
  %24 = icmp eq i64 %22, %10
  br i1 %24, label %14, label %18
}

define internal fastcc i64 @run_with_sums(ptr noundef readonly captures(none) %0, ptr noundef nonnull %1) unnamed_addr #7 {
  %3 = alloca [192 x i64], align 8
  call void @llvm.lifetime.start.p0(i64 1536, ptr nonnull %3) #14
  call void @llvm.memset.inline.p0.i64(ptr nonnull align 8 %3, i8 0, i64 1536, i1 false)
  %4 = ptrtoint ptr %3 to i64
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %6 = load i64, ptr %5, align 8
  %7 = getelementptr inbounds [128 x i64], ptr %1, i64 0, i64 %6
  store i64 %4, ptr %7, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %9 = load i64, ptr %8, align 8
  %10 = icmp eq i64 %9, -1
  br i1 %10, label %16, label %11

11:                                               ; preds = %2
  %12 = getelementptr inbounds nuw i8, ptr %1, i64 2568
  call void @llvm.memset.inline.p0.i64(ptr nonnull align 8 %12, i8 0, i64 64, i1 false)
  %13 = ptrtoint ptr %12 to i64
  %14 = load i64, ptr %8, align 8
  %15 = getelementptr inbounds [128 x i64], ptr %1, i64 0, i64 %14
  store i64 %13, ptr %15, align 8
  br label %16

16:                                               ; preds = %11, %2
  %17 = getelementptr inbounds nuw i8, ptr %1, i64 2048
  %18 = load i64, ptr %17, align 8
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %20 = load i64, ptr %19, align 8
  %21 = icmp sgt i64 %18, %20
  br i1 %21, label %22, label %33

22:                                               ; preds = %16
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %24 = load i64, ptr %23, align 8
  %25 = icmp eq i64 %24, 0
  br i1 %25, label %30, label %26

26:                                               ; preds = %22
  %27 = load ptr, ptr %0, align 8
  %28 = getelementptr inbounds nuw i8, ptr %1, i64 2568
  %29 = call i64 @hologram_run_watched(ptr noundef %27, ptr noundef nonnull %1, ptr noundef nonnull %28) #16
  br label %39

30:                                               ; preds = %22
  %31 = call ptr @PyEval_SaveThread() #13
  %32 = load ptr, ptr %0, align 8
  call void %32(ptr noundef nonnull %1) #13
  call void @PyEval_RestoreThread(ptr noundef %31) #13
  br label %35

33:                                               ; preds = %16
  %34 = load ptr, ptr %0, align 8
  call void %34(ptr noundef nonnull %1) #13
  br label %35

35:                                               ; preds = %33, %30
  br i1 %10, label %39, label %36

36:                                               ; preds = %35
  %37 = getelementptr inbounds nuw i8, ptr %1, i64 2568
  %38 = load i64, ptr %37, align 8
  br label %39

39:                                               ; preds = %26, %35, %36
  %40 = phi i64 [ %29, %26 ], [ %38, %36 ], [ 0, %35 ]
  call void @llvm.lifetime.end.p0(i64 1536, ptr nonnull %3) #14
  ret i64 %40
}

define internal fastcc ptr @raise_trap(ptr noundef %0, ptr noundef nonnull %1) unnamed_addr #7 {
  %3 = alloca [2 x ptr], align 8
  %4 = getelementptr inbounds nuw i8, ptr %1, i64 2568
  %5 = tail call ptr @PyBytes_FromStringAndSize(ptr noundef nonnull %4, i64 noundef 64) #13
  %6 = icmp eq ptr %5, null
  br i1 %6, label %11, label %7

7:                                                ; preds = %2
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %3) #14
  store ptr %0, ptr %3, align 8
  %8 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store ptr %5, ptr %8, align 8
  %9 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @hologram_launch_config, i64 56), align 8
  %10 = call ptr @PyObject_Vectorcall(ptr noundef %9, ptr noundef nonnull %3, i64 noundef 2, ptr noundef null) #13
  call void @Py_DecRef(ptr noundef nonnull %5) #13
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %3) #14
  br label %11

11:                                               ; preds = %2, %7
  %12 = phi ptr [ %10, %7 ], [ null, %2 ]
  ret ptr %12
}

declare i64 @PyThread_get_thread_ident() local_unnamed_addr #2

declare i32 @PyErr_CheckSignals() local_unnamed_addr #2

declare void @PyErr_Fetch(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

declare ptr @PyObject_Vectorcall(ptr noundef, ptr noundef, i64 noundef, ptr noundef) local_unnamed_addr #2

declare void @Py_DecRef(ptr noundef) local_unnamed_addr #2

declare i64 @PyLong_AsLongLongAndOverflow(ptr noundef, ptr noundef) local_unnamed_addr #2

define internal fastcc noundef zeroext i1 @take_arguments(ptr noundef readonly captures(none) %0, i64 noundef %1, i64 noundef %2, ptr noundef nonnull captures(none) %3) unnamed_addr #8 {
  %5 = alloca %struct.number, align 8
  %6 = icmp slt i64 %1, %2
  br i1 %6, label %7, label %155

7:                                                ; preds = %4
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 2056
  %10 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %11 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %12 = getelementptr inbounds nuw i8, ptr %3, i64 2640
  %13 = getelementptr inbounds nuw i8, ptr %3, i64 1024
  %14 = getelementptr inbounds nuw i8, ptr %3, i64 2048
  br label %15

15:                                               ; preds = %7, %152
  %16 = phi i64 [ %1, %7 ], [ %153, %152 ]
  %17 = load ptr, ptr %8, align 8
  %18 = getelementptr inbounds %struct.argument, ptr %17, i64 %16
  %19 = getelementptr inbounds nuw i8, ptr %18, i64 80
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds [64 x ptr], ptr %9, i64 0, i64 %20
  %22 = load ptr, ptr %21, align 8
  %23 = load i64, ptr %18, align 8
  %24 = icmp eq i64 %23, 0
  br i1 %24, label %65, label %25

25:                                               ; preds = %15
  %26 = getelementptr inbounds nuw i8, ptr %18, i64 8
  %27 = load i64, ptr %26, align 8
  %28 = getelementptr inbounds [128 x i64], ptr %3, i64 0, i64 %27
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %5) #14
  call fastcc void @read_number(ptr dead_on_unwind writable sret(%struct.number) align 8 %5, ptr noundef %22) #16
  %29 = load i32, ptr %5, align 8
  %30 = freeze i32 %29
  %31 = icmp eq i32 %30, 1
  %32 = load i64, ptr %10, align 8
  %33 = sitofp i64 %32 to double
  %34 = load double, ptr %11, align 8
  %35 = select i1 %31, double %33, double %34
  %36 = load i64, ptr %18, align 8
  switch i64 %36, label %59 [
    i64 3, label %37
    i64 4, label %42
    i64 1, label %44
    i64 2, label %47
  ]

37:                                               ; preds = %25
  store i64 %32, ptr %28, align 8
  br i1 %31, label %38, label %59

38:                                               ; preds = %37
  %39 = getelementptr inbounds nuw i8, ptr %18, i64 64
  %40 = load i64, ptr %39, align 8
  %41 = icmp sgt i64 %40, %32
  br i1 %41, label %59, label %60

42:                                               ; preds = %25
  store i64 %32, ptr %28, align 8
  %43 = icmp eq i32 %30, 3
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %5) #14
  br i1 %43, label %152, label %155

44:                                               ; preds = %25
  store double %35, ptr %28, align 8
  %45 = add i32 %30, -1
  %46 = icmp ult i32 %45, 2
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %5) #14
  br i1 %46, label %152, label %155

47:                                               ; preds = %25
  %48 = fcmp ogt double %35, 0x47EFFFFFE0000000
  %49 = fcmp ole double %35, 0x7FEFFFFFFFFFFFFF
  %50 = and i1 %48, %49
  br i1 %50, label %59, label %51

51:                                               ; preds = %47
  %52 = fcmp olt double %35, 0xC7EFFFFFE0000000
  %53 = fcmp oge double %35, 0xFFEFFFFFFFFFFFFF
  %54 = and i1 %52, %53
  br i1 %54, label %59, label %55

55:                                               ; preds = %51
  store i64 0, ptr %28, align 8
  %56 = fptrunc double %35 to float
  store float %56, ptr %28, align 4
  %57 = add i32 %30, -1
  %58 = icmp ult i32 %57, 2
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %5) #14
  br i1 %58, label %152, label %155

59:                                               ; preds = %38, %37, %51, %47, %25
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %5) #14
  br label %155

60:                                               ; preds = %38
  %61 = getelementptr inbounds nuw i8, ptr %18, i64 72
  %62 = load i64, ptr %61, align 8
  %63 = icmp sle i64 %32, %62
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %5) #14
  %64 = freeze i1 %63
  br i1 %64, label %152, label %155

65:                                               ; preds = %15
  %66 = icmp eq ptr %22, null
  br i1 %66, label %67, label %72

67:                                               ; preds = %65
  %68 = call fastcc ptr @create_output(ptr noundef nonnull %18, ptr noundef %3) #16
  %69 = load i64, ptr %19, align 8
  %70 = getelementptr inbounds [64 x ptr], ptr %12, i64 0, i64 %69
  store ptr %68, ptr %70, align 8
  %71 = icmp eq ptr %68, null
  br i1 %71, label %155, label %72

72:                                               ; preds = %67, %65
  %73 = phi ptr [ %22, %65 ], [ %68, %67 ]
  %74 = getelementptr inbounds nuw i8, ptr %73, i64 8
  %75 = load ptr, ptr %74, align 8
  %76 = load ptr, ptr @hologram_launch_config, align 8
  %77 = icmp eq ptr %75, %76
  br i1 %77, label %78, label %155

78:                                               ; preds = %72
  %79 = getelementptr inbounds nuw i8, ptr %73, i64 56
  %80 = load ptr, ptr %79, align 8
  %81 = getelementptr inbounds nuw i8, ptr %18, i64 16
  %82 = load ptr, ptr %81, align 8
  %83 = icmp eq ptr %80, %82
  br i1 %83, label %84, label %155

84:                                               ; preds = %78
  %85 = getelementptr inbounds nuw i8, ptr %73, i64 24
  %86 = load i32, ptr %85, align 8
  %87 = sext i32 %86 to i64
  %88 = getelementptr inbounds nuw i8, ptr %18, i64 24
  %89 = load i64, ptr %88, align 8
  %90 = icmp eq i64 %89, %87
  br i1 %90, label %91, label %155

91:                                               ; preds = %84
  %92 = getelementptr inbounds nuw i8, ptr %73, i64 64
  %93 = load i32, ptr %92, align 8
  %94 = sext i32 %93 to i64
  %95 = getelementptr inbounds nuw i8, ptr %18, i64 32
  %96 = load i64, ptr %95, align 8
  %97 = and i64 %96, %94
  %98 = icmp eq i64 %97, %96
  br i1 %98, label %99, label %155

99:                                               ; preds = %91
  %100 = icmp sgt i32 %86, 0
  br i1 %100, label %101, label %131

101:                                              ; preds = %99
  %102 = getelementptr inbounds nuw i8, ptr %18, i64 48
  %103 = getelementptr inbounds nuw i8, ptr %73, i64 32
  br label %104

104:                                              ; preds = %123, %101
  %105 = phi i64 [ 1, %101 ], [ %127, %123 ]
  %106 = phi i64 [ 0, %101 ], [ %128, %123 ]
  %107 = load ptr, ptr %102, align 8
  %108 = getelementptr inbounds nuw %struct.axis, ptr %107, i64 %106
  %109 = load ptr, ptr %103, align 8
  %110 = getelementptr inbounds nuw i64, ptr %109, i64 %106
  %111 = load i64, ptr %110, align 8
  %112 = load i64, ptr %108, align 8
  %113 = icmp eq i64 %112, -1
  br i1 %113, label %123, label %114

114:                                              ; preds = %104
  %115 = icmp sgt i64 %112, -1
  br i1 %115, label %120, label %116

116:                                              ; preds = %114
  %117 = sub nuw nsw i64 -2, %112
  %118 = getelementptr inbounds nuw [128 x i64], ptr %3, i64 0, i64 %117
  %119 = load i64, ptr %118, align 8
  br label %120

120:                                              ; preds = %116, %114
  %121 = phi i64 [ %119, %116 ], [ %112, %114 ]
  %122 = icmp eq i64 %111, %121
  br i1 %122, label %123, label %155

123:                                              ; preds = %120, %104
  %124 = getelementptr inbounds nuw i8, ptr %108, i64 8
  %125 = load i64, ptr %124, align 8
  %126 = getelementptr inbounds [128 x i64], ptr %3, i64 0, i64 %125
  store i64 %111, ptr %126, align 8
  %127 = mul nsw i64 %111, %105
  %128 = add nuw nsw i64 %106, 1
  %129 = load i64, ptr %88, align 8
  %130 = icmp slt i64 %128, %129
  br i1 %130, label %104, label %131

131:                                              ; preds = %123, %99
  %132 = phi i64 [ 1, %99 ], [ %127, %123 ]
  %133 = getelementptr inbounds nuw i8, ptr %18, i64 40
  %134 = load i64, ptr %133, align 8
  %135 = shl i64 %132, %134
  %136 = getelementptr inbounds nuw i8, ptr %73, i64 16
  %137 = load i64, ptr %136, align 8
  %138 = getelementptr inbounds nuw i8, ptr %18, i64 8
  %139 = load i64, ptr %138, align 8
  %140 = getelementptr inbounds [128 x i64], ptr %3, i64 0, i64 %139
  store i64 %137, ptr %140, align 8
  %141 = add nsw i64 %137, %135
  %142 = load i64, ptr %138, align 8
  %143 = getelementptr inbounds [128 x i64], ptr %13, i64 0, i64 %142
  store i64 %141, ptr %143, align 8
  %144 = load i64, ptr %14, align 8
  %145 = add nsw i64 %144, %135
  store i64 %145, ptr %14, align 8
  %146 = getelementptr inbounds nuw i8, ptr %18, i64 56
  %147 = load i64, ptr %146, align 8
  %148 = icmp eq i64 %147, 0
  br i1 %148, label %152, label %149

149:                                              ; preds = %131
  %150 = icmp eq i64 %132, 0
  %151 = call fastcc zeroext i1 @take_strides(ptr noundef nonnull readonly %73, ptr noundef nonnull readonly %18, ptr noundef nonnull %3, i1 noundef zeroext %150) #16
  br i1 %151, label %152, label %155

152:                                              ; preds = %149, %131, %60, %42, %44, %55
  %153 = add i64 %16, 1
  %154 = icmp eq i64 %153, %2
  br i1 %154, label %155, label %15

155:                                              ; preds = %152, %67, %60, %42, %44, %55, %149, %72, %84, %78, %91, %120, %4, %59
  %156 = phi i1 [ false, %59 ], [ true, %4 ], [ false, %120 ], [ true, %152 ], [ false, %67 ], [ false, %60 ], [ false, %42 ], [ false, %44 ], [ false, %55 ], [ false, %149 ], [ false, %72 ], [ false, %84 ], [ false, %78 ], [ false, %91 ]
  ret i1 %156
}

define internal fastcc noundef zeroext i1 @evaluate_shape(ptr noundef readonly captures(address) %0, i64 noundef range(i64 1, 0) %1, ptr noundef nonnull captures(none) %2) unnamed_addr #9 {
  %4 = alloca [32 x i64], align 8
  call void @llvm.lifetime.start.p0(i64 256, ptr nonnull %4) #14
  %5 = shl nsw i64 %1, 4
  %6 = getelementptr inbounds i8, ptr %0, i64 %5
  %7 = icmp slt i64 %1, 1
  br i1 %7, label %100, label %8

8:                                                ; preds = %3, %96
  %9 = phi ptr [ %98, %96 ], [ %0, %3 ]
  %10 = phi ptr [ %97, %96 ], [ %4, %3 ]
  %11 = load i64, ptr %9, align 8
  switch i64 %11, label %38 [
    i64 0, label %12
    i64 1, label %16
    i64 2, label %22
    i64 3, label %26
    i64 4, label %32
  ]

12:                                               ; preds = %8
  %13 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %14 = load i64, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %10, i64 8
  store i64 %14, ptr %10, align 8
  br label %96

16:                                               ; preds = %8
  %17 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %18 = load i64, ptr %17, align 8
  %19 = getelementptr inbounds i64, ptr %2, i64 %18
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %10, i64 8
  store i64 %20, ptr %10, align 8
  br label %96

22:                                               ; preds = %8
  %23 = getelementptr inbounds i8, ptr %10, i64 -8
  %24 = load i64, ptr %23, align 8
  %25 = icmp eq i64 %24, 0
  br i1 %25, label %100, label %96

26:                                               ; preds = %8
  %27 = getelementptr inbounds i8, ptr %10, i64 -8
  %28 = load i64, ptr %27, align 8
  %29 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %30 = load i64, ptr %29, align 8
  %31 = getelementptr inbounds i64, ptr %2, i64 %30
  store i64 %28, ptr %31, align 8
  br label %96

32:                                               ; preds = %8
  %33 = getelementptr inbounds i8, ptr %10, i64 -8
  %34 = load i64, ptr %33, align 8
  %35 = tail call { i64, i1 } @llvm.ssub.with.overflow.i64(i64 0, i64 %34)
  %36 = extractvalue { i64, i1 } %35, 1
  %37 = extractvalue { i64, i1 } %35, 0
  store i64 %37, ptr %33, align 8
  br i1 %36, label %100, label %96

38:                                               ; preds = %8
  %39 = getelementptr inbounds i8, ptr %10, i64 -8
  %40 = getelementptr inbounds i8, ptr %10, i64 -16
  %41 = load i64, ptr %40, align 8
  %42 = load i64, ptr %39, align 8
  switch i64 %11, label %100 [
    i64 5, label %43
    i64 6, label %47
    i64 7, label %92
    i64 8, label %51
    i64 9, label %51
    i64 10, label %70
    i64 11, label %72
    i64 12, label %74
    i64 13, label %77
    i64 14, label %80
    i64 15, label %83
    i64 16, label %86
    i64 17, label %89
  ]

43:                                               ; preds = %38
  %44 = tail call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %41, i64 %42)
  %45 = extractvalue { i64, i1 } %44, 1
  %46 = extractvalue { i64, i1 } %44, 0
  store i64 %46, ptr %40, align 8
  br i1 %45, label %100, label %96

47:                                               ; preds = %38
  %48 = tail call { i64, i1 } @llvm.ssub.with.overflow.i64(i64 %41, i64 %42)
  %49 = extractvalue { i64, i1 } %48, 1
  %50 = extractvalue { i64, i1 } %48, 0
  store i64 %50, ptr %40, align 8
  br i1 %49, label %100, label %96

51:                                               ; preds = %38, %38
  %52 = add i64 %42, 1
  %53 = icmp ult i64 %52, 2
  br i1 %53, label %100, label %54

54:                                               ; preds = %51
  %55 = freeze i64 %41
  %56 = freeze i64 %42
  %57 = sdiv i64 %55, %56
  %58 = mul i64 %57, %56
  %59 = sub i64 %55, %58
  %60 = icmp ne i64 %59, 0
  %61 = xor i64 %59, %42
  %62 = icmp slt i64 %61, 0
  %63 = and i1 %60, %62
  %64 = icmp eq i64 %11, 8
  %65 = sext i1 %63 to i64
  %66 = add i64 %57, %65
  %67 = select i1 %63, i64 %42, i64 0
  %68 = add nsw i64 %67, %59
  %69 = select i1 %64, i64 %66, i64 %68
  store i64 %69, ptr %40, align 8
  br label %96

70:                                               ; preds = %38
  %71 = tail call i64 @llvm.smin.i64(i64 %41, i64 %42)
  store i64 %71, ptr %40, align 8
  br label %96

72:                                               ; preds = %38
  %73 = tail call i64 @llvm.smax.i64(i64 %41, i64 %42)
  store i64 %73, ptr %40, align 8
  br label %96

74:                                               ; preds = %38
  %75 = icmp eq i64 %41, %42
  %76 = zext i1 %75 to i64
  store i64 %76, ptr %40, align 8
  br label %96

77:                                               ; preds = %38
  %78 = icmp ne i64 %41, %42
  %79 = zext i1 %78 to i64
  store i64 %79, ptr %40, align 8
  br label %96

80:                                               ; preds = %38
  %81 = icmp slt i64 %41, %42
  %82 = zext i1 %81 to i64
  store i64 %82, ptr %40, align 8
  br label %96

83:                                               ; preds = %38
  %84 = icmp sle i64 %41, %42
  %85 = zext i1 %84 to i64
  store i64 %85, ptr %40, align 8
  br label %96

86:                                               ; preds = %38
  %87 = icmp sgt i64 %41, %42
  %88 = zext i1 %87 to i64
  store i64 %88, ptr %40, align 8
  br label %96

89:                                               ; preds = %38
  %90 = icmp sge i64 %41, %42
  %91 = zext i1 %90 to i64
  store i64 %91, ptr %40, align 8
  br label %96

92:                                               ; preds = %38
  %93 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %41, i64 %42)
  %94 = extractvalue { i64, i1 } %93, 1
  %95 = extractvalue { i64, i1 } %93, 0
  store i64 %95, ptr %40, align 8
  br i1 %94, label %100, label %96

96:                                               ; preds = %89, %86, %83, %80, %77, %74, %72, %70, %54, %47, %43, %12, %16, %26, %22, %32, %92
  %97 = phi ptr [ %39, %92 ], [ %15, %12 ], [ %21, %16 ], [ %23, %22 ], [ %27, %26 ], [ %10, %32 ], [ %39, %43 ], [ %39, %47 ], [ %39, %54 ], [ %39, %70 ], [ %39, %72 ], [ %39, %74 ], [ %39, %77 ], [ %39, %80 ], [ %39, %83 ], [ %39, %86 ], [ %39, %89 ]
  %98 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %99 = icmp ult ptr %98, %6
  br i1 %99, label %8, label %100

100:                                              ; preds = %92, %32, %22, %96, %43, %47, %51, %38, %3
  %101 = phi i1 [ true, %3 ], [ false, %38 ], [ false, %51 ], [ false, %47 ], [ false, %43 ], [ true, %96 ], [ false, %22 ], [ false, %32 ], [ false, %92 ]
  call void @llvm.lifetime.end.p0(i64 256, ptr nonnull %4) #14
  ret i1 %101
}

declare i64 @PyTuple_Size(ptr noundef) local_unnamed_addr #2

declare ptr @PyTuple_GetItem(ptr noundef, i64 noundef) local_unnamed_addr #2

define internal fastcc ptr @create_output(ptr noundef readonly captures(none) %0, ptr noundef nonnull readonly captures(none) %1) unnamed_addr #7 {
  %3 = alloca [16 x i64], align 8
  call void @llvm.lifetime.start.p0(i64 128, ptr nonnull %3) #14
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %5 = load i64, ptr %4, align 8
  %6 = icmp sgt i64 %5, 0
  br i1 %6, label %7, label %26

7:                                                ; preds = %2
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %9 = load ptr, ptr %8, align 8
  br label %10

10:                                               ; preds = %7, %23
  %11 = phi i64 [ 0, %7 ], [ %24, %23 ]
  %12 = getelementptr inbounds nuw %struct.axis, ptr %9, i64 %11
  %13 = load i64, ptr %12, align 8
  %14 = icmp sgt i64 %13, -1
  br i1 %14, label %15, label %17

15:                                               ; preds = %10
  %16 = getelementptr inbounds nuw [16 x i64], ptr %3, i64 0, i64 %11
  store i64 %13, ptr %16, align 8
  br label %23

17:                                               ; preds = %10
  %18 = sub nsw i64 -2, %13
  %19 = getelementptr inbounds [128 x i64], ptr %1, i64 0, i64 %18
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds nuw [16 x i64], ptr %3, i64 0, i64 %11
  store i64 %20, ptr %21, align 8
  %22 = icmp slt i64 %20, 0
  br i1 %22, label %36, label %23

23:                                               ; preds = %15, %17
  %24 = add nuw nsw i64 %11, 1
  %25 = icmp eq i64 %24, %5
  br i1 %25, label %26, label %10

26:                                               ; preds = %23, %2
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %28 = load ptr, ptr %27, align 8
  tail call void @Py_IncRef(ptr noundef %28) #13
  %29 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @hologram_launch_config, i64 80), align 8
  %30 = load ptr, ptr @hologram_launch_config, align 8
  %31 = load i64, ptr %4, align 8
  %32 = trunc i64 %31 to i32
  %33 = call ptr %29(ptr noundef %30, ptr noundef %28, i32 noundef %32, ptr noundef nonnull %3, ptr noundef null, ptr noundef null, i32 noundef 0, ptr noundef null) #13
  %34 = icmp eq ptr %33, null
  br i1 %34, label %35, label %36

35:                                               ; preds = %26
  call void @PyErr_Clear() #13
  br label %36

36:                                               ; preds = %17, %26, %35
  %37 = phi ptr [ null, %35 ], [ %33, %26 ], [ null, %17 ]
  call void @llvm.lifetime.end.p0(i64 128, ptr nonnull %3) #14
  ret ptr %37
}

define internal fastcc void @read_number(ptr dead_on_unwind noalias nonnull writable writeonly sret(%struct.number) align 8 %0, ptr noundef %1) unnamed_addr #7 {
  %3 = alloca i32, align 4
  %4 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %5 = load ptr, ptr %4, align 8
  %6 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @hologram_launch_config, i64 8), align 8
  %7 = icmp eq ptr %5, %6
  br i1 %7, label %8, label %13

8:                                                ; preds = %2
  %9 = tail call double @PyFloat_AsDouble(ptr noundef nonnull %1) #13
  store i32 2, ptr %0, align 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 4
  store i32 0, ptr %10, align 4
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i64 0, ptr %11, align 8
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store double %9, ptr %12, align 8
  br label %133

13:                                               ; preds = %2
  %14 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @hologram_launch_config, i64 16), align 8
  %15 = icmp eq ptr %5, %14
  br i1 %15, label %16, label %27

16:                                               ; preds = %13
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %3) #14
  %17 = call i64 @PyLong_AsLongLongAndOverflow(ptr noundef nonnull %1, ptr noundef nonnull %3) #13
  %18 = load i32, ptr %3, align 4
  %19 = icmp eq i32 %18, 0
  br i1 %19, label %21, label %20

20:                                               ; preds = %16
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %0, i8 0, i64 24, i1 false)
  br label %25

21:                                               ; preds = %16
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 4
  store i32 0, ptr %22, align 4
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i64 %17, ptr %23, align 8
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store double 0.000000e+00, ptr %24, align 8
  br label %25

25:                                               ; preds = %21, %20
  %26 = phi i32 [ 1, %21 ], [ 0, %20 ]
  store i32 %26, ptr %0, align 8
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %3) #14
  br label %133

27:                                               ; preds = %13
  %28 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @hologram_launch_config, i64 24), align 8
  %29 = icmp eq ptr %1, %28
  %30 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @hologram_launch_config, i64 32), align 8
  %31 = icmp eq ptr %1, %30
  %32 = select i1 %29, i1 true, i1 %31
  br i1 %32, label %38, label %33

33:                                               ; preds = %27
  %34 = load i64, ptr getelementptr inbounds nuw (i8, ptr @hologram_launch_config, i64 72), align 8
  %35 = icmp sgt i64 %34, 0
  br i1 %35, label %36, label %132

36:                                               ; preds = %33
  %37 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @hologram_launch_config, i64 64), align 8
  br label %43

38:                                               ; preds = %27
  store i32 3, ptr %0, align 8
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 4
  store i32 0, ptr %39, align 4
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %41 = zext i1 %29 to i64
  store i64 %41, ptr %40, align 8
  %42 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store double 0.000000e+00, ptr %42, align 8
  br label %133

43:                                               ; preds = %36, %129
  %44 = phi i64 [ 0, %36 ], [ %130, %129 ]
  %45 = getelementptr inbounds nuw %struct.number_type, ptr %37, i64 %44
  %46 = load ptr, ptr %45, align 8
  %47 = icmp eq ptr %46, %5
  br i1 %47, label %48, label %129

48:                                               ; preds = %43
  %49 = getelementptr inbounds nuw %struct.number_type, ptr %37, i64 %44, i32 1
  %50 = load i64, ptr %49, align 8
  switch i64 %50, label %128 [
    i64 0, label %51
    i64 1, label %57
    i64 2, label %64
    i64 3, label %72
    i64 4, label %79
    i64 5, label %86
    i64 6, label %93
    i64 7, label %99
    i64 8, label %106
    i64 9, label %113
    i64 10, label %120
  ]

51:                                               ; preds = %48
  %52 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %53 = load double, ptr %52, align 8
  store i32 2, ptr %0, align 8
  %54 = getelementptr inbounds nuw i8, ptr %0, i64 4
  store i32 0, ptr %54, align 4
  %55 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i64 0, ptr %55, align 8
  %56 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store double %53, ptr %56, align 8
  br label %133

57:                                               ; preds = %48
  %58 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %59 = load float, ptr %58, align 8
  %60 = fpext float %59 to double
  store i32 2, ptr %0, align 8
  %61 = getelementptr inbounds nuw i8, ptr %0, i64 4
  store i32 0, ptr %61, align 4
  %62 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i64 0, ptr %62, align 8
  %63 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store double %60, ptr %63, align 8
  br label %133

64:                                               ; preds = %48
  %65 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %66 = load i8, ptr %65, align 8
  %67 = icmp ne i8 %66, 0
  store i32 3, ptr %0, align 8
  %68 = getelementptr inbounds nuw i8, ptr %0, i64 4
  store i32 0, ptr %68, align 4
  %69 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %70 = zext i1 %67 to i64
  store i64 %70, ptr %69, align 8
  %71 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store double 0.000000e+00, ptr %71, align 8
  br label %133

72:                                               ; preds = %48
  %73 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %74 = load i8, ptr %73, align 8
  %75 = sext i8 %74 to i64
  store i32 1, ptr %0, align 8
  %76 = getelementptr inbounds nuw i8, ptr %0, i64 4
  store i32 0, ptr %76, align 4
  %77 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i64 %75, ptr %77, align 8
  %78 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store double 0.000000e+00, ptr %78, align 8
  br label %133

79:                                               ; preds = %48
  %80 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %81 = load i16, ptr %80, align 8
  %82 = sext i16 %81 to i64
  store i32 1, ptr %0, align 8
  %83 = getelementptr inbounds nuw i8, ptr %0, i64 4
  store i32 0, ptr %83, align 4
  %84 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i64 %82, ptr %84, align 8
  %85 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store double 0.000000e+00, ptr %85, align 8
  br label %133

86:                                               ; preds = %48
  %87 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %88 = load i32, ptr %87, align 8
  %89 = sext i32 %88 to i64
  store i32 1, ptr %0, align 8
  %90 = getelementptr inbounds nuw i8, ptr %0, i64 4
  store i32 0, ptr %90, align 4
  %91 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i64 %89, ptr %91, align 8
  %92 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store double 0.000000e+00, ptr %92, align 8
  br label %133

93:                                               ; preds = %48
  %94 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %95 = load i64, ptr %94, align 8
  store i32 1, ptr %0, align 8
  %96 = getelementptr inbounds nuw i8, ptr %0, i64 4
  store i32 0, ptr %96, align 4
  %97 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i64 %95, ptr %97, align 8
  %98 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store double 0.000000e+00, ptr %98, align 8
  br label %133

99:                                               ; preds = %48
  %100 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %101 = load i8, ptr %100, align 8
  %102 = zext i8 %101 to i64
  store i32 1, ptr %0, align 8
  %103 = getelementptr inbounds nuw i8, ptr %0, i64 4
  store i32 0, ptr %103, align 4
  %104 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i64 %102, ptr %104, align 8
  %105 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store double 0.000000e+00, ptr %105, align 8
  br label %133

106:                                              ; preds = %48
  %107 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %108 = load i16, ptr %107, align 8
  %109 = zext i16 %108 to i64
  store i32 1, ptr %0, align 8
  %110 = getelementptr inbounds nuw i8, ptr %0, i64 4
  store i32 0, ptr %110, align 4
  %111 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i64 %109, ptr %111, align 8
  %112 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store double 0.000000e+00, ptr %112, align 8
  br label %133

113:                                              ; preds = %48
  %114 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %115 = load i32, ptr %114, align 8
  %116 = zext i32 %115 to i64
  store i32 1, ptr %0, align 8
  %117 = getelementptr inbounds nuw i8, ptr %0, i64 4
  store i32 0, ptr %117, align 4
  %118 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i64 %116, ptr %118, align 8
  %119 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store double 0.000000e+00, ptr %119, align 8
  br label %133

120:                                              ; preds = %48
  %121 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %122 = load i64, ptr %121, align 8
  %123 = icmp sgt i64 %122, -1
  br i1 %123, label %124, label %128

124:                                              ; preds = %120
  store i32 1, ptr %0, align 8
  %125 = getelementptr inbounds nuw i8, ptr %0, i64 4
  store i32 0, ptr %125, align 4
  %126 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i64 %122, ptr %126, align 8
  %127 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store double 0.000000e+00, ptr %127, align 8
  br label %133

128:                                              ; preds = %120, %48
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %0, i8 0, i64 24, i1 false)
  br label %133

129:                                              ; preds = %43
  %130 = add nuw nsw i64 %44, 1
  %131 = icmp eq i64 %130, %34
  br i1 %131, label %132, label %43

132:                                              ; preds = %129, %33
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %0, i8 0, i64 24, i1 false)
  br label %133

133:                                              ; preds = %128, %124, %113, %106, %99, %93, %86, %79, %72, %64, %57, %51, %132, %38, %25, %8
  ret void
}

declare double @PyFloat_AsDouble(ptr noundef) local_unnamed_addr #2

declare void @Py_IncRef(ptr noundef) local_unnamed_addr #2

declare void @PyErr_Clear() local_unnamed_addr #2

define internal fastcc noundef zeroext i1 @take_strides(ptr noundef nonnull readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef nonnull writeonly captures(none) %2, i1 noundef zeroext %3) unnamed_addr #10 {
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %6 = load i64, ptr %5, align 8
  %7 = icmp slt i64 %6, 1
  br i1 %7, label %46, label %8

8:                                                ; preds = %4
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 32
  br label %13

13:                                               ; preds = %8, %42
  %14 = phi i64 [ 0, %8 ], [ %43, %42 ]
  %15 = load ptr, ptr %9, align 8
  %16 = getelementptr inbounds nuw %struct.axis, ptr %15, i64 %14
  %17 = load ptr, ptr %10, align 8
  %18 = getelementptr inbounds nuw i64, ptr %17, i64 %14
  %19 = load i64, ptr %18, align 8
  %20 = load i64, ptr %11, align 8
  %21 = ashr i64 %19, %20
  %22 = getelementptr inbounds nuw i8, ptr %16, i64 32
  %23 = load i64, ptr %22, align 8
  %24 = getelementptr inbounds [128 x i64], ptr %2, i64 0, i64 %23
  store i64 %21, ptr %24, align 8
  br i1 %3, label %42, label %25

25:                                               ; preds = %13
  %26 = load ptr, ptr %12, align 8
  %27 = getelementptr inbounds nuw i64, ptr %26, i64 %14
  %28 = load i64, ptr %27, align 8
  %29 = icmp slt i64 %28, 2
  br i1 %29, label %42, label %30

30:                                               ; preds = %25
  %31 = load i64, ptr %11, align 8
  %32 = shl i64 %21, %31
  %33 = icmp eq i64 %32, %19
  br i1 %33, label %34, label %46

34:                                               ; preds = %30
  %35 = getelementptr inbounds nuw i8, ptr %16, i64 24
  %36 = load i64, ptr %35, align 8
  %37 = icmp eq i64 %36, 0
  br i1 %37, label %42, label %38

38:                                               ; preds = %34
  %39 = getelementptr inbounds nuw i8, ptr %16, i64 16
  %40 = load i64, ptr %39, align 8
  %41 = icmp eq i64 %21, %40
  br i1 %41, label %42, label %46

42:                                               ; preds = %34, %38, %25, %13
  %43 = add nuw nsw i64 %14, 1
  %44 = load i64, ptr %5, align 8
  %45 = icmp slt i64 %43, %44
  br i1 %45, label %13, label %46

46:                                               ; preds = %42, %38, %30, %4
  %47 = phi i1 [ true, %4 ], [ false, %30 ], [ false, %38 ], [ true, %42 ]
  ret i1 %47
}

declare { i64, i1 } @llvm.ssub.with.overflow.i64(i64, i64) #6

declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64) #6

declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64) #6

declare void @llvm.memset.inline.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #4

declare ptr @PyBytes_FromStringAndSize(ptr noundef, i64 noundef) local_unnamed_addr #2

declare ptr @PyTuple_New(i64 noundef) local_unnamed_addr #2

declare i32 @PyTuple_SetItem(ptr noundef, i64 noundef, ptr noundef) local_unnamed_addr #2

declare i64 @llvm.smax.i64(i64, i64) #11

declare i64 @llvm.smin.i64(i64, i64) #11

attributes #0 = { nounwind uwtable "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-builtins" }
attributes #3 = { nofree norecurse nounwind memory(readwrite, inaccessiblemem: none) uwtable "no-builtins" }
attributes #4 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #5 = { cold noinline nounwind optsize uwtable "no-builtins" }
attributes #6 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { noinline nounwind uwtable "no-builtins" }
attributes #8 = { inlinehint nounwind uwtable "no-builtins" }
attributes #9 = { nofree noinline norecurse nosync nounwind memory(argmem: readwrite) uwtable "no-builtins" }
attributes #10 = { nofree noinline norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none) uwtable "no-builtins" }
attributes #11 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #12 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #13 = { nobuiltin nounwind "no-builtins" }
attributes #14 = { nounwind }
attributes #15 = { cold nobuiltin "no-builtins" }
attributes #16 = { nobuiltin "no-builtins" }
