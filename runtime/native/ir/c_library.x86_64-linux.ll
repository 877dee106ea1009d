; Made of c_library.c by 'make native'.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.__va_list_tag = type { i32, i32, ptr, ptr }
%struct.hologram_entry = type { ptr, ptr, ptr, i64, ptr, i64, i64, i64, ptr, i64, i64, ptr, i64, i64, i64 }
%struct.hologram_state = type { ptr, [96 x %struct.hologram_sum] }
%struct.hologram_sum = type { i64, i64 }
%struct.launch = type { ptr, ptr, ptr, ptr, ptr, ptr }
%struct.range = type { i64, i64, i8 }
%struct.hologram_argument = type { ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64, ptr }
%struct.hologram_value = type { i64, i64, ptr, ptr, ptr }
%struct.hologram_expression = type { ptr, i64, ptr }
%struct.hologram_axis = type { i64, i64, i64, i64, i64, %struct.hologram_expression }

@.str = private unnamed_addr constant [25 x i8] c"'%s' can't be loaded: %s\00", align 1
@.str.1 = private unnamed_addr constant [15 x i8] c"hologram_table\00", align 1
@.str.2 = private unnamed_addr constant [72 x i8] c"'%s' is no program that hologram-compile made: it has no hologram_table\00", align 1
@.str.3 = private unnamed_addr constant [93 x i8] c"'%s' has tables of version %ld, and this library reads version %d: compile the program again\00", align 1
@.str.4 = private unnamed_addr constant [39 x i8] c"there is no '%s': no program is loaded\00", align 1
@.str.5 = private unnamed_addr constant [47 x i8] c"the program has no entry '%s'; its first is %s\00", align 1
@.str.6 = private unnamed_addr constant [46 x i8] c"%s: %ld arguments are given, and it takes %ld\00", align 1
@.str.7 = private unnamed_addr constant [48 x i8] c"%s: argument '%s' is of type %s, and must be %s\00", align 1
@.str.8 = private unnamed_addr constant [50 x i8] c"%s: argument '%s' has %ld axes, and must have %ld\00", align 1
@dtype_name.names = internal unnamed_addr constant [29 x ptr] [ptr null, ptr @.str.9, ptr @.str.10, ptr @.str.11, ptr @.str.12, ptr @.str.13, ptr @.str.14, ptr @.str.15, ptr @.str.16, ptr @.str.17, ptr @.str.18, ptr @.str.19, ptr @.str.20, ptr @.str.21, ptr @.str.22, ptr @.str.23, ptr @.str.24, ptr @.str.25, ptr @.str.26, ptr @.str.27, ptr @.str.28, ptr @.str.29, ptr @.str.30, ptr @.str.31, ptr @.str.32, ptr @.str.33, ptr @.str.34, ptr @.str.35, ptr @.str.36], align 16
@.str.9 = private unnamed_addr constant [4 x i8] c"f16\00", align 1
@.str.10 = private unnamed_addr constant [5 x i8] c"bf16\00", align 1
@.str.11 = private unnamed_addr constant [4 x i8] c"f32\00", align 1
@.str.12 = private unnamed_addr constant [4 x i8] c"f64\00", align 1
@.str.13 = private unnamed_addr constant [3 x i8] c"i8\00", align 1
@.str.14 = private unnamed_addr constant [4 x i8] c"i16\00", align 1
@.str.15 = private unnamed_addr constant [4 x i8] c"i32\00", align 1
@.str.16 = private unnamed_addr constant [4 x i8] c"i64\00", align 1
@.str.17 = private unnamed_addr constant [3 x i8] c"u8\00", align 1
@.str.18 = private unnamed_addr constant [4 x i8] c"u16\00", align 1
@.str.19 = private unnamed_addr constant [4 x i8] c"u32\00", align 1
@.str.20 = private unnamed_addr constant [4 x i8] c"u64\00", align 1
@.str.21 = private unnamed_addr constant [5 x i8] c"bool\00", align 1
@.str.22 = private unnamed_addr constant [6 x i8] c"index\00", align 1
@.str.23 = private unnamed_addr constant [5 x i8] c"i128\00", align 1
@.str.24 = private unnamed_addr constant [5 x i8] c"i256\00", align 1
@.str.25 = private unnamed_addr constant [5 x i8] c"i512\00", align 1
@.str.26 = private unnamed_addr constant [6 x i8] c"i1024\00", align 1
@.str.27 = private unnamed_addr constant [6 x i8] c"i2048\00", align 1
@.str.28 = private unnamed_addr constant [6 x i8] c"i4096\00", align 1
@.str.29 = private unnamed_addr constant [5 x i8] c"u128\00", align 1
@.str.30 = private unnamed_addr constant [5 x i8] c"u256\00", align 1
@.str.31 = private unnamed_addr constant [5 x i8] c"u512\00", align 1
@.str.32 = private unnamed_addr constant [6 x i8] c"u1024\00", align 1
@.str.33 = private unnamed_addr constant [6 x i8] c"u2048\00", align 1
@.str.34 = private unnamed_addr constant [6 x i8] c"u4096\00", align 1
@.str.35 = private unnamed_addr constant [9 x i8] c"f8E4M3FN\00", align 1
@.str.36 = private unnamed_addr constant [7 x i8] c"f8E5M2\00", align 1
@.str.37 = private unnamed_addr constant [25 x i8] c"a type that there is not\00", align 1
@.str.38 = private unnamed_addr constant [31 x i8] c"%s: argument '%s' has no sizes\00", align 1
@.str.39 = private unnamed_addr constant [62 x i8] c"%s: argument '%s' must have sizes %s: that of axis %ld is %ld\00", align 1
@.str.40 = private unnamed_addr constant [11 x i8] c"at least 0\00", align 1
@.str.41 = private unnamed_addr constant [17 x i8] c"as its type says\00", align 1
@.str.42 = private unnamed_addr constant [52 x i8] c"%s: argument '%s' has more bytes than 64 bits count\00", align 1
@.str.43 = private unnamed_addr constant [46 x i8] c"%s: argument '%s' has no memory: data is NULL\00", align 1
@.str.44 = private unnamed_addr constant [46 x i8] c"%s: argument '%s' is not aligned to %ld bytes\00", align 1
@.str.45 = private unnamed_addr constant [54 x i8] c"%s: argument '%s' has stride %ld where it must be %ld\00", align 1
@.str.46 = private unnamed_addr constant [45 x i8] c"%s: argument '%s' is not aligned to %d bytes\00", align 1
@.str.47 = private unnamed_addr constant [36 x i8] c"%s: the arguments do not satisfy %s\00", align 1
@.str.48 = private unnamed_addr constant [60 x i8] c"%s: the result '%s' has no size: %s gives none for axis %ld\00", align 1
@.str.49 = private unnamed_addr constant [65 x i8] c"%s: the result '%s' has size %ld on an axis where it must be %ld\00", align 1
@.str.50 = private unnamed_addr constant [43 x i8] c"%s: there is no memory for the result '%s'\00", align 1
@.str.51 = private unnamed_addr constant [69 x i8] c"%s: arguments '%s' and '%s' share memory, and one of them is written\00", align 1
@.str.52 = private unnamed_addr constant [92 x i8] c"%s reaches class memory: run it by hologram_launch, with a state whose classes are not NULL\00", align 1
@.str.53 = private unnamed_addr constant [44 x i8] c"%s: class memory is not aligned to %d bytes\00", align 1
@.str.54 = private unnamed_addr constant [76 x i8] c"%s: argument '%s' lies in class memory, which the program reaches by itself\00", align 1
@.str.55 = private unnamed_addr constant [17 x i8] c"%s: %s; lane %ld\00", align 1

define range(i64 0, 2) i64 @hologram_open(ptr noundef %0, ptr noundef writeonly captures(none) initializes((0, 16)) %1, ptr noundef %2) local_unnamed_addr #0 {
  store ptr null, ptr %1, align 8
  %4 = getelementptr inbounds nuw i8, ptr %1, i64 8
  store ptr null, ptr %4, align 8
  %5 = tail call ptr @dlopen(ptr noundef %0, i32 noundef 2) #11
  %6 = icmp eq ptr %5, null
  br i1 %6, label %7, label %10

