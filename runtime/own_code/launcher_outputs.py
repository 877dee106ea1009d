"""The compiled launcher, outputs: arrays that are made where the caller leaves them out, and what the call gives."""

from __future__ import annotations

from hologram.runtime.own_code import MAX_RANK

CODE = f"""
; A new output of the sizes that its axes want; null where there can't be one.
define internal ptr @make_output(ptr %argument, ptr %call) noinline {{
entry:
  %sizes = alloca [{MAX_RANK} x i64]
  %rank_at = getelementptr %Argument, ptr %argument, i32 0, i32 3
  %rank = load i64, ptr %rank_at
  %axes_at = getelementptr %Argument, ptr %argument, i32 0, i32 6
  %axes = load ptr, ptr %axes_at
  br label %axis
axis:
  %i = phi i64 [0, %entry], [%next, %store]
  %more = icmp slt i64 %i, %rank
  br i1 %more, label %size, label %sized
size:
  %axis_at = getelementptr %Axis, ptr %axes, i64 %i
  %wanted = load i64, ptr %axis_at
  %static = icmp sge i64 %wanted, 0
  br i1 %static, label %store, label %lookup
lookup:
  %word = sub i64 -2, %wanted
  %word_at = getelementptr i64, ptr %call, i64 %word
  %found = load i64, ptr %word_at
  %negative = icmp slt i64 %found, 0
  br i1 %negative, label %none, label %store
store:
  %n = phi i64 [%wanted, %size], [%found, %lookup]
  %n_at = getelementptr i64, ptr %sizes, i64 %i
  store i64 %n, ptr %n_at
  %next = add i64 %i, 1
  br label %axis
sized:
  %new_at = getelementptr %Config, ptr @hologram_launch_config, i32 0, i32 10
  %new = load ptr, ptr %new_at
  %ndarray = load ptr, ptr @hologram_launch_config
  %dtype_at = getelementptr %Argument, ptr %argument, i32 0, i32 2
  %dtype = load ptr, ptr %dtype_at
  call void @Py_IncRef(ptr %dtype)
  %rank32 = trunc i64 %rank to i32
  %made = call ptr %new(ptr %ndarray, ptr %dtype, i32 %rank32, ptr %sizes, ptr null, ptr null, i32 0, ptr null)
  %failed = icmp eq ptr %made, null
  br i1 %failed, label %clear, label %done
clear:
  call void @PyErr_Clear()
  br label %none
none:
  ret ptr null
done:
  ret ptr %made
}}

; What the call gives: None, the only output, or a tuple of them. Takes over the outputs made.
define internal ptr @give_outputs(ptr %kernel, ptr %call) {{
  %count_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 1
  %count = load i64, ptr %count_at
  %inputs_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 2
  %inputs = load i64, ptr %inputs_at
  %arguments_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 3
  %arguments = load ptr, ptr %arguments_at
  %outputs = sub i64 %count, %inputs
  switch i64 %outputs, label %several [ i64 0, label %nothing i64 1, label %one ]
nothing:
  %none_at = getelementptr %Config, ptr @hologram_launch_config, i32 0, i32 5
  %none = load ptr, ptr %none_at
  call void @Py_IncRef(ptr %none)
  ret ptr %none
one:
  %only = call ptr @give_output(ptr %arguments, i64 %inputs, ptr %call)
  ret ptr %only
several:
  %tuple = call ptr @PyTuple_New(i64 %outputs)
  %failed = icmp eq ptr %tuple, null
  br i1 %failed, label %fail, label %next
next:
  %i = phi i64 [0, %several], [%after, %item]
  %more = icmp slt i64 %i, %outputs
  br i1 %more, label %item, label %done
item:
  %number = add i64 %inputs, %i
  %output = call ptr @give_output(ptr %arguments, i64 %number, ptr %call)
  %ignored = call i32 @PyTuple_SetItem(ptr %tuple, i64 %i, ptr %output)
  %after = add i64 %i, 1
  br label %next
done:
  ret ptr %tuple
fail:
  call void @drop_outputs(ptr %kernel, ptr %call)
  ret ptr null
}}

; A reference to one output: that of its making, or a new one to what the caller gave.
define internal ptr @give_output(ptr %arguments, i64 %number, ptr %call) {{
  %place_at = getelementptr %Argument, ptr %arguments, i64 %number, i32 10
  %place = load i64, ptr %place_at
  %made_at = getelementptr %Call, ptr %call, i32 0, i32 5, i64 %place
  %made = load ptr, ptr %made_at
  %is_made = icmp ne ptr %made, null
  br i1 %is_made, label %own, label %given
own:
  ret ptr %made
given:
  %object_at = getelementptr %Call, ptr %call, i32 0, i32 3, i64 %place
  %object = load ptr, ptr %object_at
  call void @Py_IncRef(ptr %object)
  ret ptr %object
}}

; Gives back the outputs made: the call comes to nothing.
define internal void @drop_outputs(ptr %kernel, ptr %call) noinline {{
  %count_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 1
  %count = load i64, ptr %count_at
  %inputs_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 2
  %inputs = load i64, ptr %inputs_at
  %arguments_at = getelementptr %Kernel, ptr %kernel, i32 0, i32 3
  %arguments = load ptr, ptr %arguments_at
  br label %next
next:
  %i = phi i64 [%inputs, %0], [%after, %advance]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %look, label %done
look:
  %place_at = getelementptr %Argument, ptr %arguments, i64 %i, i32 10
  %place = load i64, ptr %place_at
  %made_at = getelementptr %Call, ptr %call, i32 0, i32 5, i64 %place
  %made = load ptr, ptr %made_at
  %after = add i64 %i, 1
  %is_made = icmp ne ptr %made, null
  br i1 %is_made, label %drop, label %advance
drop:
  call void @Py_DecRef(ptr %made)
  br label %advance
advance:
  br label %next
done:
  ret void
}}
"""
