"""The native code of the thread pool, as LLVM IR text for Linux, macOS and other systems with POSIX threads.

One job runs at a time; whoever finds the pool taken (another thread of the process, or a worker whose job has parallel
loops of its own) runs its loop itself. A job is open while its caller still takes parts of it. Workers join an open
job, so a worker that sleeps is never waited for: the caller does all parts that nobody else takes, closes the job,
and waits for those workers alone that joined.

`@state` holds the number of the job (upper 48 bits), whether it is open, whether its caller sleeps, and how many
workers are in it. Both are changed by compare-exchange, so nobody joins a job that is closed, or another one.
"""

from __future__ import annotations

from hologram.runtime.own_code import FUTEX
from hologram.runtime.own_code.pool_places import ANYWHERE, CPUS, PLACED, PLACING

ALIGN = 128
"""Words that different threads write are this far apart: two cache lines, which processors fetch in pairs."""

STACK_BYTES = 8 << 20
"""Of a worker: what the main thread of a process usually has, for loops keep their small arrays there."""

OPEN, CALLER_SLEEPS, COUNT = 1 << 15, 1 << 14, (1 << 14) - 1

_STATE = """
@threads = internal global i32 1, align 128
@started = internal global i32 0, align 4
@least = internal global i64 0, align 8
@share = internal global i64 1, align 8
@alarm = internal global i64 0, align 8
@patience = internal global i64 0, align 8
@job_body = internal global ptr null, align 128
@job_context = internal global ptr null, align 8
@job_end = internal global i64 0, align 8
@job_grain = internal global i64 1, align 8
@job_limit = internal global i32 0, align 4
@state = internal global i64 0, align 128
@next = internal global i64 0, align 128
@sleepers = internal global i32 0, align 128
@rung = internal global i32 0, align 128
@done = internal global i32 0, align 128
@taken = internal global i32 0, align 128
"""