7:                                                ; preds = %3
  %8 = tail call ptr @dlerror() #11
  %9 = tail call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %2, i64 noundef 1, ptr noundef nonnull @.str, ptr noundef %0, ptr noundef %8) #12
  br label %23

10:                                               ; preds = %3
  %11 = tail call ptr @dlsym(ptr noundef nonnull %5, ptr noundef nonnull @.str.1) #11
  %12 = icmp eq ptr %11, null
  br i1 %12, label %13, label %16

13:                                               ; preds = %10
  %14 = tail call i32 @dlclose(ptr noundef nonnull %5) #11
  %15 = tail call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %2, i64 noundef 1, ptr noundef nonnull @.str.2, ptr noundef %0) #12
  br label %23

16:                                               ; preds = %10
  %17 = load i64, ptr %11, align 8
  %18 = icmp eq i64 %17, 2
  br i1 %18, label %22, label %19

19:                                               ; preds = %16
  %20 = tail call i32 @dlclose(ptr noundef nonnull %5) #11
  %21 = tail call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %2, i64 noundef 1, ptr noundef nonnull @.str.3, ptr noundef %0, i64 noundef %17, i32 noundef 2) #12
  br label %23

22:                                               ; preds = %16
  store ptr %5, ptr %1, align 8
  store ptr %11, ptr %4, align 8
  br label %23

23:                                               ; preds = %13, %19, %22, %7
  %24 = phi i64 [ 1, %7 ], [ 1, %19 ], [ 0, %22 ], [ 1, %13 ]
  ret i64 %24
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr captures(none)) #1

declare ptr @dlopen(ptr noundef, i32 noundef) local_unnamed_addr #2

define internal noundef range(i64 1, 6) i64 @fail(ptr noundef %0, i64 noundef returned range(i64 1, 6) %1, ptr noundef %2, ...) unnamed_addr #3 {
  %4 = alloca [1 x %struct.__va_list_tag], align 16
  %5 = icmp eq ptr %0, null
  br i1 %5, label %9, label %6

6:                                                ; preds = %3
  store i64 %1, ptr %0, align 8
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %4) #13
  call void @llvm.va_start.p0(ptr nonnull %4)
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = call i32 @vsnprintf(ptr noundef nonnull %7, i64 noundef 1016, ptr noundef %2, ptr noundef nonnull %4) #11
  call void @llvm.va_end.p0(ptr nonnull %4)
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %4) #13
  br label %9

9:                                                ; preds = %3, %6
  ret i64 %1
}

declare ptr @dlerror() local_unnamed_addr #2

declare ptr @dlsym(ptr noundef, ptr noundef) local_unnamed_addr #2

declare i32 @dlclose(ptr noundef) local_unnamed_addr #2

declare void @llvm.lifetime.end.p0(i64 immarg, ptr captures(none)) #1

define void @hologram_close(ptr noundef captures(none) initializes((8, 16)) %0) local_unnamed_addr #0 {
  %2 = load ptr, ptr %0, align 8
  store ptr null, ptr %0, align 8
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store ptr null, ptr %3, align 8
  %4 = icmp eq ptr %2, null
  br i1 %4, label %7, label %5

5:                                                ; preds = %1
  %6 = tail call i32 @dlclose(ptr noundef nonnull %2) #11
  br label %7

7:                                                ; preds = %5, %1
  ret void
}

define range(i64 0, 3) i64 @hologram_find(ptr noundef readonly captures(none) %0, ptr noundef %1, ptr noundef writeonly captures(none) initializes((0, 8)) %2, ptr noundef %3) local_unnamed_addr #0 {
  store ptr null, ptr %2, align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %6 = load ptr, ptr %5, align 8
  %7 = icmp eq ptr %6, null
  br i1 %7, label %14, label %8

8:                                                ; preds = %4
  %9 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %10 = load i64, ptr %9, align 8
  %11 = icmp sgt i64 %10, 0
  %12 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %13 = load ptr, ptr %12, align 8
  br i1 %11, label %19, label %26

14:                                               ; preds = %4
  %15 = tail call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %3, i64 noundef 1, ptr noundef nonnull @.str.4, ptr noundef %1) #12
  br label %30

16:                                               ; preds = %19
  %17 = add nuw nsw i64 %20, 1
  %18 = icmp eq i64 %17, %10
  br i1 %18, label %26, label %19

19:                                               ; preds = %8, %16
  %20 = phi i64 [ %17, %16 ], [ 0, %8 ]
  %21 = getelementptr inbounds nuw %struct.hologram_entry, ptr %13, i64 %20
  %22 = load ptr, ptr %21, align 8
  %23 = tail call i32 @strcmp(ptr noundef %22, ptr noundef %1) #14
  %24 = icmp eq i32 %23, 0
  br i1 %24, label %25, label %16

25:                                               ; preds = %19
  store ptr %21, ptr %2, align 8
  br label %30

26:                                               ; preds = %16, %8
  %27 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %28 = load ptr, ptr %27, align 8
  %29 = tail call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %3, i64 noundef 2, ptr noundef nonnull @.str.5, ptr noundef %1, ptr noundef %28) #12
  br label %30

30:                                               ; preds = %25, %26, %14
  %31 = phi i64 [ 2, %26 ], [ 0, %25 ], [ 1, %14 ]
  ret i64 %31
}

declare i32 @strcmp(ptr noundef, ptr noundef) local_unnamed_addr #4

define range(i64 0, 6) i64 @hologram_launch(ptr noundef %0, ptr noundef %1, i64 noundef %2, ptr noundef %3, ptr noundef %4) local_unnamed_addr #0 {
  %6 = alloca [8 x i64], align 16
  %7 = alloca %struct.hologram_state, align 8
  %8 = alloca %struct.launch, align 8
  call void @llvm.lifetime.start.p0(i64 1544, ptr nonnull %7) #13
  %9 = icmp eq ptr %3, null
  %10 = getelementptr inbounds nuw i8, ptr %3, i64 8
  br i1 %9, label %11, label %13

11:                                               ; preds = %5
  %12 = getelementptr inbounds nuw i8, ptr %7, i64 8
  store ptr null, ptr %7, align 8
  br label %13

13:                                               ; preds = %11, %5
  %14 = phi ptr [ %10, %5 ], [ %12, %11 ]
  %15 = phi ptr [ %3, %5 ], [ %7, %11 ]
  %16 = call ptr @memset(ptr noundef nonnull %14, i32 noundef 0, i64 noundef 1536) #11
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %18 = load i64, ptr %17, align 8
  %19 = icmp eq i64 %2, %18
  br i1 %19, label %24, label %20

20:                                               ; preds = %13
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %22 = load ptr, ptr %21, align 8
  %23 = call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %4, i64 noundef 3, ptr noundef nonnull @.str.6, ptr noundef %22, i64 noundef %2, i64 noundef %18) #12
  br label %421

24:                                               ; preds = %13
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %26 = load i64, ptr %25, align 8
  %27 = call ptr @llvm.stacksave.p0()
  %28 = alloca i64, i64 %26, align 16
  %29 = shl nuw i64 %26, 3
  %30 = call ptr @memset(ptr noundef nonnull %28, i32 noundef 0, i64 noundef %29) #11
  %31 = add nsw i64 %2, 1
  %32 = alloca %struct.range, i64 %31, align 16
  %33 = mul nuw i64 %31, 24
  %34 = call ptr @memset(ptr noundef nonnull %32, i32 noundef 0, i64 noundef %33) #11
  call void @llvm.lifetime.start.p0(i64 48, ptr nonnull %8) #13
  store ptr %0, ptr %8, align 8
  %35 = getelementptr inbounds nuw i8, ptr %8, i64 8
  store ptr %1, ptr %35, align 8
  %36 = getelementptr inbounds nuw i8, ptr %8, i64 16
  store ptr %28, ptr %36, align 8
  %37 = getelementptr inbounds nuw i8, ptr %8, i64 24
  store ptr %32, ptr %37, align 8
  %38 = getelementptr inbounds nuw i8, ptr %8, i64 32
  store ptr %15, ptr %38, align 8
  %39 = getelementptr inbounds nuw i8, ptr %8, i64 40
  store ptr %4, ptr %39, align 8
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 32
  br label %41

