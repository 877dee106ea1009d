"""Where a pool's workers run, as LLVM IR text: on Linux off the processor of the thread whose job they share.

Linux often wakes a worker on the processor of the thread that rings, where the two take turns although another
processor has nothing to do: with two processors that were both at work a moment ago it does not look for a free one,
and mends that milliseconds later. So the caller tells it, whenever it finds itself on another processor than last time.
"""

from __future__ import annotations

PLACED = 16
"""The most workers that are told: with more processors than that the system finds a free one."""
CPUS = 1024
"""The processors that the C library's masks have bits for."""

# What runs once in a while is compiled as it stands: that takes a third of the compiler's time.
PLACING = """
@avoided = internal global i32 -1, align 4
@allowed = internal global [128 x i8] zeroinitializer, align 8
@handles = internal global [{placed} x i64] zeroinitializer, align 8
@given = internal global [{placed} x [128 x i8]] zeroinitializer, align 8

define internal void @forget_places() {
  store atomic i32 -1, ptr @avoided monotonic, align 4
  ret void
}

; A new worker: it may run where its maker may.
define internal void @note_worker(i32 %number, i64 %handle) noinline optnone {
  call void @forget_places()
  %told = icmp ult i32 %number, {placed}
  br i1 %told, label %note, label %end
note:
  %handle_at = getelementptr [{placed} x i64], ptr @handles, i32 0, i32 %number
  store i64 %handle, ptr %handle_at, align 8
  %mask_at = getelementptr [{placed} x [128 x i8]], ptr @given, i32 0, i32 %number
  %failed = call i32 @pthread_getaffinity_np(i64 %handle, i64 128, ptr %mask_at)
  %copied = call ptr @memcpy(ptr @allowed, ptr %mask_at, i64 128)
  br label %end
end:
  ret void
}

; Called by who has the pool. Looking costs some nanoseconds.
define internal void @keep_workers_off() alwaysinline {
  %here = call i32 @sched_getcpu()
  %before = load atomic i32, ptr @avoided monotonic, align 4
  %same = icmp eq i32 %here, %before
  br i1 %same, label %end, label %move
move:
  call void @move_workers(i32 %here)
  br label %end
end:
  ret void
}

define internal void @move_workers(i32 %here) noinline optnone {
  %wanted = alloca [128 x i8], align 8
  %seen = alloca [128 x i8], align 8
  store atomic i32 %here, ptr @avoided monotonic, align 4
  %copied = call ptr @memcpy(ptr %wanted, ptr @allowed, i64 128)
  ; Where there are fewer processors than threads, all have to share.
  %threads = load atomic i32, ptr @threads monotonic, align 4
  %count = call i32 @count_processors()
  %enough = icmp sle i32 %threads, %count
  %known = icmp ult i32 %here, {cpus}
  %free = and i1 %enough, %known
  br i1 %free, label %keep_off, label %start
keep_off:
  %word = lshr i32 %here, 6
  %place = getelementptr i64, ptr %wanted, i32 %word
  %number = and i32 %here, 63
  %number64 = zext i32 %number to i64
  %bit = shl i64 1, %number64
  %others = xor i64 %bit, -1
  %old = load i64, ptr %place, align 8
  %new = and i64 %old, %others
  store i64 %new, ptr %place, align 8
  br label %start
start:
  %started = load i32, ptr @started, align 4
  br label %head
head:
  %n = phi i32 [ 0, %start ], [ %plus, %next ]
  %exists = icmp slt i32 %n, %started
  %told = icmp slt i32 %n, {placed}
  %more = and i1 %exists, %told
  br i1 %more, label %look, label %end
look:
  %handle_at = getelementptr [{placed} x i64], ptr @handles, i32 0, i32 %n
  %handle = load i64, ptr %handle_at, align 8
  %given = getelementptr [{placed} x [128 x i8]], ptr @given, i32 0, i32 %n
  %failed = call i32 @pthread_getaffinity_np(i64 %handle, i64 128, ptr %seen)
  ; Whoever else has placed a worker knows better.
  %changed = call i32 @memcmp(ptr %seen, ptr %given, i64 128)
  %either = or i32 %failed, %changed
  %ours = icmp eq i32 %either, 0
  br i1 %ours, label %set, label %next
set:
  %refused = call i32 @pthread_setaffinity_np(i64 %handle, i64 128, ptr %wanted)
  %accepted = icmp eq i32 %refused, 0
  br i1 %accepted, label %note, label %next
note:
  %noted = call ptr @memcpy(ptr %given, ptr %wanted, i64 128)
  br label %next
next:
  %plus = add i32 %n, 1
  br label %head
end:
  ret void
}

define internal i32 @count_processors() noinline optnone {
  br label %one
one:
  %n = phi i32 [ 0, %0 ], [ %plus, %one ]
  %total = phi i64 [ 0, %0 ], [ %sum, %one ]
  %place = getelementptr i64, ptr @allowed, i32 %n
  %word = load i64, ptr %place, align 8
  %bits = call i64 @llvm.ctpop.i64(i64 %word)
  %sum = add i64 %total, %bits
  %plus = add i32 %n, 1
  %more = icmp slt i32 %plus, 16
  br i1 %more, label %one, label %end
end:
  %found = trunc i64 %sum to i32
  ret i32 %found
}

declare i32 @sched_getcpu()
declare i32 @pthread_getaffinity_np(i64, i64, ptr)
declare i32 @pthread_setaffinity_np(i64, i64, ptr)
declare i32 @memcmp(ptr, ptr, i64)
declare ptr @memcpy(ptr, ptr, i64)
declare i64 @llvm.ctpop.i64(i64)
"""

ANYWHERE = """
define internal void @forget_places() alwaysinline {
  ret void
}

define internal void @note_worker(i32 %number, i64 %handle) alwaysinline {
  ret void
}

define internal void @keep_workers_off() alwaysinline {
  ret void
}
"""