_RUN = """
define void @hologram_pool_run(ptr %body, ptr %context, i64 %begin, i64 %end, i64 %cost) {
  %n = sub i64 %end, %begin
  %threads = load atomic i32, ptr @threads monotonic, align 4
  %alone = icmp sle i32 %threads, 1
  %single = icmp sle i64 %n, 1
  %product = call {i64, i1} @llvm.umul.with.overflow.i64(i64 %n, i64 %cost)
  %work = extractvalue {i64, i1} %product, 0
  %huge = extractvalue {i64, i1} %product, 1
  %least = load atomic i64, ptr @least monotonic, align 8
  %below = icmp ult i64 %work, %least
  %not_huge = xor i1 %huge, true
  %small = and i1 %below, %not_huge
  %no = or i1 %alone, %single
  %serial_now = or i1 %no, %small
  br i1 %serial_now, label %serial, label %try
try:
  %got = cmpxchg ptr @taken, i32 0, i32 1 acquire monotonic
  %mine = extractvalue {i32, i1} %got, 1
  br i1 %mine, label %enough, label %serial
enough:
  %helpers = sub i32 %threads, 1
  %before = load i32, ptr @started, align 4
  %lack = icmp slt i32 %before, %helpers
  br i1 %lack, label %start, label %check
start:
  call void @start_workers(i32 %helpers)
  br label %check
check:
  %workers = load i32, ptr @started, align 4
  %none = icmp eq i32 %workers, 0
  br i1 %none, label %give_back, label %publish
give_back:
  store atomic i32 0, ptr @taken release, align 4
  br label %serial
serial:
  call void %body(ptr %context, i64 %begin, i64 %end)
  ret void
publish:
  call void @keep_workers_off()
  %wide = zext i32 %threads to i64
  %parts = shl i64 %wide, 3
  %parts_less = sub i64 %parts, 1
  %n_up = add i64 %n, %parts_less
  %fair = udiv i64 %n_up, %parts
  %share = load i64, ptr @share, align 8
  %positive = call i64 @llvm.umax.i64(i64 %cost, i64 1)
  %least_part_less = udiv i64 %share, %positive
  %least_part = add i64 %least_part_less, 1
  %grain = call i64 @llvm.umax.i64(i64 %fair, i64 %least_part)
  store ptr %body, ptr @job_body, align 8
  store ptr %context, ptr @job_context, align 8
  store i64 %end, ptr @job_end, align 8
  store i64 %grain, ptr @job_grain, align 8
  store atomic i32 %helpers, ptr @job_limit monotonic, align 4
  store atomic i64 %begin, ptr @next monotonic, align 8
  %last = load atomic i64, ptr @state monotonic, align 8
  %number = lshr i64 %last, 16
  %following = add i64 %number, 1
  %shifted = shl i64 %following, 16
  %opened = or i64 %shifted, {open}
  store atomic i64 %opened, ptr @state seq_cst, align 8
  %asleep = load atomic i32, ptr @sleepers seq_cst, align 4
  %any = icmp sgt i32 %asleep, 0
  %alarm = load i64, ptr @alarm, align 8
  %enough_work = icmp uge i64 %work, %alarm
  %worth = or i1 %enough_work, %huge
  %wake_some = and i1 %any, %worth
  br i1 %wake_some, label %ring, label %help
ring:
  %rest = sub i64 %n, 1
  %others = udiv i64 %rest, %grain
  %needed = call i64 @llvm.umin.i64(i64 %others, i64 {count})
  %needed32 = trunc i64 %needed to i32
  %few = call i32 @llvm.smin.i32(i32 %needed32, i32 %helpers)
  %rings = atomicrmw add ptr @rung, i32 1 seq_cst
  call void @wake(ptr @rung, i32 %few)
  br label %help
help:
  call void @work()
  %closed = atomicrmw and ptr @state, i64 {not_open} acq_rel
  %inside = and i64 %closed, {count}
  %nobody = icmp eq i64 %inside, 0
  br i1 %nobody, label %finish, label %wait
wait:
  %now = call i64 @nanoseconds()
  %patience = load i64, ptr @patience, align 8
  %until = add i64 %now, %patience
  br label %watch
watch:
  %turn = phi i32 [ 0, %wait ], [ %turn_next, %again ]
  %seen = load atomic i64, ptr @state acquire, align 8
  %still = and i64 %seen, {count}
  %out = icmp eq i64 %still, 0
  br i1 %out, label %finish, label %breathe
breathe:
  call void @pause()
  %turn_next = add i32 %turn, 1
  %masked = and i32 %turn_next, 15
  %look = icmp eq i32 %masked, 0
  br i1 %look, label %clock, label %again
clock:
  %time = call i64 @nanoseconds()
  %late = icmp sgt i64 %time, %until
  br i1 %late, label %sleep, label %again
again:
  br label %watch
sleep:
  %told = atomicrmw or ptr @state, i64 {sleeps} acq_rel
  br label %doze
doze:
  %ticket = load atomic i32, ptr @done acquire, align 4
  %view = load atomic i64, ptr @state acquire, align 8
  %left = and i64 %view, {count}
  %empty = icmp eq i64 %left, 0
  br i1 %empty, label %finish, label %rest_now
rest_now:
  call void @wait(ptr @done, i32 %ticket)
  br label %doze
finish:
  store atomic i32 0, ptr @taken release, align 4
  ret void
}

define internal void @work() {
  %body = load ptr, ptr @job_body, align 8
  %context = load ptr, ptr @job_context, align 8
  %end = load i64, ptr @job_end, align 8
  %grain = load i64, ptr @job_grain, align 8
  br label %take
take:
  %from = atomicrmw add ptr @next, i64 %grain monotonic
  %more = icmp slt i64 %from, %end
  br i1 %more, label %run, label %leave
run:
  %far = add i64 %from, %grain
  %to = call i64 @llvm.smin.i64(i64 %far, i64 %end)
  call void %body(ptr %context, i64 %from, i64 %to)
  br label %take
leave:
  ret void
}
"""