41:                                               ; preds = %123, %24
  %42 = phi i64 [ 0, %24 ], [ %125, %123 ]
  %43 = load i64, ptr %17, align 8
  %44 = icmp slt i64 %42, %43
  br i1 %44, label %45, label %127

45:                                               ; preds = %41
  %46 = load ptr, ptr %40, align 8
  %47 = getelementptr inbounds nuw %struct.hologram_argument, ptr %46, i64 %42
  %48 = getelementptr inbounds nuw %struct.hologram_value, ptr %1, i64 %42
  %49 = load i64, ptr %48, align 8
  %50 = getelementptr inbounds nuw i8, ptr %47, i64 16
  %51 = load i64, ptr %50, align 8
  %52 = icmp eq i64 %49, %51
  br i1 %52, label %71, label %53

53:                                               ; preds = %45
  %54 = load ptr, ptr %0, align 8
  %55 = load ptr, ptr %47, align 8
  %56 = add i64 %49, -1
  %57 = icmp ult i64 %56, 28
  br i1 %57, label %58, label %61

58:                                               ; preds = %53
  %59 = getelementptr inbounds nuw [29 x ptr], ptr @dtype_name.names, i64 0, i64 %49
  %60 = load ptr, ptr %59, align 8
  br label %61

61:                                               ; preds = %58, %53
  %62 = phi ptr [ %60, %58 ], [ @.str.37, %53 ]
  %63 = add i64 %51, -1
  %64 = icmp ult i64 %63, 28
  br i1 %64, label %65, label %68

65:                                               ; preds = %61
  %66 = getelementptr inbounds nuw [29 x ptr], ptr @dtype_name.names, i64 0, i64 %51
  %67 = load ptr, ptr %66, align 8
  br label %68

68:                                               ; preds = %65, %61
  %69 = phi ptr [ %67, %65 ], [ @.str.37, %61 ]
  %70 = call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %4, i64 noundef 3, ptr noundef nonnull @.str.7, ptr noundef %54, ptr noundef %55, ptr noundef %62, ptr noundef %69) #12
  br label %404

71:                                               ; preds = %45
  %72 = getelementptr inbounds nuw i8, ptr %48, i64 8
  %73 = load i64, ptr %72, align 8
  %74 = getelementptr inbounds nuw i8, ptr %47, i64 24
  %75 = load i64, ptr %74, align 8
  %76 = icmp eq i64 %73, %75
  br i1 %76, label %81, label %77

77:                                               ; preds = %71
  %78 = load ptr, ptr %0, align 8
  %79 = load ptr, ptr %47, align 8
  %80 = call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %4, i64 noundef 3, ptr noundef nonnull @.str.8, ptr noundef %78, ptr noundef %79, i64 noundef %73, i64 noundef %75) #12
  br label %404

81:                                               ; preds = %71
  %82 = getelementptr inbounds nuw i8, ptr %48, i64 16
  %83 = load ptr, ptr %82, align 8
  %84 = icmp eq ptr %83, null
  br i1 %84, label %85, label %93

85:                                               ; preds = %81
  %86 = getelementptr inbounds nuw i8, ptr %47, i64 72
  %87 = load i64, ptr %86, align 8
  %88 = icmp eq i64 %87, 0
  br i1 %88, label %89, label %123

89:                                               ; preds = %85
  %90 = getelementptr inbounds nuw i8, ptr %47, i64 8
  %91 = load i64, ptr %90, align 8
  %92 = icmp eq i64 %91, 0
  br i1 %92, label %99, label %97

93:                                               ; preds = %81
  %94 = getelementptr inbounds nuw i8, ptr %47, i64 8
  %95 = load i64, ptr %94, align 8
  %96 = icmp eq i64 %95, 0
  br i1 %96, label %103, label %97

97:                                               ; preds = %93, %89
  %98 = call fastcc i64 @take_array(ptr noundef nonnull readonly %8, ptr noundef nonnull readonly %47, i64 noundef %42) #12
  br label %123

99:                                               ; preds = %89
  %100 = load ptr, ptr %0, align 8
  %101 = load ptr, ptr %47, align 8
  %102 = call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %4, i64 noundef 3, ptr noundef nonnull @.str.43, ptr noundef %100, ptr noundef %101) #12
  br label %404

103:                                              ; preds = %93
  %104 = getelementptr inbounds nuw i8, ptr %47, i64 32
  %105 = load i64, ptr %104, align 8
  %106 = icmp slt i64 %105, 9
  br i1 %106, label %107, label %112

107:                                              ; preds = %103
  %108 = getelementptr inbounds nuw i8, ptr %47, i64 56
  %109 = load i64, ptr %108, align 8
  %110 = getelementptr inbounds i64, ptr %28, i64 %109
  %111 = call ptr @memcpy(ptr noundef nonnull %110, ptr noundef nonnull %83, i64 noundef %105) #11
  br label %123

112:                                              ; preds = %103
  %113 = ptrtoint ptr %83 to i64
  %114 = getelementptr inbounds nuw i8, ptr %47, i64 56
  %115 = load i64, ptr %114, align 8
  %116 = getelementptr inbounds i64, ptr %28, i64 %115
  store i64 %113, ptr %116, align 8
  %117 = and i64 %113, 7
  %118 = icmp eq i64 %117, 0
  br i1 %118, label %123, label %119

119:                                              ; preds = %112
  %120 = load ptr, ptr %0, align 8
  %121 = load ptr, ptr %47, align 8
  %122 = call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %4, i64 noundef 3, ptr noundef nonnull @.str.46, ptr noundef %120, ptr noundef %121, i32 noundef 8) #12
  br label %404

123:                                              ; preds = %112, %107, %97, %85
  %124 = phi i64 [ 0, %85 ], [ %98, %97 ], [ 0, %107 ], [ 0, %112 ]
  %125 = add nuw nsw i64 %42, 1
  %126 = icmp eq i64 %124, 0
  br i1 %126, label %41, label %404

127:                                              ; preds = %41
  %128 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %129 = load i64, ptr %128, align 8
  %130 = icmp sgt i64 %129, 0
  br i1 %130, label %131, label %150

131:                                              ; preds = %127
  %132 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %133 = load ptr, ptr %132, align 8
  br label %137

134:                                              ; preds = %137
  %135 = add nuw nsw i64 %138, 1
  %136 = icmp eq i64 %135, %129
  br i1 %136, label %150, label %137

137:                                              ; preds = %131, %134
  %138 = phi i64 [ %135, %134 ], [ 0, %131 ]
  %139 = getelementptr inbounds nuw %struct.hologram_expression, ptr %133, i64 %138
  %140 = getelementptr inbounds nuw i8, ptr %139, i64 16
  %141 = load ptr, ptr %140, align 8
  %142 = getelementptr inbounds nuw i8, ptr %139, i64 8
  %143 = load i64, ptr %142, align 8
  %144 = call fastcc zeroext i1 @evaluate_shape(ptr noundef %141, i64 noundef %143, ptr noundef nonnull %28) #12
  br i1 %144, label %134, label %145

145:                                              ; preds = %137
  %146 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %147 = load ptr, ptr %146, align 8
  %148 = load ptr, ptr %139, align 8
  %149 = call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %4, i64 noundef 3, ptr noundef nonnull @.str.47, ptr noundef %147, ptr noundef %148) #12
  br label %404

150:                                              ; preds = %134, %127
  %151 = getelementptr i8, ptr %28, i64 -8
  br label %152

152:                                              ; preds = %256, %150
  %153 = phi i64 [ 0, %150 ], [ %258, %256 ]
  %154 = load i64, ptr %17, align 8
  %155 = icmp slt i64 %153, %154
  br i1 %155, label %156, label %260

156:                                              ; preds = %152
  %157 = load ptr, ptr %40, align 8
  %158 = getelementptr inbounds nuw %struct.hologram_argument, ptr %157, i64 %153
  %159 = getelementptr inbounds nuw i8, ptr %158, i64 72
  %160 = load i64, ptr %159, align 8
  %161 = icmp eq i64 %160, 0
  br i1 %161, label %256, label %162

