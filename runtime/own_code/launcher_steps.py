"""The compiled launcher, shape expressions: a stack machine that knows the operations in the order of `STEPS`."""

from __future__ import annotations

from hologram.runtime.own_code import MAX_STACK

CODE = f"""
; Runs the code of shape expressions on the words; false where a check fails or machine integers do not do.
define internal i1 @run_steps(ptr %steps, i64 %count, ptr %call) noinline {{
entry:
  %stack = alloca [{MAX_STACK} x i64]
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %advance]
  %top = phi i64 [0, %entry], [%new_top, %advance]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %step, label %yes
step:
  %op_at = getelementptr %Step, ptr %steps, i64 %i
  %op = load i64, ptr %op_at
  %operand_at = getelementptr %Step, ptr %steps, i64 %i, i32 1
  %operand = load i64, ptr %operand_at
  %next = add i64 %i, 1
  %one_less = add i64 %top, -1
  %two_less = add i64 %top, -2
  %last_at = getelementptr i64, ptr %stack, i64 %one_less
  %before_at = getelementptr i64, ptr %stack, i64 %two_less
  switch i64 %op, label %no [
    i64 0, label %constant i64 1, label %word i64 2, label %require i64 3, label %keep i64 4, label %negate
    i64 5, label %binary i64 6, label %binary i64 7, label %binary i64 8, label %divide i64 9, label %divide
    i64 10, label %binary i64 11, label %binary i64 12, label %binary i64 13, label %binary i64 14, label %binary
    i64 15, label %binary i64 16, label %binary i64 17, label %binary ]
constant:
  br label %push
word:
  %word_at = getelementptr i64, ptr %call, i64 %operand
  %held = load i64, ptr %word_at
  br label %push
push:
  %pushed = phi i64 [%operand, %constant], [%held, %word]
  %push_at = getelementptr i64, ptr %stack, i64 %top
  store i64 %pushed, ptr %push_at
  %one_more = add i64 %top, 1
  br label %advance
require:
  %truth = load i64, ptr %last_at
  %holds = icmp ne i64 %truth, 0
  br i1 %holds, label %popped, label %no
keep:
  %kept = load i64, ptr %last_at
  %keep_at = getelementptr i64, ptr %call, i64 %operand
  store i64 %kept, ptr %keep_at
  br label %popped
popped:
  br label %advance
negate:
  %positive = load i64, ptr %last_at
  %negated = call {{i64, i1}} @llvm.ssub.with.overflow.i64(i64 0, i64 %positive)
  %negative = extractvalue {{i64, i1}} %negated, 0
  %no_negative = extractvalue {{i64, i1}} %negated, 1
  store i64 %negative, ptr %last_at
  br i1 %no_negative, label %no, label %same
same:
  br label %advance
divide:
  %x = load i64, ptr %before_at
  %y = load i64, ptr %last_at
  ; a divisor of 0 is the slow call's to report, one of -1 may overflow
  %y_next = add i64 %y, 1
  %unfit = icmp ult i64 %y_next, 2
  br i1 %unfit, label %no, label %quotient
quotient:
  %q = sdiv i64 %x, %y
  %r = srem i64 %x, %y
  %inexact = icmp ne i64 %r, 0
  %signs = xor i64 %r, %y
  %differ = icmp slt i64 %signs, 0
  %floors = and i1 %inexact, %differ
  %less = sext i1 %floors to i64
  %floor = add i64 %q, %less
  %add = select i1 %floors, i64 %y, i64 0
  %modulo = add i64 %r, %add
  %is_div = icmp eq i64 %op, 8
  %divided = select i1 %is_div, i64 %floor, i64 %modulo
  store i64 %divided, ptr %before_at
  br label %popped
binary:
  %a = load i64, ptr %before_at
  %b = load i64, ptr %last_at
  switch i64 %op, label %no [
    i64 5, label %sum i64 6, label %difference i64 7, label %times i64 10, label %least i64 11, label %most
    i64 12, label %eq i64 13, label %ne i64 14, label %lt i64 15, label %le i64 16, label %gt i64 17, label %ge ]
sum:
  %added = call {{i64, i1}} @llvm.sadd.with.overflow.i64(i64 %a, i64 %b)
  br label %overflow
difference:
  %subtracted = call {{i64, i1}} @llvm.ssub.with.overflow.i64(i64 %a, i64 %b)
  br label %overflow
times:
  %multiplied = call {{i64, i1}} @llvm.smul.with.overflow.i64(i64 %a, i64 %b)
  br label %overflow
overflow:
  %pair = phi {{i64, i1}} [%added, %sum], [%subtracted, %difference], [%multiplied, %times]
  %value = extractvalue {{i64, i1}} %pair, 0
  %over = extractvalue {{i64, i1}} %pair, 1
  br i1 %over, label %no, label %result
least:
  %smaller = call i64 @llvm.smin.i64(i64 %a, i64 %b)
  br label %result
most:
  %larger = call i64 @llvm.smax.i64(i64 %a, i64 %b)
  br label %result
eq:
  %is_eq = icmp eq i64 %a, %b
  br label %truths
ne:
  %is_ne = icmp ne i64 %a, %b
  br label %truths
lt:
  %is_lt = icmp slt i64 %a, %b
  br label %truths
le:
  %is_le = icmp sle i64 %a, %b
  br label %truths
gt:
  %is_gt = icmp sgt i64 %a, %b
  br label %truths
ge:
  %is_ge = icmp sge i64 %a, %b
  br label %truths
truths:
  %bit = phi i1 [%is_eq, %eq], [%is_ne, %ne], [%is_lt, %lt], [%is_le, %le], [%is_gt, %gt], [%is_ge, %ge]
  %bits = zext i1 %bit to i64
  br label %result
result:
  %computed = phi i64 [%value, %overflow], [%smaller, %least], [%larger, %most], [%bits, %truths]
  store i64 %computed, ptr %before_at
  br label %popped
advance:
  %new_top = phi i64 [%one_more, %push], [%one_less, %popped], [%top, %same]
  br label %loop
yes:
  ret i1 true
no:
  ret i1 false
}}
"""
