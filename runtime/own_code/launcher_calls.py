"""The compiled launcher, its last part and the whole: the order of the arguments, and the call."""

from __future__ import annotations

from hologram.classes import ARENA_BYTES, CLASS_COUNT
from hologram.runtime.own_code import CONFIG, ENTRY, launcher_outputs, launcher_steps, pool_door
from hologram.runtime.own_code.launcher_checks import CHECKS

_CALL = f"""
; Puts the arguments of a call into the entry's order; false where their number is wrong.
define internal i1 @order_arguments(ptr %kernel, ptr %arguments, ptr %args, i64 %count, ptr %names, ptr %call) {{
entry:
  %all_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 1
  %all = load i64, ptr %all_at
  %inputs_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 2
  %inputs = load i64, ptr %inputs_at
  %positional = icmp eq ptr %names, null
  %every = icmp eq i64 %count, %all
  %as_they_are = and i1 %positional, %every
  br i1 %as_they_are, label %next_given, label %fewer
next_given:
  %g = phi i64 [0, %entry], [%after_g, %copy]
  %more_given = icmp slt i64 %g, %all
  br i1 %more_given, label %copy, label %yes
copy:
  %g_from = getelementptr ptr, ptr %args, i64 %g
  %g_object = load ptr, ptr %g_from
  %g_to = getelementptr %Call, ptr %call, i32 0, i32 3, i64 %g
  store ptr %g_object, ptr %g_to
  %after_g = add i64 %g, 1
  br label %next_given
fewer:
  %only_inputs = icmp eq i64 %count, %inputs
  br i1 %only_inputs, label %outputs, label %no
outputs:
  br i1 %positional, label %next, label %named
named:
  ; out= of a single output
  %named_count = call i64 @PyTuple_Size(ptr %names)
  %outputs_count = sub i64 %all, %inputs
  %one_name = icmp eq i64 %named_count, 1
  %one_output = icmp eq i64 %outputs_count, 1
  %both = and i1 %one_name, %one_output
  br i1 %both, label %name, label %no
name:
  %word = call ptr @PyTuple_GetItem(ptr %names, i64 0)
  %out_at = getelementptr %Config, ptr @{CONFIG}, i32 0, i32 11
  %out = load ptr, ptr %out_at
  %is_out = icmp eq ptr %word, %out
  br i1 %is_out, label %given_out, label %no
given_out:
  %last_at = getelementptr ptr, ptr %args, i64 %inputs
  %last = load ptr, ptr %last_at
  br label %next
next:
  %output = phi ptr [null, %outputs], [%last, %given_out], [%output, %place]
  %i = phi i64 [0, %outputs], [0, %given_out], [%after, %place]
  %more = icmp slt i64 %i, %all
  br i1 %more, label %choose, label %yes
choose:
  %is_input = icmp slt i64 %i, %inputs
  br i1 %is_input, label %input, label %place
input:
  %from_at = getelementptr %Argument, ptr %arguments, i64 %i, i32 11
  %from = load i64, ptr %from_at
  %arg_at = getelementptr ptr, ptr %args, i64 %from
  %arg = load ptr, ptr %arg_at
  br label %place
place:
  %object = phi ptr [%output, %choose], [%arg, %input]
  %to_at = getelementptr %Argument, ptr %arguments, i64 %i, i32 10
  %to = load i64, ptr %to_at
  %slot = getelementptr %Call, ptr %call, i32 0, i32 3, i64 %to
  store ptr %object, ptr %slot
  %after = add i64 %i, 1
  br label %next
yes:
  ret i1 true
no:
  ret i1 false
}}

; Checks the arguments from one number to another and notes what the launch needs of them; makes outputs left out.
define internal i1 @take_arguments(ptr %arguments, i64 %from, i64 %to, ptr %call) {{
entry:
  br label %next
next:
  %i = phi i64 [%from, %entry], [%after, %good]
  %more = icmp slt i64 %i, %to
  br i1 %more, label %take, label %yes
take:
  %argument = getelementptr %Argument, ptr %arguments, i64 %i
  %place_at = getelementptr %Argument, ptr %argument, i32 0, i32 10
  %place = load i64, ptr %place_at
  %object_at = getelementptr %Call, ptr %call, i32 0, i32 3, i64 %place
  %given = load ptr, ptr %object_at
  %kind = load i64, ptr %argument
  %is_buffer = icmp eq i64 %kind, 0
  br i1 %is_buffer, label %buffer, label %scalar
scalar:
  %number = call i1 @take_scalar(ptr %given, ptr %argument, ptr %call)
  br i1 %number, label %good, label %no
buffer:
  %omitted = icmp eq ptr %given, null
  br i1 %omitted, label %make, label %check
make:
  %made = call ptr @make_output(ptr %argument, ptr %call)
  %made_at = getelementptr %Call, ptr %call, i32 0, i32 5, i64 %place
  store ptr %made, ptr %made_at
  %failed = icmp eq ptr %made, null
  br i1 %failed, label %no, label %check
check:
  %object = phi ptr [%given, %buffer], [%made, %make]
  %array = call i1 @take_buffer(ptr %object, ptr %argument, ptr %call)
  br i1 %array, label %good, label %no
good:
  %after = add i64 %i, 1
  br label %next
yes:
  ret i1 true
no:
  ret i1 false
}}

; Whether no two arrays, or an array and class memory, share bytes that one of them writes.
define internal i1 @check_overlaps(ptr %kernel, ptr %call) {{
entry:
  %pairs_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 8
  %pairs = load ptr, ptr %pairs_at
  %count_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 9
  %count = load i64, ptr %count_at
  br label %next
next:
  %i = phi i64 [0, %entry], [%after, %pair]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %pair, label %yes
pair:
  %a_at = getelementptr %Pair, ptr %pairs, i64 %i
  %a = load i64, ptr %a_at
  %b_at = getelementptr %Pair, ptr %pairs, i64 %i, i32 1
  %b = load i64, ptr %b_at
  %a_start_at = getelementptr i64, ptr %call, i64 %a
  %a_start = load i64, ptr %a_start_at
  %a_end_at = getelementptr %Call, ptr %call, i32 0, i32 1, i64 %a
  %a_end = load i64, ptr %a_end_at
  %b_start_at = getelementptr i64, ptr %call, i64 %b
  %b_start = load i64, ptr %b_start_at
  %b_end_at = getelementptr %Call, ptr %call, i32 0, i32 1, i64 %b
  %b_end = load i64, ptr %b_end_at
  %before = icmp ult i64 %a_start, %b_end
  %behind = icmp ult i64 %b_start, %a_end
  %shared = and i1 %before, %behind
  %after = add i64 %i, 1
  br i1 %shared, label %no, label %next
yes:
  ret i1 true
no:
  ret i1 false
}}

; Clears what the arguments will fill, then checks all of them.
define internal i1 @accept(ptr %kernel, ptr %args, i64 %count, ptr %names, ptr %call) {{
entry:
  %work_at = getelementptr %Call, ptr %call, i32 0, i32 2
  store i64 0, ptr %work_at
  %all_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 1
  %all = load i64, ptr %all_at
  %inputs_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 2
  %inputs = load i64, ptr %inputs_at
  %arguments_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 3
  %arguments = load ptr, ptr %arguments_at
  br label %clear
clear:
  %i = phi i64 [%inputs, %entry], [%after, %clear_one]
  %more = icmp slt i64 %i, %all
  br i1 %more, label %clear_one, label %ready
clear_one:
  %place_at = getelementptr %Argument, ptr %arguments, i64 %i, i32 10
  %place = load i64, ptr %place_at
  %made_at = getelementptr %Call, ptr %call, i32 0, i32 5, i64 %place
  store ptr null, ptr %made_at
  %after = add i64 %i, 1
  br label %clear
ready:
  %ordered = call i1 @order_arguments(ptr %kernel, ptr %arguments, ptr %args, i64 %count, ptr %names, ptr %call)
  br i1 %ordered, label %inputs_next, label %no
inputs_next:
  %taken = call i1 @take_arguments(ptr %arguments, i64 0, i64 %inputs, ptr %call)
  br i1 %taken, label %steps, label %no
steps:
  %steps_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 4
  %first = load ptr, ptr %steps_at
  %steps_count_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 5
  %steps_count = load i64, ptr %steps_count_at
  %no_steps = icmp eq i64 %steps_count, 0
  br i1 %no_steps, label %outputs, label %run
run:
  %hold = call i1 @run_steps(ptr %first, i64 %steps_count, ptr %call)
  br i1 %hold, label %outputs, label %no
outputs:
  %given = call i1 @take_arguments(ptr %arguments, i64 %inputs, i64 %all, ptr %call)
  br i1 %given, label %late, label %no
late:
  %late_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 6
  %late_steps = load ptr, ptr %late_at
  %late_count_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 7
  %late_count = load i64, ptr %late_count_at
  %no_late = icmp eq i64 %late_count, 0
  br i1 %no_late, label %memory, label %run_late
run_late:
  %hold_late = call i1 @run_steps(ptr %late_steps, i64 %late_count, ptr %call)
  br i1 %hold_late, label %memory, label %no
memory:
  %classes_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 12
  %classes_word = load i64, ptr %classes_at
  %reaches = icmp sge i64 %classes_word, 0
  br i1 %reaches, label %classes, label %overlaps
classes:
  %class_memory_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 13
  %class_memory = load i64, ptr %class_memory_at
  %class_end = add i64 %class_memory, {ARENA_BYTES}
  %begins_at = getelementptr i64, ptr %call, i64 %classes_word
  store i64 %class_memory, ptr %begins_at
  %ends_at = getelementptr %Call, ptr %call, i32 0, i32 1, i64 %classes_word
  store i64 %class_end, ptr %ends_at
  br label %overlaps
overlaps:
  %apart = call i1 @check_overlaps(ptr %kernel, ptr %call)
  ret i1 %apart
no:
  ret i1 false
}}

; Starts the kernel; lets other threads run meanwhile if the arrays are large. Gives the trap record's first word.
define internal i64 @start(ptr %kernel, ptr %call) {{
entry:
  %function = load ptr, ptr %kernel
  %trap_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 10
  %trap_word = load i64, ptr %trap_at
  %traps = icmp sge i64 %trap_word, 0
  %record = getelementptr %Call, ptr %call, i32 0, i32 4
  br i1 %traps, label %prepare, label %ready
prepare:
  store [8 x i64] zeroinitializer, ptr %record
  %record_at = getelementptr i64, ptr %call, i64 %trap_word
  store ptr %record, ptr %record_at
  br label %ready
ready:
  %work_at = getelementptr %Call, ptr %call, i32 0, i32 2
  %work = load i64, ptr %work_at
  %limit_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 11
  %limit = load i64, ptr %limit_at
  %long = icmp sgt i64 %work, %limit
  br i1 %long, label %release, label %hold
hold:
  call void %function(ptr %call)
  br label %ended
release:
  %thread = call ptr @PyEval_SaveThread()
  call void %function(ptr %call)
  call void @PyEval_RestoreThread(ptr %thread)
  br label %ended
ended:
  br i1 %traps, label %look, label %fine
look:
  %first = load i64, ptr %record
  ret i64 %first
fine:
  ret i64 0
}}

; Starts a kernel that adds to sums of R, which this call forgets. A frame of its own keeps that of the others small.
define internal i64 @start_summing(ptr %kernel, ptr %call, i64 %word) noinline "no-stack-arg-probe" {{
entry:
  %sums = alloca [{2 * CLASS_COUNT} x i64]
  store [{2 * CLASS_COUNT} x i64] zeroinitializer, ptr %sums
  %sums_at = getelementptr i64, ptr %call, i64 %word
  store ptr %sums, ptr %sums_at
  %trap = call i64 @start(ptr %kernel, ptr %call)
  ret i64 %trap
}}

; Hands the call on to Python as it came. Frames are small here, so none is probed as Windows wants it of large ones,
; by a function that the linker would not find.
define internal ptr @call_slowly(ptr %self, ptr %args, i64 %count, ptr %names) noinline "no-stack-arg-probe" {{
entry:
  %positional = icmp eq ptr %names, null
  br i1 %positional, label %start, label %named
named:
  %size = call i64 @PyTuple_Size(ptr %names)
  br label %start
start:
  %extra = phi i64 [0, %entry], [%size, %named]
  %all = add i64 %count, %extra
  %slots = add i64 %all, 1
  %copy = alloca ptr, i64 %slots
  store ptr %self, ptr %copy
  br label %next
next:
  %i = phi i64 [0, %start], [%after, %one]
  %more = icmp slt i64 %i, %all
  br i1 %more, label %one, label %go
one:
  %from = getelementptr ptr, ptr %args, i64 %i
  %object = load ptr, ptr %from
  %after = add i64 %i, 1
  %to = getelementptr ptr, ptr %copy, i64 %after
  store ptr %object, ptr %to
  br label %next
go:
  %slow_at = getelementptr %Config, ptr @{CONFIG}, i32 0, i32 6
  %slow = load ptr, ptr %slow_at
  %given = add i64 %count, 1
  %result = call ptr @PyObject_Vectorcall(ptr %slow, ptr %copy, i64 %given, ptr %names)
  ret ptr %result
}}

; Raises what the trap record says.
define internal ptr @raise_trap(ptr %self, ptr %call) noinline {{
entry:
  %arguments = alloca [2 x ptr]
  %record = getelementptr %Call, ptr %call, i32 0, i32 4
  %bytes = call ptr @PyBytes_FromStringAndSize(ptr %record, i64 64)
  %failed = icmp eq ptr %bytes, null
  br i1 %failed, label %fail, label %go
go:
  store ptr %self, ptr %arguments
  %second = getelementptr ptr, ptr %arguments, i64 1
  store ptr %bytes, ptr %second
  %raise_at = getelementptr %Config, ptr @{CONFIG}, i32 0, i32 7
  %raise = load ptr, ptr %raise_at
  %result = call ptr @PyObject_Vectorcall(ptr %raise, ptr %arguments, i64 2, ptr null)
  call void @Py_DecRef(ptr %bytes)
  ret ptr %result
fail:
  ret ptr null
}}

; The vectorcall function of kernel objects.
define ptr @{ENTRY}(ptr %self, ptr %args, i64 %flagged, ptr %names) "no-stack-arg-probe" {{
entry:
  %call = alloca %Call, align 16
  %offset_at = getelementptr %Config, ptr @{CONFIG}, i32 0, i32 12
  %offset = load i64, ptr %offset_at
  %table_at = getelementptr i8, ptr %self, i64 %offset
  %kernel = load ptr, ptr %table_at
  %count = and i64 %flagged, 9223372036854775807
  %accepted = call i1 @accept(ptr %kernel, ptr %args, i64 %count, ptr %names, ptr %call)
  br i1 %accepted, label %run, label %slow
slow:
  call void @drop_outputs(ptr %kernel, ptr %call)
  %explained = call ptr @call_slowly(ptr %self, ptr %args, i64 %count, ptr %names)
  ret ptr %explained
run:
  %sums_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 14
  %sums_word = load i64, ptr %sums_at
  %accumulates = icmp sge i64 %sums_word, 0
  br i1 %accumulates, label %summing, label %plain
summing:
  %summed = call i64 @start_summing(ptr %kernel, ptr %call, i64 %sums_word)
  br label %ended
plain:
  %started = call i64 @start(ptr %kernel, ptr %call)
  br label %ended
ended:
  %trap = phi i64 [%summed, %summing], [%started, %plain]
  %trapped = icmp ne i64 %trap, 0
  br i1 %trapped, label %report, label %give
report:
  call void @drop_outputs(ptr %kernel, ptr %call)
  %raised = call ptr @raise_trap(ptr %self, ptr %call)
  ret ptr %raised
give:
  %outputs = call ptr @give_outputs(ptr %kernel, ptr %call)
  ret ptr %outputs
}}
"""

IR = CHECKS + launcher_steps.CODE + launcher_outputs.CODE + _CALL + pool_door.CODE