162:                                              ; preds = %156
  %163 = getelementptr inbounds nuw %struct.hologram_value, ptr %1, i64 %153
  %164 = getelementptr inbounds nuw i8, ptr %163, i64 24
  %165 = load ptr, ptr %164, align 8
  %166 = icmp eq ptr %165, null
  %167 = getelementptr inbounds nuw i8, ptr %158, i64 24
  %168 = load i64, ptr %167, align 8
  br i1 %166, label %169, label %175

169:                                              ; preds = %162
  %170 = icmp eq i64 %168, 0
  br i1 %170, label %216, label %171

171:                                              ; preds = %169
  %172 = load ptr, ptr %0, align 8
  %173 = load ptr, ptr %158, align 8
  %174 = call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %4, i64 noundef 3, ptr noundef nonnull @.str.38, ptr noundef %172, ptr noundef %173) #12
  br label %404

175:                                              ; preds = %162
  %176 = icmp sgt i64 %168, 0
  %177 = load i64, ptr %25, align 8
  %178 = getelementptr i64, ptr %151, i64 %177
  br i1 %176, label %179, label %216

179:                                              ; preds = %175
  %180 = getelementptr inbounds nuw i8, ptr %158, i64 80
  %181 = getelementptr inbounds nuw i8, ptr %163, i64 16
  br label %182

182:                                              ; preds = %211, %179
  %183 = phi i64 [ 0, %179 ], [ %213, %211 ]
  %184 = load ptr, ptr %180, align 8
  %185 = getelementptr inbounds nuw %struct.hologram_axis, ptr %184, i64 %183, i32 5
  %186 = getelementptr inbounds nuw i8, ptr %185, i64 16
  %187 = load ptr, ptr %186, align 8
  %188 = getelementptr inbounds nuw i8, ptr %185, i64 8
  %189 = load i64, ptr %188, align 8
  %190 = call fastcc zeroext i1 @evaluate_shape(ptr noundef %187, i64 noundef %189, ptr noundef nonnull %28) #12
  br i1 %190, label %191, label %194

191:                                              ; preds = %182
  %192 = load i64, ptr %178, align 8
  %193 = icmp slt i64 %192, 0
  br i1 %193, label %194, label %199

194:                                              ; preds = %191, %182
  %195 = load ptr, ptr %0, align 8
  %196 = load ptr, ptr %158, align 8
  %197 = load ptr, ptr %185, align 8
  %198 = call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %4, i64 noundef 3, ptr noundef nonnull @.str.48, ptr noundef %195, ptr noundef %196, ptr noundef %197, i64 noundef %183) #12
  br label %404

199:                                              ; preds = %191
  %200 = load ptr, ptr %181, align 8
  %201 = icmp eq ptr %200, null
  %202 = load ptr, ptr %164, align 8
  br i1 %201, label %211, label %203

203:                                              ; preds = %199
  %204 = getelementptr inbounds nuw i64, ptr %202, i64 %183
  %205 = load i64, ptr %204, align 8
  %206 = icmp eq i64 %205, %192
  br i1 %206, label %211, label %207

207:                                              ; preds = %203
  %208 = load ptr, ptr %0, align 8
  %209 = load ptr, ptr %158, align 8
  %210 = call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %4, i64 noundef 3, ptr noundef nonnull @.str.49, ptr noundef %208, ptr noundef %209, i64 noundef %205, i64 noundef %192) #12
  br label %404

211:                                              ; preds = %203, %199
  %212 = getelementptr inbounds nuw i64, ptr %202, i64 %183
  store i64 %192, ptr %212, align 8
  %213 = add nuw nsw i64 %183, 1
  %214 = load i64, ptr %167, align 8
  %215 = icmp slt i64 %213, %214
  br i1 %215, label %182, label %216

216:                                              ; preds = %211, %175, %169
  %217 = getelementptr inbounds nuw i8, ptr %163, i64 16
  %218 = load ptr, ptr %217, align 8
  %219 = icmp eq ptr %218, null
  br i1 %219, label %220, label %256

220:                                              ; preds = %216
  %221 = getelementptr inbounds nuw i8, ptr %163, i64 32
  store ptr null, ptr %221, align 8
  %222 = getelementptr inbounds nuw i8, ptr %158, i64 32
  %223 = load i64, ptr %222, align 8
  %224 = load i64, ptr %167, align 8
  %225 = icmp sgt i64 %224, 0
  br i1 %225, label %226, label %241

226:                                              ; preds = %220
  %227 = load ptr, ptr %164, align 8
  br label %229

228:                                              ; preds = %229
  br i1 %238, label %249, label %241

229:                                              ; preds = %229, %226
  %230 = phi i64 [ %223, %226 ], [ %237, %229 ]
  %231 = phi i64 [ 0, %226 ], [ %239, %229 ]
  %232 = phi i1 [ false, %226 ], [ %238, %229 ]
  %233 = getelementptr inbounds nuw i64, ptr %227, i64 %231
  %234 = load i64, ptr %233, align 8
  %235 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %230, i64 %234)
  %236 = extractvalue { i64, i1 } %235, 1
  %237 = extractvalue { i64, i1 } %235, 0
  %238 = or i1 %232, %236
  %239 = add nuw nsw i64 %231, 1
  %240 = icmp eq i64 %239, %224
  br i1 %240, label %228, label %229

241:                                              ; preds = %228, %220
  %242 = phi i64 [ %237, %228 ], [ %223, %220 ]
  %243 = call i64 @llvm.umax.i64(i64 %242, i64 1)
  %244 = add nsw i64 %243, 63
  %245 = sdiv i64 %244, 64
  %246 = shl nsw i64 %245, 6
  %247 = call noalias align 64 ptr @aligned_alloc(i64 noundef 64, i64 noundef %246) #11
  %248 = icmp eq ptr %247, null
  br i1 %248, label %249, label %253

249:                                              ; preds = %241, %228
  %250 = load ptr, ptr %0, align 8
  %251 = load ptr, ptr %158, align 8
  %252 = call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %4, i64 noundef 4, ptr noundef nonnull @.str.50, ptr noundef %250, ptr noundef %251) #12
  br label %404

253:                                              ; preds = %241
  store ptr %247, ptr %217, align 8
  %254 = getelementptr inbounds nuw %struct.range, ptr %32, i64 %153, i32 2
  store i8 1, ptr %254, align 8
  %255 = call fastcc i64 @take_array(ptr noundef nonnull readonly %8, ptr noundef nonnull readonly %158, i64 noundef %153) #12
  br label %256

256:                                              ; preds = %253, %216, %156
  %257 = phi i64 [ 0, %156 ], [ 0, %216 ], [ %255, %253 ]
  %258 = add nuw nsw i64 %153, 1
  %259 = icmp eq i64 %257, 0
  br i1 %259, label %152, label %404

260:                                              ; preds = %152
  %261 = load i64, ptr %128, align 8
  %262 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %263 = load i64, ptr %262, align 8
  %264 = icmp slt i64 %261, %263
  br i1 %264, label %265, label %284

265:                                              ; preds = %260
  %266 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %267 = load ptr, ptr %266, align 8
  br label %271

268:                                              ; preds = %271
  %269 = add i64 %272, 1
  %270 = icmp eq i64 %269, %263
  br i1 %270, label %284, label %271

271:                                              ; preds = %265, %268
  %272 = phi i64 [ %269, %268 ], [ %261, %265 ]
  %273 = getelementptr inbounds %struct.hologram_expression, ptr %267, i64 %272
  %274 = getelementptr inbounds nuw i8, ptr %273, i64 16
  %275 = load ptr, ptr %274, align 8
  %276 = getelementptr inbounds nuw i8, ptr %273, i64 8
  %277 = load i64, ptr %276, align 8
  %278 = call fastcc zeroext i1 @evaluate_shape(ptr noundef %275, i64 noundef %277, ptr noundef nonnull %28) #12
  br i1 %278, label %268, label %279

279:                                              ; preds = %271
  %280 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %281 = load ptr, ptr %280, align 8
  %282 = load ptr, ptr %273, align 8
  %283 = call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %4, i64 noundef 3, ptr noundef nonnull @.str.47, ptr noundef %281, ptr noundef %282) #12
  br label %404

284:                                              ; preds = %268, %260
  %285 = icmp sgt i64 %154, 0
  br i1 %285, label %286, label %326

286:                                              ; preds = %284
  %287 = load ptr, ptr %40, align 8
  br label %288

