; Made of prepared_launch.c by 'make native'.
target datalayout = "e-m:w-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-windows-msvc"

define dso_local ptr @hologram_prepared(ptr noundef %0, ptr noundef readnone captures(none) %1) local_unnamed_addr #0 {
  %3 = tail call ptr @PyCapsule_GetPointer(ptr noundef %0, ptr noundef null) #2
  %4 = load ptr, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %6 = load ptr, ptr %5, align 8
  tail call void %4(ptr noundef %6) #2
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %8 = load ptr, ptr %7, align 8
  %9 = load i64, ptr %8, align 8
  %10 = icmp eq i64 %9, 0
  br i1 %10, label %15, label %11

11:                                               ; preds = %2
  %12 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %13 = load ptr, ptr %12, align 8
  %14 = tail call ptr @PyObject_CallNoArgs(ptr noundef %13) #2
  br label %19

15:                                               ; preds = %2
  %16 = getelementptr inbounds nuw i8, ptr %3, i64 32
  %17 = load ptr, ptr %16, align 8
  tail call void @Py_IncRef(ptr noundef %17) #2
  %18 = load ptr, ptr %16, align 8
  br label %19

19:                                               ; preds = %15, %11
  %20 = phi ptr [ %14, %11 ], [ %18, %15 ]
  ret ptr %20
}

declare dso_local ptr @PyCapsule_GetPointer(ptr noundef, ptr noundef) local_unnamed_addr #1

declare dso_local ptr @PyObject_CallNoArgs(ptr noundef) local_unnamed_addr #1

declare dso_local void @Py_IncRef(ptr noundef) local_unnamed_addr #1

attributes #0 = { nounwind uwtable "no-builtins" "no-stack-arg-probe" }
attributes #1 = { "no-builtins" }
attributes #2 = { nobuiltin nounwind "no-builtins" }