_WORKER = """
define internal ptr @worker(ptr %unused) {
  br label %idle
idle:
  %last = phi i64 [ 0, %0 ], [ %number, %left ], [ %number, %skip ], [ %last_now, %woken ]
  %start = call i64 @nanoseconds()
  %patience = load i64, ptr @patience, align 8
  %until = add i64 %start, %patience
  br label %watch
watch:
  %last_now = phi i64 [ %last, %idle ], [ %last_now, %again ]
  %turn = phi i32 [ 0, %idle ], [ %turn_next, %again ]
  %seen = load atomic i64, ptr @state acquire, align 8
  %news = call i1 @is_news(i64 %seen, i64 %last_now)
  br i1 %news, label %join, label %breathe
breathe:
  call void @pause()
  %turn_next = add i32 %turn, 1
  %masked = and i32 %turn_next, 15
  %look = icmp eq i32 %masked, 0
  br i1 %look, label %clock, label %again
clock:
  %time = call i64 @nanoseconds()
  %late = icmp sgt i64 %time, %until
  br i1 %late, label %tired, label %again
again:
  br label %watch
tired:
  %slept = atomicrmw add ptr @sleepers, i32 1 seq_cst
  %ticket = load atomic i32, ptr @rung seq_cst, align 4
  %view = load atomic i64, ptr @state seq_cst, align 8
  %missed = call i1 @is_news(i64 %view, i64 %last_now)
  br i1 %missed, label %woken, label %sleep
sleep:
  call void @wait(ptr @rung, i32 %ticket)
  br label %woken
woken:
  %up = atomicrmw sub ptr @sleepers, i32 1 seq_cst
  br label %idle
join:
  %state = phi i64 [ %seen, %watch ], [ %found, %lost ]
  %number = lshr i64 %state, 16
  %inside = and i64 %state, {count}
  %limit = load atomic i32, ptr @job_limit monotonic, align 4
  %limit64 = sext i32 %limit to i64
  %full = icmp sge i64 %inside, %limit64
  br i1 %full, label %skip, label %enter
skip:
  br label %idle
enter:
  %plus = add i64 %state, 1
  %tried = cmpxchg ptr @state, i64 %state, i64 %plus acq_rel acquire
  %found = extractvalue {i64, i1} %tried, 0
  %joined = extractvalue {i64, i1} %tried, 1
  br i1 %joined, label %inside_job, label %lost
lost:
  %open_still = call i1 @is_news(i64 %found, i64 %last_now)
  br i1 %open_still, label %join, label %back
back:
  br label %left
inside_job:
  call void @work()
  %was = atomicrmw sub ptr @state, i64 1 acq_rel
  %flags = and i64 %was, {sleeps_and_count}
  %to_tell = icmp eq i64 %flags, {sleeps_and_one}
  br i1 %to_tell, label %tell, label %left
tell:
  %rings = atomicrmw add ptr @done, i32 1 release
  call void @wake(ptr @done, i32 1)
  br label %left
left:
  br label %idle
}

define internal i1 @is_news(i64 %state, i64 %last) alwaysinline {
  %flag = and i64 %state, {open}
  %open = icmp ne i64 %flag, 0
  %number = lshr i64 %state, 16
  %other = icmp ne i64 %number, %last
  %news = and i1 %open, %other
  ret i1 %news
}
"""

_START = """
define internal void @start_workers(i32 %wanted) noinline {
  %all = alloca [128 x i8], align 16
  %old = alloca [128 x i8], align 16
  %attributes = alloca [128 x i8], align 16
  %thread = alloca i64, align 8
  %filled = call i32 @sigfillset(ptr %all)
  %blocked = call i32 @pthread_sigmask(i32 {setmask}, ptr %all, ptr %old)
  %made = call i32 @pthread_attr_init(ptr %attributes)
  %sized = call i32 @pthread_attr_setstacksize(ptr %attributes, i64 {stack})
  %alone = call i32 @pthread_attr_setdetachstate(ptr %attributes, i32 {detached})
  %first = load i32, ptr @started, align 4
  br label %one
one:
  %n = phi i32 [ %first, %0 ], [ %plus, %good ]
  %more = icmp slt i32 %n, %wanted
  br i1 %more, label %make, label %end
make:
  %failed = call i32 @pthread_create(ptr %thread, ptr %attributes, ptr @worker, ptr null)
  %ok = icmp eq i32 %failed, 0
  br i1 %ok, label %good, label %bad
good:
  %plus = add i32 %n, 1
  %handle = load i64, ptr %thread, align 8
  call void @note_worker(i32 %n, i64 %handle)
  store i32 %plus, ptr @started, align 4
  br label %one
bad:
  ; The system gives no more threads: those there are have to do.
  %have = add i32 %n, 1
  store atomic i32 %have, ptr @threads monotonic, align 4
  br label %end
end:
  %gone = call i32 @pthread_attr_destroy(ptr %attributes)
  %restored = call i32 @pthread_sigmask(i32 {setmask}, ptr %old, ptr null)
  ret void
}

define void @hologram_pool_configure(i32 %threads, i64 %least, i64 %share, i64 %alarm, i64 %patience) {
  store atomic i32 %threads, ptr @threads monotonic, align 4
  store atomic i64 %least, ptr @least monotonic, align 8
  store i64 %share, ptr @share, align 8
  store i64 %alarm, ptr @alarm, align 8
  store i64 %patience, ptr @patience, align 8
  call void @forget_places()
  ret void
}

define void @hologram_pool_reset() {
  store i32 0, ptr @started, align 4
  store i64 0, ptr @state, align 8
  store i32 0, ptr @sleepers, align 4
  store i32 0, ptr @taken, align 4
  call void @forget_places()
  call void @prepare()
  ret void
}

define i32 @hologram_pool_workers() {
  %n = load atomic i32, ptr @started monotonic, align 4
  ret i32 %n
}

define internal i64 @nanoseconds() {
  %time = alloca [2 x i64], align 8
  %ok = call i32 @clock_gettime(i32 {clock}, ptr %time)
  %seconds = load i64, ptr %time, align 8
  %place = getelementptr i64, ptr %time, i64 1
  %rest = load i64, ptr %place, align 8
  %whole = mul i64 %seconds, 1000000000
  %sum = add i64 %whole, %rest
  ret i64 %sum
}

declare i32 @clock_gettime(i32, ptr)
declare i32 @sigfillset(ptr)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare i32 @pthread_attr_init(ptr)
declare i32 @pthread_attr_setstacksize(ptr, i64)
declare i32 @pthread_attr_setdetachstate(ptr, i32)
declare i32 @pthread_attr_destroy(ptr)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare {i64, i1} @llvm.umul.with.overflow.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i32 @llvm.smin.i32(i32, i32)
"""