288:                                              ; preds = %324, %286
  %289 = phi i64 [ 0, %286 ], [ %291, %324 ]
  %290 = getelementptr inbounds nuw %struct.hologram_argument, ptr %287, i64 %289
  %291 = add nuw nsw i64 %289, 1
  %292 = icmp slt i64 %291, %154
  br i1 %292, label %293, label %324

293:                                              ; preds = %288
  %294 = getelementptr inbounds nuw i8, ptr %290, i64 48
  %295 = load i64, ptr %294, align 8
  %296 = icmp eq i64 %295, 0
  %297 = getelementptr inbounds nuw %struct.range, ptr %32, i64 %289
  %298 = getelementptr inbounds nuw i8, ptr %297, i64 8
  br label %299

299:                                              ; preds = %321, %293
  %300 = phi i64 [ %291, %293 ], [ %322, %321 ]
  %301 = getelementptr inbounds %struct.hologram_argument, ptr %287, i64 %300
  br i1 %296, label %302, label %306

302:                                              ; preds = %299
  %303 = getelementptr inbounds nuw i8, ptr %301, i64 48
  %304 = load i64, ptr %303, align 8
  %305 = icmp eq i64 %304, 0
  br i1 %305, label %321, label %306

306:                                              ; preds = %302, %299
  %307 = getelementptr inbounds %struct.range, ptr %32, i64 %300
  %308 = load i64, ptr %307, align 8
  %309 = getelementptr inbounds nuw i8, ptr %307, i64 8
  %310 = load i64, ptr %309, align 8
  %311 = load i64, ptr %297, align 8
  %312 = load i64, ptr %298, align 8
  %313 = icmp ult i64 %311, %310
  %314 = icmp ult i64 %308, %312
  %315 = select i1 %313, i1 %314, i1 false
  br i1 %315, label %316, label %321

316:                                              ; preds = %306
  %317 = load ptr, ptr %0, align 8
  %318 = load ptr, ptr %290, align 8
  %319 = load ptr, ptr %301, align 8
  %320 = call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %4, i64 noundef 3, ptr noundef nonnull @.str.51, ptr noundef %317, ptr noundef %318, ptr noundef %319) #12
  br label %404

321:                                              ; preds = %306, %302
  %322 = add i64 %300, 1
  %323 = icmp eq i64 %322, %154
  br i1 %323, label %324, label %299

324:                                              ; preds = %321, %288
  %325 = icmp eq i64 %291, %154
  br i1 %325, label %326, label %288

326:                                              ; preds = %324, %284
  %327 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %328 = load i64, ptr %327, align 8
  %329 = icmp sgt i64 %328, -1
  br i1 %329, label %330, label %333

330:                                              ; preds = %326
  %331 = ptrtoint ptr %14 to i64
  %332 = getelementptr inbounds nuw i64, ptr %28, i64 %328
  store i64 %331, ptr %332, align 8
  br label %333

333:                                              ; preds = %330, %326
  %334 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %335 = load i64, ptr %334, align 8
  %336 = icmp slt i64 %335, 0
  br i1 %336, label %380, label %337

337:                                              ; preds = %333
  %338 = load ptr, ptr %15, align 8
  %339 = icmp eq ptr %338, null
  br i1 %339, label %340, label %343

340:                                              ; preds = %337
  %341 = load ptr, ptr %0, align 8
  %342 = call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %4, i64 noundef 3, ptr noundef nonnull @.str.52, ptr noundef %341) #12
  br label %404

343:                                              ; preds = %337
  %344 = ptrtoint ptr %338 to i64
  %345 = and i64 %344, 15
  %346 = icmp eq i64 %345, 0
  br i1 %346, label %350, label %347

347:                                              ; preds = %343
  %348 = load ptr, ptr %0, align 8
  %349 = call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %4, i64 noundef 3, ptr noundef nonnull @.str.53, ptr noundef %348, i32 noundef 16) #12
  br label %404

350:                                              ; preds = %343
  %351 = getelementptr inbounds nuw i64, ptr %28, i64 %335
  store i64 %344, ptr %351, align 8
  br i1 %285, label %352, label %380

352:                                              ; preds = %350
  %353 = load ptr, ptr %40, align 8
  %354 = add i64 %344, 1179648
  %355 = getelementptr inbounds nuw i8, ptr %0, i64 104
  br label %356

356:                                              ; preds = %377, %352
  %357 = phi i64 [ 0, %352 ], [ %378, %377 ]
  %358 = getelementptr inbounds nuw %struct.hologram_argument, ptr %353, i64 %357
  %359 = getelementptr inbounds nuw i8, ptr %358, i64 48
  %360 = load i64, ptr %359, align 8
  %361 = icmp eq i64 %360, 0
  br i1 %361, label %362, label %365

362:                                              ; preds = %356
  %363 = load i64, ptr %355, align 8
  %364 = icmp eq i64 %363, 0
  br i1 %364, label %377, label %365

365:                                              ; preds = %362, %356
  %366 = getelementptr inbounds nuw %struct.range, ptr %32, i64 %357
  %367 = load i64, ptr %366, align 8
  %368 = getelementptr inbounds nuw i8, ptr %366, i64 8
  %369 = load i64, ptr %368, align 8
  %370 = icmp ult i64 %367, %354
  %371 = icmp ugt i64 %369, %344
  %372 = select i1 %370, i1 %371, i1 false
  br i1 %372, label %373, label %377

373:                                              ; preds = %365
  %374 = load ptr, ptr %0, align 8
  %375 = load ptr, ptr %358, align 8
  %376 = call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %4, i64 noundef 3, ptr noundef nonnull @.str.54, ptr noundef %374, ptr noundef %375) #12
  br label %404

377:                                              ; preds = %365, %362
  %378 = add nuw nsw i64 %357, 1
  %379 = icmp eq i64 %378, %154
  br i1 %379, label %380, label %356

380:                                              ; preds = %377, %350, %333
  call void @llvm.lifetime.start.p0(i64 64, ptr nonnull %6) #13
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(64) %6, i8 0, i64 64, i1 false)
  %381 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %382 = load i64, ptr %381, align 8
  %383 = icmp sgt i64 %382, -1
  br i1 %383, label %384, label %387

384:                                              ; preds = %380
  %385 = ptrtoint ptr %6 to i64
  %386 = getelementptr inbounds nuw i64, ptr %28, i64 %382
  store i64 %385, ptr %386, align 8
  br label %387

387:                                              ; preds = %384, %380
  %388 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %389 = load ptr, ptr %388, align 8
  call void %389(ptr noundef nonnull %28) #11
  %390 = load i64, ptr %6, align 16
  %391 = icmp eq i64 %390, 0
  br i1 %391, label %402, label %392

392:                                              ; preds = %387
  %393 = load ptr, ptr %0, align 8
  %394 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %395 = load ptr, ptr %394, align 8
  %396 = getelementptr ptr, ptr %395, i64 %390
  %397 = getelementptr i8, ptr %396, i64 -8
  %398 = load ptr, ptr %397, align 8
  %399 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %400 = load i64, ptr %399, align 8
  %401 = call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %4, i64 noundef 5, ptr noundef nonnull @.str.55, ptr noundef %393, ptr noundef %398, i64 noundef %400) #12
  br label %402

402:                                              ; preds = %387, %392
  %403 = phi i64 [ 5, %392 ], [ 0, %387 ]
  call void @llvm.lifetime.end.p0(i64 64, ptr nonnull %6) #13
  br label %404

404:                                              ; preds = %123, %256, %171, %249, %207, %194, %99, %119, %77, %68, %145, %279, %316, %373, %340, %347, %402
  %405 = phi i64 [ %403, %402 ], [ 3, %171 ], [ 4, %249 ], [ 3, %207 ], [ 3, %194 ], [ 3, %99 ], [ 3, %119 ], [ 3, %77 ], [ 3, %68 ], [ 3, %145 ], [ 3, %279 ], [ 3, %316 ], [ 3, %373 ], [ 3, %340 ], [ 3, %347 ], [ %257, %256 ], [ %124, %123 ]
  %406 = icmp ne i64 %405, 0
  %407 = icmp sgt i64 %2, 0
  %408 = and i1 %406, %407
  br i1 %408, label %410, label %409

