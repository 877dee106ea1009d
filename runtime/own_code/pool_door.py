"""The door to the pool of threads, which is made when the first loop wants in: what modules call in its place.

Loops that are not worth several threads run at once; the first that is has Python make the pool.
"""

from __future__ import annotations

from hologram.runtime.own_code import ALONE, DOOR, DOOR_CONFIG

CODE = f"""
; 0 what runs loops, null as long as nobody knows; 1 what finds out and says so in field 0; 2 the least work to ask for;
; 3 whether it was interrupted, which is then raised where Python called
%Door = type {{ ptr, ptr, i64, i64 }}
@{DOOR_CONFIG} = global %Door zeroinitializer

define void @{DOOR}(ptr %body, ptr %context, i64 %begin, i64 %end, i64 %cost) {{
entry:
  %known = load atomic ptr, ptr @{DOOR_CONFIG} acquire, align 8
  %shut = icmp eq ptr %known, null
  br i1 %shut, label %look, label %go
go:
  musttail call void %known(ptr %body, ptr %context, i64 %begin, i64 %end, i64 %cost)
  ret void
look:
  %n = sub i64 %end, %begin
  %product = call {{i64, i1}} @llvm.umul.with.overflow.i64(i64 %n, i64 %cost)
  %work = extractvalue {{i64, i1}} %product, 0
  %huge = extractvalue {{i64, i1}} %product, 1
  %least_at = getelementptr %Door, ptr @{DOOR_CONFIG}, i32 0, i32 2
  %least = load i64, ptr %least_at
  %enough = icmp uge i64 %work, %least
  %worth = or i1 %enough, %huge
  br i1 %worth, label %ask, label %serial
ask:
  %ask_at = getelementptr %Door, ptr @{DOOR_CONFIG}, i32 0, i32 1
  %find_out = load ptr, ptr %ask_at
  call void %find_out()
  %stopped_at = getelementptr %Door, ptr @{DOOR_CONFIG}, i32 0, i32 3
  %stopped = load i64, ptr %stopped_at
  %whole = icmp eq i64 %stopped, 0
  br i1 %whole, label %find, label %interrupted
interrupted:
  store i64 0, ptr %stopped_at
  call void @PyErr_SetInterrupt()
  br label %find
find:
  %told = load atomic ptr, ptr @{DOOR_CONFIG} acquire, align 8
  %nothing = icmp eq ptr %told, null
  br i1 %nothing, label %serial, label %enter
enter:
  musttail call void %told(ptr %body, ptr %context, i64 %begin, i64 %end, i64 %cost)
  ret void
serial:
  musttail call void @{ALONE}(ptr %body, ptr %context, i64 %begin, i64 %end, i64 %cost)
  ret void
}}

define void @{ALONE}(ptr %body, ptr %context, i64 %begin, i64 %end, i64 %cost) {{
  call void %body(ptr %context, i64 %begin, i64 %end)
  ret void
}}

declare void @PyErr_SetInterrupt()
declare {{i64, i1}} @llvm.umul.with.overflow.i64(i64, i64)
"""