_FUTEX_WAITING = """
define internal void @prepare() {
  ret void
}

define internal void @wait(ptr %word, i32 %expected) {
  %value = zext i32 %expected to i64
  %r = call i64 (i64, ...) @syscall(i64 {futex}, ptr %word, i64 128, i64 %value, ptr null, ptr null, i64 0)
  ret void
}

define internal void @wake(ptr %word, i32 %count) {
  %many = zext i32 %count to i64
  %r = call i64 (i64, ...) @syscall(i64 {futex}, ptr %word, i64 129, i64 %many, ptr null, ptr null, i64 0)
  ret void
}

declare i64 @syscall(i64, ...)
"""

_MUTEX_WAITING = """
@mutex = internal global [128 x i8] zeroinitializer, align 128
@condition = internal global [128 x i8] zeroinitializer, align 128

define internal void @prepare() {
  %m = call i32 @pthread_mutex_init(ptr @mutex, ptr null)
  %c = call i32 @pthread_cond_init(ptr @condition, ptr null)
  ret void
}

define internal void @wait(ptr %word, i32 %expected) {
  %locked = call i32 @pthread_mutex_lock(ptr @mutex)
  br label %check
check:
  %now = load atomic i32, ptr %word seq_cst, align 4
  %same = icmp eq i32 %now, %expected
  br i1 %same, label %sleep, label %end
sleep:
  %woken = call i32 @pthread_cond_wait(ptr @condition, ptr @mutex)
  br label %check
end:
  %unlocked = call i32 @pthread_mutex_unlock(ptr @mutex)
  ret void
}

define internal void @wake(ptr %word, i32 %count) {
  %locked = call i32 @pthread_mutex_lock(ptr @mutex)
  %unlocked = call i32 @pthread_mutex_unlock(ptr @mutex)
  %told = call i32 @pthread_cond_broadcast(ptr @condition)
  ret void
}

declare i32 @pthread_mutex_init(ptr, ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_cond_init(ptr, ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_broadcast(ptr)
"""

_PAUSES = {
    "x86_64": ("call void @llvm.x86.sse2.pause()", "declare void @llvm.x86.sse2.pause()"),
    "aarch64": ("call void @llvm.aarch64.isb(i32 15)", "declare void @llvm.aarch64.isb(i32)"),
}

def pool_ir(system: str, machine: str, *, futex: bool, places: bool = False) -> str:
    """The text for an operating system (`linux`, `darwin`) and an architecture as LLVM's triples name it.

    With `places` workers are kept off the caller's processor, by functions of Linux's C libraries.
    """
    darwin = system == "darwin"
    numbers = {
        "open": OPEN,
        "not_open": ~OPEN,
        "sleeps": CALLER_SLEEPS,
        "count": COUNT,
        "sleeps_and_count": CALLER_SLEEPS | COUNT,
        "sleeps_and_one": CALLER_SLEEPS | 1,
        "stack": STACK_BYTES,
        "setmask": 3 if darwin else 2,
        "detached": 2 if darwin else 1,
        "clock": 6 if darwin else 1,
        "futex": FUTEX.get(machine, 0),
        "placed": PLACED,
        "cpus": CPUS,
    }
    call, declaration = _PAUSES.get(machine, ("", ""))
    pause = f"define internal void @pause() alwaysinline {{\n  {call}\n  ret void\n}}\n{declaration}\n"
    waiting = _FUTEX_WAITING if futex else _MUTEX_WAITING
    text = _STATE + _RUN + _WORKER + _START + waiting + (PLACING if places else ANYWHERE) + pause
    for name, value in numbers.items():
        text = text.replace("{" + name + "}", str(value))
    return text