409:                                              ; preds = %418, %404
  call void @llvm.lifetime.end.p0(i64 48, ptr nonnull %8) #13
  call void @llvm.stackrestore.p0(ptr %27)
  br label %421

410:                                              ; preds = %404, %418
  %411 = phi i64 [ %419, %418 ], [ 0, %404 ]
  %412 = getelementptr inbounds nuw %struct.range, ptr %32, i64 %411, i32 2
  %413 = load i8, ptr %412, align 8
  %414 = trunc nuw i8 %413 to i1
  br i1 %414, label %415, label %418

415:                                              ; preds = %410
  %416 = getelementptr inbounds nuw %struct.hologram_value, ptr %1, i64 %411, i32 2
  %417 = load ptr, ptr %416, align 8
  call void @free(ptr noundef %417) #11
  store ptr null, ptr %416, align 8
  br label %418

418:                                              ; preds = %410, %415
  %419 = add nuw nsw i64 %411, 1
  %420 = icmp slt i64 %419, %2
  br i1 %420, label %410, label %409

421:                                              ; preds = %409, %20
  %422 = phi i64 [ 3, %20 ], [ %405, %409 ]
  call void @llvm.lifetime.end.p0(i64 1544, ptr nonnull %7) #13
  ret i64 %422
}

declare ptr @memset(ptr noundef, i32 noundef, i64 noundef) local_unnamed_addr #2

declare ptr @llvm.stacksave.p0() #5

declare void @free(ptr noundef) local_unnamed_addr #2

declare void @llvm.stackrestore.p0(ptr) #5

define range(i64 0, 6) i64 @hologram_run(ptr noundef %0, ptr noundef %1, i64 noundef %2, ptr noundef %3) local_unnamed_addr #0 {
  %5 = tail call i64 @hologram_launch(ptr noundef %0, ptr noundef %1, i64 noundef %2, ptr noundef null, ptr noundef %3) #12
  ret i64 %5
}

define ptr @hologram_new_classes() local_unnamed_addr #0 {
  %1 = tail call noalias align 4096 ptr @aligned_alloc(i64 noundef 4096, i64 noundef 1179648) #11
  %2 = icmp eq ptr %1, null
  br i1 %2, label %5, label %3

3:                                                ; preds = %0
  %4 = tail call ptr @memset(ptr noundef nonnull %1, i32 noundef 0, i64 noundef 1179648) #11
  br label %5

5:                                                ; preds = %3, %0
  ret ptr %1
}

declare noalias ptr @aligned_alloc(i64 noundef, i64 noundef) local_unnamed_addr #2

define double @hologram_sum_value(ptr noundef readonly captures(none) %0) local_unnamed_addr #6 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load i64, ptr %2, align 8
  %4 = zext i64 %3 to i128
  %5 = shl nuw i128 %4, 64
  %6 = load i64, ptr %0, align 8
  %7 = zext i64 %6 to i128
  %8 = or disjoint i128 %5, %7
  %9 = icmp slt i64 %3, 0
  %10 = sub i128 0, %8
  %11 = select i1 %9, i128 %10, i128 %8
  %12 = icmp eq i128 %11, 0
  br i1 %12, label %43, label %13

13:                                               ; preds = %1
  %14 = lshr i128 %11, 64
  %15 = trunc nuw i128 %14 to i64
  %16 = icmp eq i64 %15, 0
  br i1 %16, label %20, label %17

17:                                               ; preds = %13
  %18 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %15, i1 true)
  %19 = trunc nuw nsw i64 %18 to i32
  br label %25

20:                                               ; preds = %13
  %21 = trunc i128 %11 to i64
  %22 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %21, i1 true)
  %23 = trunc nuw nsw i64 %22 to i32
  %24 = or disjoint i32 %23, 64
  br label %25

25:                                               ; preds = %20, %17
  %26 = phi i32 [ %19, %17 ], [ %24, %20 ]
  %27 = zext nneg i32 %26 to i128
  %28 = shl i128 %11, %27
  %29 = lshr i128 %28, 64
  %30 = trunc nuw i128 %29 to i64
  %31 = trunc i128 %28 to i64
  %32 = icmp ne i64 %31, 0
  %33 = zext i1 %32 to i64
  %34 = or i64 %33, %30
  %35 = sub nuw nsw i32 1023, %26
  %36 = zext nneg i32 %35 to i64
  %37 = shl nuw nsw i64 %36, 52
  %38 = uitofp i64 %34 to double
  %39 = bitcast i64 %37 to double
  %40 = fmul double %39, %38
  %41 = fneg double %40
  %42 = select i1 %9, double %41, double %40
  br label %43

43:                                               ; preds = %1, %25
  %44 = phi double [ %42, %25 ], [ 0.000000e+00, %1 ]
  ret double %44
}

declare i64 @llvm.ctlz.i64(i64, i1 immarg) #7

declare void @llvm.va_start.p0(ptr) #5

declare i32 @vsnprintf(ptr noundef, i64 noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

declare void @llvm.va_end.p0(ptr) #5

define internal fastcc range(i64 0, 4) i64 @take_array(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) unnamed_addr #0 {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds %struct.hologram_value, ptr %5, i64 %2
  %7 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %8 = load ptr, ptr %7, align 8
  %9 = icmp eq ptr %8, null
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %11 = load i64, ptr %10, align 8
  br i1 %9, label %12, label %25

12:                                               ; preds = %3
  %13 = icmp eq i64 %11, 0
  br i1 %13, label %14, label %18

14:                                               ; preds = %12
  %15 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %16 = load i64, ptr %15, align 8
  %17 = getelementptr inbounds nuw i8, ptr %1, i64 24
  br label %74

18:                                               ; preds = %12
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %20 = load ptr, ptr %19, align 8
  %21 = load ptr, ptr %0, align 8
  %22 = load ptr, ptr %21, align 8
  %23 = load ptr, ptr %1, align 8
  %24 = tail call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %20, i64 noundef 3, ptr noundef nonnull @.str.38, ptr noundef %22, ptr noundef %23) #12
  br label %195

25:                                               ; preds = %3
  %26 = icmp sgt i64 %11, 0
  %27 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %28 = load i64, ptr %27, align 8
  %29 = getelementptr inbounds nuw i8, ptr %1, i64 24
  br i1 %26, label %30, label %74

30:                                               ; preds = %25
  %31 = getelementptr inbounds nuw i8, ptr %1, i64 80
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 16
  br label %33

33:                                               ; preds = %30, %69
  %34 = phi i64 [ %28, %30 ], [ %70, %69 ]
  %35 = phi i64 [ 0, %30 ], [ %71, %69 ]
  %36 = load ptr, ptr %31, align 8
  %37 = getelementptr inbounds nuw %struct.hologram_axis, ptr %36, i64 %35
  %38 = load ptr, ptr %7, align 8
  %39 = getelementptr inbounds nuw i64, ptr %38, i64 %35
  %40 = load i64, ptr %39, align 8
  %41 = load i64, ptr %37, align 8
  %42 = icmp slt i64 %41, 0
  %43 = icmp sgt i64 %40, -1
  %44 = icmp eq i64 %40, %41
  %45 = or i1 %42, %44
  %46 = select i1 %43, i1 %45, i1 false
  br i1 %46, label %55, label %47

47:                                               ; preds = %33
  %48 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %49 = load ptr, ptr %48, align 8
  %50 = load ptr, ptr %0, align 8
  %51 = load ptr, ptr %50, align 8
  %52 = load ptr, ptr %1, align 8
  %53 = select i1 %42, ptr @.str.40, ptr @.str.41
  %54 = tail call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %49, i64 noundef 3, ptr noundef nonnull @.str.39, ptr noundef %51, ptr noundef %52, ptr noundef nonnull %53, i64 noundef %35, i64 noundef %40) #12
  br label %195

55:                                               ; preds = %33
  %56 = load ptr, ptr %32, align 8
  %57 = getelementptr inbounds nuw i8, ptr %37, i64 8
  %58 = load i64, ptr %57, align 8
  %59 = getelementptr inbounds i64, ptr %56, i64 %58
  store i64 %40, ptr %59, align 8
  %60 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %34, i64 %40)
  %61 = extractvalue { i64, i1 } %60, 1
  br i1 %61, label %62, label %69

62:                                               ; preds = %55
  %63 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %64 = load ptr, ptr %63, align 8
  %65 = load ptr, ptr %0, align 8
  %66 = load ptr, ptr %65, align 8
  %67 = load ptr, ptr %1, align 8
  %68 = tail call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %64, i64 noundef 3, ptr noundef nonnull @.str.42, ptr noundef %66, ptr noundef %67) #12
  br label %195

69:                                               ; preds = %55
  %70 = extractvalue { i64, i1 } %60, 0
  %71 = add nuw nsw i64 %35, 1
  %72 = load i64, ptr %29, align 8
  %73 = icmp slt i64 %71, %72
  br i1 %73, label %33, label %74

74:                                               ; preds = %69, %14, %25
  %75 = phi ptr [ %29, %25 ], [ %17, %14 ], [ %29, %69 ]
  %76 = phi ptr [ %27, %25 ], [ %15, %14 ], [ %27, %69 ]
  %77 = phi i64 [ %28, %25 ], [ %16, %14 ], [ %70, %69 ]
  %78 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %79 = load ptr, ptr %78, align 8
  %80 = ptrtoint ptr %79 to i64
  %81 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %82 = load ptr, ptr %81, align 8
  %83 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %84 = load i64, ptr %83, align 8
  %85 = getelementptr inbounds i64, ptr %82, i64 %84
  store i64 %80, ptr %85, align 8
  %86 = icmp eq i64 %77, 0
  br i1 %86, label %110, label %87

87:                                               ; preds = %74
  %88 = load ptr, ptr %78, align 8
  %89 = icmp eq ptr %88, null
  br i1 %89, label %90, label %97

90:                                               ; preds = %87
  %91 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %92 = load ptr, ptr %91, align 8
  %93 = load ptr, ptr %0, align 8
  %94 = load ptr, ptr %93, align 8
  %95 = load ptr, ptr %1, align 8
  %96 = tail call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %92, i64 noundef 3, ptr noundef nonnull @.str.43, ptr noundef %94, ptr noundef %95) #12
  br label %195

97:                                               ; preds = %87
  %98 = ptrtoint ptr %88 to i64
  %99 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %100 = load i64, ptr %99, align 8
  %101 = urem i64 %98, %100
  %102 = icmp eq i64 %101, 0
  br i1 %102, label %110, label %103

103:                                              ; preds = %97
  %104 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %105 = load ptr, ptr %104, align 8
  %106 = load ptr, ptr %0, align 8
  %107 = load ptr, ptr %106, align 8
  %108 = load ptr, ptr %1, align 8
  %109 = tail call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %105, i64 noundef 3, ptr noundef nonnull @.str.44, ptr noundef %107, ptr noundef %108, i64 noundef %100) #12
  br label %195

110:                                              ; preds = %74, %97
  %111 = load ptr, ptr %4, align 8
  %112 = getelementptr inbounds %struct.hologram_value, ptr %111, i64 %2
  %113 = load i64, ptr %75, align 8
  %114 = icmp slt i64 %113, 1
  br i1 %114, label %175, label %115

115:                                              ; preds = %110
  %116 = getelementptr inbounds nuw i8, ptr %1, i64 80
  %117 = getelementptr inbounds nuw i8, ptr %112, i64 24
  %118 = getelementptr inbounds nuw i8, ptr %112, i64 32
  %119 = getelementptr inbounds nuw i8, ptr %1, i64 64
  br label %120

120:                                              ; preds = %164, %115
  %121 = phi i64 [ %113, %115 ], [ %125, %164 ]
  %122 = phi i64 [ 1, %115 ], [ %171, %164 ]
  %123 = phi i64 [ 0, %115 ], [ %168, %164 ]
  %124 = phi i64 [ 0, %115 ], [ %170, %164 ]
  %125 = add nsw i64 %121, -1
  %126 = load ptr, ptr %116, align 8
  %127 = getelementptr inbounds nuw %struct.hologram_axis, ptr %126, i64 %125
  %128 = load ptr, ptr %117, align 8
  %129 = getelementptr inbounds nuw i64, ptr %128, i64 %125
  %130 = load i64, ptr %129, align 8
  %131 = load ptr, ptr %118, align 8
  %132 = icmp eq ptr %131, null
  br i1 %132, label %136, label %133

133:                                              ; preds = %120
  %134 = getelementptr inbounds nuw i64, ptr %131, i64 %125
  %135 = load i64, ptr %134, align 8
  br label %136

136:                                              ; preds = %133, %120
  %137 = phi i64 [ %135, %133 ], [ %122, %120 ]
  %138 = load ptr, ptr %81, align 8
  %139 = getelementptr inbounds nuw i8, ptr %127, i64 32
  %140 = load i64, ptr %139, align 8
  %141 = getelementptr inbounds i64, ptr %138, i64 %140
  store i64 %137, ptr %141, align 8
  %142 = load i64, ptr %119, align 8
  %143 = icmp eq i64 %142, 0
  br i1 %143, label %147, label %144

144:                                              ; preds = %136
  %145 = getelementptr inbounds nuw i8, ptr %127, i64 16
  %146 = load i64, ptr %145, align 8
  br label %147

147:                                              ; preds = %144, %136
  %148 = phi i64 [ %146, %144 ], [ %122, %136 ]
  %149 = icmp slt i64 %130, 2
  %150 = select i1 %86, i1 true, i1 %149
  br i1 %150, label %164, label %151

151:                                              ; preds = %147
  %152 = getelementptr inbounds nuw i8, ptr %127, i64 24
  %153 = load i64, ptr %152, align 8
  %154 = icmp ne i64 %153, 0
  %155 = icmp eq i64 %137, %148
  %156 = select i1 %154, i1 true, i1 %155
  br i1 %156, label %164, label %157

157:                                              ; preds = %151
  %158 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %159 = load ptr, ptr %158, align 8
  %160 = load ptr, ptr %0, align 8
  %161 = load ptr, ptr %160, align 8
  %162 = load ptr, ptr %1, align 8
  %163 = tail call i64 (ptr, i64, ptr, ...) @fail(ptr noundef %159, i64 noundef 3, ptr noundef nonnull @.str.45, ptr noundef %161, ptr noundef %162, i64 noundef %137, i64 noundef %148) #12
  br label %195

164:                                              ; preds = %151, %147
  %165 = add nsw i64 %130, -1
  %166 = mul nsw i64 %137, %165
  %167 = tail call i64 @llvm.smin.i64(i64 %166, i64 0)
  %168 = add nsw i64 %167, %123
  %169 = tail call i64 @llvm.smax.i64(i64 %166, i64 0)
  %170 = add nuw nsw i64 %169, %124
  %171 = mul nsw i64 %130, %122
  %172 = icmp samesign ult i64 %121, 2
  br i1 %172, label %173, label %120

173:                                              ; preds = %164
  %174 = add nuw nsw i64 %170, 1
  br label %175

175:                                              ; preds = %173, %110
  %176 = phi i64 [ 1, %110 ], [ %174, %173 ]
  %177 = phi i64 [ 0, %110 ], [ %168, %173 ]
  br i1 %86, label %195, label %178

178:                                              ; preds = %175
  %179 = getelementptr inbounds nuw i8, ptr %112, i64 16
  %180 = load ptr, ptr %179, align 8
  %181 = ptrtoint ptr %180 to i64
  %182 = load i64, ptr %76, align 8
  %183 = mul nsw i64 %182, %177
  %184 = add i64 %183, %181
  %185 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %186 = load ptr, ptr %185, align 8
  %187 = getelementptr inbounds %struct.range, ptr %186, i64 %2
  store i64 %184, ptr %187, align 8
  %188 = load ptr, ptr %179, align 8
  %189 = ptrtoint ptr %188 to i64
  %190 = load i64, ptr %76, align 8
  %191 = mul nsw i64 %190, %176
  %192 = add i64 %191, %189
  %193 = load ptr, ptr %185, align 8
  %194 = getelementptr inbounds %struct.range, ptr %193, i64 %2, i32 1
  store i64 %192, ptr %194, align 8
  br label %195

195:                                              ; preds = %47, %62, %178, %175, %157, %90, %103, %18
  %196 = phi i64 [ 3, %18 ], [ 3, %103 ], [ 3, %90 ], [ 0, %178 ], [ 0, %175 ], [ 3, %157 ], [ 3, %62 ], [ 3, %47 ]
  ret i64 %196
}

declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64) #7

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #2

define internal fastcc noundef zeroext i1 @evaluate_shape(ptr noundef readonly captures(address) %0, i64 noundef %1, ptr noundef captures(none) %2) unnamed_addr #8 {
  %4 = alloca [32 x i64], align 16
  call void @llvm.lifetime.start.p0(i64 256, ptr nonnull %4) #13
  %5 = shl nsw i64 %1, 4
  %6 = getelementptr inbounds i8, ptr %0, i64 %5
  %7 = icmp slt i64 %1, 1
  br i1 %7, label %97, label %8

8:                                                ; preds = %3, %93
  %9 = phi ptr [ %95, %93 ], [ %0, %3 ]
  %10 = phi ptr [ %94, %93 ], [ %4, %3 ]
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
  br label %93

16:                                               ; preds = %8
  %17 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %18 = load i64, ptr %17, align 8
  %19 = getelementptr inbounds i64, ptr %2, i64 %18
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %10, i64 8
  store i64 %20, ptr %10, align 8
  br label %93

22:                                               ; preds = %8
  %23 = getelementptr inbounds i8, ptr %10, i64 -8
  %24 = load i64, ptr %23, align 8
  %25 = icmp eq i64 %24, 0
  br i1 %25, label %97, label %93

26:                                               ; preds = %8
  %27 = getelementptr inbounds i8, ptr %10, i64 -8
  %28 = load i64, ptr %27, align 8
  %29 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %30 = load i64, ptr %29, align 8
  %31 = getelementptr inbounds i64, ptr %2, i64 %30
  store i64 %28, ptr %31, align 8
  br label %93

32:                                               ; preds = %8
  %33 = getelementptr inbounds i8, ptr %10, i64 -8
  %34 = load i64, ptr %33, align 8
  %35 = tail call { i64, i1 } @llvm.ssub.with.overflow.i64(i64 0, i64 %34)
  %36 = extractvalue { i64, i1 } %35, 1
  %37 = extractvalue { i64, i1 } %35, 0
  store i64 %37, ptr %33, align 8
  br i1 %36, label %97, label %93

38:                                               ; preds = %8
  %39 = getelementptr inbounds i8, ptr %10, i64 -8
  %40 = getelementptr inbounds i8, ptr %10, i64 -16
  %41 = load i64, ptr %40, align 8
  %42 = load i64, ptr %39, align 8
  switch i64 %11, label %97 [
    i64 5, label %43
    i64 6, label %47
    i64 7, label %89
    i64 8, label %51
    i64 9, label %51
    i64 10, label %67
    i64 11, label %69
    i64 12, label %71
    i64 13, label %74
    i64 14, label %77
    i64 15, label %80
    i64 16, label %83
    i64 17, label %86
  ]

43:                                               ; preds = %38
  %44 = tail call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %41, i64 %42)
  %45 = extractvalue { i64, i1 } %44, 1
  %46 = extractvalue { i64, i1 } %44, 0
  store i64 %46, ptr %40, align 8
  br i1 %45, label %97, label %93

47:                                               ; preds = %38
  %48 = tail call { i64, i1 } @llvm.ssub.with.overflow.i64(i64 %41, i64 %42)
  %49 = extractvalue { i64, i1 } %48, 1
  %50 = extractvalue { i64, i1 } %48, 0
  store i64 %50, ptr %40, align 8
  br i1 %49, label %97, label %93

51:                                               ; preds = %38, %38
  %52 = add i64 %42, 1
  %53 = icmp ult i64 %52, 2
  br i1 %53, label %97, label %54

54:                                               ; preds = %51
  %55 = srem i64 %41, %42
  %56 = sdiv i64 %41, %42
  %57 = icmp ne i64 %55, 0
  %58 = xor i64 %55, %42
  %59 = icmp slt i64 %58, 0
  %60 = and i1 %57, %59
  %61 = icmp eq i64 %11, 8
  %62 = sext i1 %60 to i64
  %63 = add i64 %56, %62
  %64 = select i1 %60, i64 %42, i64 0
  %65 = add nsw i64 %64, %55
  %66 = select i1 %61, i64 %63, i64 %65
  store i64 %66, ptr %40, align 8
  br label %93

67:                                               ; preds = %38
  %68 = tail call i64 @llvm.smin.i64(i64 %41, i64 %42)
  store i64 %68, ptr %40, align 8
  br label %93

69:                                               ; preds = %38
  %70 = tail call i64 @llvm.smax.i64(i64 %41, i64 %42)
  store i64 %70, ptr %40, align 8
  br label %93

71:                                               ; preds = %38
  %72 = icmp eq i64 %41, %42
  %73 = zext i1 %72 to i64
  store i64 %73, ptr %40, align 8
  br label %93

74:                                               ; preds = %38
  %75 = icmp ne i64 %41, %42
  %76 = zext i1 %75 to i64
  store i64 %76, ptr %40, align 8
  br label %93

77:                                               ; preds = %38
  %78 = icmp slt i64 %41, %42
  %79 = zext i1 %78 to i64
  store i64 %79, ptr %40, align 8
  br label %93

80:                                               ; preds = %38
  %81 = icmp sle i64 %41, %42
  %82 = zext i1 %81 to i64
  store i64 %82, ptr %40, align 8
  br label %93

83:                                               ; preds = %38
  %84 = icmp sgt i64 %41, %42
  %85 = zext i1 %84 to i64
  store i64 %85, ptr %40, align 8
  br label %93

86:                                               ; preds = %38
  %87 = icmp sge i64 %41, %42
  %88 = zext i1 %87 to i64
  store i64 %88, ptr %40, align 8
  br label %93

89:                                               ; preds = %38
  %90 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %41, i64 %42)
  %91 = extractvalue { i64, i1 } %90, 1
  %92 = extractvalue { i64, i1 } %90, 0
  store i64 %92, ptr %40, align 8
  br i1 %91, label %97, label %93

93:                                               ; preds = %86, %83, %80, %77, %74, %71, %69, %67, %54, %47, %43, %12, %16, %26, %22, %32, %89
  %94 = phi ptr [ %39, %89 ], [ %15, %12 ], [ %21, %16 ], [ %23, %22 ], [ %27, %26 ], [ %10, %32 ], [ %39, %43 ], [ %39, %47 ], [ %39, %54 ], [ %39, %67 ], [ %39, %69 ], [ %39, %71 ], [ %39, %74 ], [ %39, %77 ], [ %39, %80 ], [ %39, %83 ], [ %39, %86 ]
  %95 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %96 = icmp ult ptr %95, %6
  br i1 %96, label %8, label %97

97:                                               ; preds = %89, %32, %22, %93, %43, %47, %51, %38, %3
  %98 = phi i1 [ true, %3 ], [ false, %38 ], [ false, %51 ], [ false, %47 ], [ false, %43 ], [ true, %93 ], [ false, %22 ], [ false, %32 ], [ false, %89 ]
  call void @llvm.lifetime.end.p0(i64 256, ptr nonnull %4) #13
  ret i1 %98
}

declare { i64, i1 } @llvm.ssub.with.overflow.i64(i64, i64) #7

declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64) #7

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #9

declare i64 @llvm.smin.i64(i64, i64) #10

declare i64 @llvm.smax.i64(i64, i64) #10

declare i64 @llvm.umax.i64(i64, i64) #10

attributes #0 = { nounwind uwtable "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-builtins" }
attributes #3 = { noinline nounwind uwtable "no-builtins" }
attributes #4 = { mustprogress nofree nounwind willreturn memory(read) "no-builtins" }
attributes #5 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #6 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) uwtable "no-builtins" }
attributes #7 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #8 = { nofree noinline norecurse nosync nounwind memory(argmem: readwrite) uwtable "no-builtins" }
attributes #9 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #10 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #11 = { nobuiltin nounwind "no-builtins" }
attributes #12 = { nobuiltin "no-builtins" }
attributes #13 = { nounwind }
attributes #14 = { nobuiltin nounwind willreturn memory(read) "no-builtins" }
