"""The compiled launcher of kernels, as LLVM IR: a vectorcall function that reads a kernel's table.

It accepts what needs no explanation: exactly numpy arrays, contiguous in C order and aligned, that have the types,
ranks and sizes of the table and share no memory where they must not, and plain or numpy numbers in range. It puts
pointers, sizes, strides and scalars into 64-bit words, calls the entry's packed form, and returns the outputs, which it
allocates where they were left out. Everything else goes to the Python function of field 6 of the configuration with the
same arguments, which takes it or says what is wrong: no error has its cause here, and both accept the same calls.

Arrays are read through numpy's public struct, whose layout `launcher` tests before it uses any of this. Python's
functions are those of its stable interface.

The words of a launch: first the pointers, then sizes and strides, then scalars, then the trap record, class memory and
the sums of R, as the launch ABI orders them; then one word that takes what nobody needs, and values of shape
expressions.
"""

from __future__ import annotations

from hologram.runtime.own_code import CONFIG, MAX_ARGUMENTS, MAX_WORDS

# Field numbers stand in comments; `launcher` writes the same structs.
_TYPES = f"""
; Python's float and array objects: reference count, type; numpy's fields from data to flags
%Float = type {{ i64, ptr, double }}
%Array = type {{ i64, ptr, ptr, i32, ptr, ptr, ptr, ptr, i32 }}
; 0 size wanted: itself, or -1 for any, or -2 - w for that of word w; 1 the word it goes to;
; 2 stride wanted, in elements; 3 whether one is; 4 the word the stride goes to
%Axis = type {{ i64, i64, i64, i64, i64 }}
; 0 kind; 1 its word; 2 element type; 3 rank; 4 array flags needed; 5 binary logarithm of the element's bytes;
; 6 axes; 7 whether it has strides to look at; 8 least and 9 largest integer; 10 place among the entry's arguments;
; 11 place among those that must be given
%Argument = type {{ i64, i64, ptr, i64, i64, i64, ptr, i64, i64, i64, i64, i64 }}
; an operation and its operand
%Step = type {{ i64, i64 }}
%Pair = type {{ i64, i64 }}
; 0 the packed call; 1 number of arguments; 2 of those that must be given; 3 arguments, those that must be given first;
; 4 steps that check them; 5 their number; 6 steps that check the outputs; 7 their number;
; 8 pairs of buffers that may not overlap; 9 their number; 10 the trap record's word, or -1;
; 11 bytes of all arrays above which other threads may run; 12 the word of class memory, or -1; 13 its address;
; 14 the word of the sums of R, or -1
%Kernel = type {{ ptr, i64, i64, ptr, ptr, i64, ptr, i64, ptr, i64, i64, i64, i64, i64, i64 }}
; a numpy scalar type and what it holds
%Number = type {{ ptr, i64 }}
; 0 numpy.ndarray; 1 float; 2 int; 3 True; 4 False; 5 None; 6 the slow call; 7 what raises traps;
; 8 numpy's scalar types; 9 their number; 10 PyArray_NewFromDescr; 11 the string "out";
; 12 where a kernel object keeps its table
%Config = type {{ ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, ptr, ptr, i64 }}
; what a call knows: 0 words; 1 ends of what the words point to; 2 bytes of all; 3 arguments by place;
; 4 the trap record; 5 the outputs made
%Call = type {{ [{MAX_WORDS} x i64], [{MAX_WORDS} x i64], i64, [{MAX_ARGUMENTS} x ptr], [8 x i64],
  [{MAX_ARGUMENTS} x ptr] }}

@{CONFIG} = global %Config zeroinitializer

declare ptr @PyBytes_FromStringAndSize(ptr, i64)
declare void @PyErr_Clear()
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare double @PyFloat_AsDouble(ptr)
declare i64 @PyLong_AsLongLongAndOverflow(ptr, ptr)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyTuple_GetItem(ptr, i64)
declare ptr @PyTuple_New(i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare i64 @PyTuple_Size(ptr)
declare void @Py_DecRef(ptr)
declare void @Py_IncRef(ptr)
declare double @llvm.fabs.f64(double)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare {{i64, i1}} @llvm.sadd.with.overflow.i64(i64, i64)
declare {{i64, i1}} @llvm.ssub.with.overflow.i64(i64, i64)
declare {{i64, i1}} @llvm.smul.with.overflow.i64(i64, i64)
"""

_BUFFER = """
; Whether an object is an array as the argument wants it; notes its pointer, end, sizes and strides.
define internal i1 @take_buffer(ptr %object, ptr %argument, ptr %call) {
  %type_at = getelementptr %Array, ptr %object, i32 0, i32 1
  %type = load ptr, ptr %type_at
  %ndarray = load ptr, ptr @hologram_launch_config
  %is_array = icmp eq ptr %type, %ndarray
  br i1 %is_array, label %array, label %no
array:
  %descr_at = getelementptr %Array, ptr %object, i32 0, i32 7
  %descr = load ptr, ptr %descr_at
  %dtype_at = getelementptr %Argument, ptr %argument, i32 0, i32 2
  %dtype = load ptr, ptr %dtype_at
  %same_type = icmp eq ptr %descr, %dtype
  %nd_at = getelementptr %Array, ptr %object, i32 0, i32 3
  %nd32 = load i32, ptr %nd_at
  %nd = sext i32 %nd32 to i64
  %rank_at = getelementptr %Argument, ptr %argument, i32 0, i32 3
  %rank = load i64, ptr %rank_at
  %same_rank = icmp eq i64 %nd, %rank
  %flags_at = getelementptr %Array, ptr %object, i32 0, i32 8
  %flags32 = load i32, ptr %flags_at
  %flags = zext i32 %flags32 to i64
  %needed_at = getelementptr %Argument, ptr %argument, i32 0, i32 4
  %needed = load i64, ptr %needed_at
  %met = and i64 %flags, %needed
  %all_met = icmp eq i64 %met, %needed
  %fits = and i1 %same_type, %same_rank
  %usable = and i1 %fits, %all_met
  br i1 %usable, label %sizes, label %no
sizes:
  %dims_at = getelementptr %Array, ptr %object, i32 0, i32 4
  %dims = load ptr, ptr %dims_at
  %axes_at = getelementptr %Argument, ptr %argument, i32 0, i32 6
  %axes = load ptr, ptr %axes_at
  br label %axis
axis:
  %i = phi i64 [0, %sizes], [%next, %store]
  %elements = phi i64 [1, %sizes], [%product, %store]
  %more = icmp slt i64 %i, %rank
  br i1 %more, label %size, label %sized
size:
  %n_at = getelementptr i64, ptr %dims, i64 %i
  %n = load i64, ptr %n_at
  %axis_at = getelementptr %Axis, ptr %axes, i64 %i
  %wanted = load i64, ptr %axis_at
  %any = icmp eq i64 %wanted, -1
  br i1 %any, label %store, label %compare
compare:
  %static = icmp sge i64 %wanted, 0
  br i1 %static, label %known, label %lookup
lookup:
  %word = sub i64 -2, %wanted
  %word_at = getelementptr i64, ptr %call, i64 %word
  %found = load i64, ptr %word_at
  br label %known
known:
  %target = phi i64 [%wanted, %compare], [%found, %lookup]
  %equal = icmp eq i64 %n, %target
  br i1 %equal, label %store, label %no
store:
  %goes_at = getelementptr %Axis, ptr %axes, i64 %i, i32 1
  %goes = load i64, ptr %goes_at
  %out_at = getelementptr i64, ptr %call, i64 %goes
  store i64 %n, ptr %out_at
  %product = mul i64 %elements, %n
  %next = add i64 %i, 1
  br label %axis
sized:
  %data_at = getelementptr %Array, ptr %object, i32 0, i32 2
  %data = load i64, ptr %data_at
  %shift_at = getelementptr %Argument, ptr %argument, i32 0, i32 5
  %shift = load i64, ptr %shift_at
  %bytes = shl i64 %elements, %shift
  %end = add i64 %data, %bytes
  %place_at = getelementptr %Argument, ptr %argument, i32 0, i32 1
  %place = load i64, ptr %place_at
  %pointer_at = getelementptr i64, ptr %call, i64 %place
  store i64 %data, ptr %pointer_at
  %end_at = getelementptr %Call, ptr %call, i32 0, i32 1, i64 %place
  store i64 %end, ptr %end_at
  %work_at = getelementptr %Call, ptr %call, i32 0, i32 2
  %work = load i64, ptr %work_at
  %more_work = add i64 %work, %bytes
  store i64 %more_work, ptr %work_at
  %strided_at = getelementptr %Argument, ptr %argument, i32 0, i32 7
  %strided = load i64, ptr %strided_at
  %plain = icmp eq i64 %strided, 0
  br i1 %plain, label %yes, label %strides
strides:
  %good = call i1 @take_strides(ptr %object, ptr %argument, ptr %call, i64 %elements)
  ret i1 %good
yes:
  ret i1 true
no:
  ret i1 false
}

; Notes the strides of an array, in elements, and whether they are those wanted where they matter.
define internal i1 @take_strides(ptr %object, ptr %argument, ptr %call, i64 %elements) noinline {
  %dims_at = getelementptr %Array, ptr %object, i32 0, i32 4
  %dims = load ptr, ptr %dims_at
  %strides_at = getelementptr %Array, ptr %object, i32 0, i32 5
  %strides = load ptr, ptr %strides_at
  %axes_at = getelementptr %Argument, ptr %argument, i32 0, i32 6
  %axes = load ptr, ptr %axes_at
  %rank_at = getelementptr %Argument, ptr %argument, i32 0, i32 3
  %rank = load i64, ptr %rank_at
  %shift_at = getelementptr %Argument, ptr %argument, i32 0, i32 5
  %shift = load i64, ptr %shift_at
  %empty = icmp eq i64 %elements, 0
  br label %axis
axis:
  %i = phi i64 [0, %0], [%next, %go_on]
  %more = icmp slt i64 %i, %rank
  br i1 %more, label %stride, label %yes
stride:
  %bytes_at = getelementptr i64, ptr %strides, i64 %i
  %bytes = load i64, ptr %bytes_at
  %step = ashr i64 %bytes, %shift
  %goes_at = getelementptr %Axis, ptr %axes, i64 %i, i32 4
  %goes = load i64, ptr %goes_at
  %out_at = getelementptr i64, ptr %call, i64 %goes
  store i64 %step, ptr %out_at
  %n_at = getelementptr i64, ptr %dims, i64 %i
  %n = load i64, ptr %n_at
  %single = icmp sle i64 %n, 1
  %free = or i1 %single, %empty
  %next = add i64 %i, 1
  br i1 %free, label %go_on, label %look
look:
  %back = shl i64 %step, %shift
  %whole = icmp eq i64 %back, %bytes
  %fixed_at = getelementptr %Axis, ptr %axes, i64 %i, i32 3
  %fixed = load i64, ptr %fixed_at
  %any = icmp eq i64 %fixed, 0
  %wanted_at = getelementptr %Axis, ptr %axes, i64 %i, i32 2
  %wanted = load i64, ptr %wanted_at
  %equal = icmp eq i64 %step, %wanted
  %fits = or i1 %any, %equal
  %good = and i1 %whole, %fits
  br i1 %good, label %go_on, label %no
go_on:
  br label %axis
yes:
  ret i1 true
no:
  ret i1 false
}
"""

_SCALAR = """
; The value of a number object: 0 none, 1 an integer, 2 a float, 3 a boolean.
define internal i64 @number(ptr %object, ptr %integer, ptr %float) noinline {
  %over = alloca i32
  %type_at = getelementptr %Float, ptr %object, i32 0, i32 1
  %type = load ptr, ptr %type_at
  %float_type_at = getelementptr %Config, ptr @hologram_launch_config, i32 0, i32 1
  %float_type = load ptr, ptr %float_type_at
  %is_float = icmp eq ptr %type, %float_type
  br i1 %is_float, label %real, label %not_float
real:
  %d = call double @PyFloat_AsDouble(ptr %object)
  store double %d, ptr %float
  ret i64 2
not_float:
  %int_type_at = getelementptr %Config, ptr @hologram_launch_config, i32 0, i32 2
  %int_type = load ptr, ptr %int_type_at
  %is_int = icmp eq ptr %type, %int_type
  br i1 %is_int, label %whole, label %not_int
whole:
  %v = call i64 @PyLong_AsLongLongAndOverflow(ptr %object, ptr %over)
  store i64 %v, ptr %integer
  %beyond = load i32, ptr %over
  %fits = icmp eq i32 %beyond, 0
  %whole_kind = zext i1 %fits to i64
  ret i64 %whole_kind
not_int:
  %true_at = getelementptr %Config, ptr @hologram_launch_config, i32 0, i32 3
  %true = load ptr, ptr %true_at
  %is_true = icmp eq ptr %object, %true
  %false_at = getelementptr %Config, ptr @hologram_launch_config, i32 0, i32 4
  %false = load ptr, ptr %false_at
  %is_false = icmp eq ptr %object, %false
  %is_bool = or i1 %is_true, %is_false
  br i1 %is_bool, label %boolean, label %not_bool
boolean:
  %truth = zext i1 %is_true to i64
  store i64 %truth, ptr %integer
  ret i64 3
not_bool:
  %table_at = getelementptr %Config, ptr @hologram_launch_config, i32 0, i32 8
  %table = load ptr, ptr %table_at
  %count_at = getelementptr %Config, ptr @hologram_launch_config, i32 0, i32 9
  %count = load i64, ptr %count_at
  br label %search
search:
  %i = phi i64 [0, %not_bool], [%next, %other]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %try, label %none
try:
  %row = getelementptr %Number, ptr %table, i64 %i
  %row_type = load ptr, ptr %row
  %here = icmp eq ptr %row_type, %type
  br i1 %here, label %numpy, label %other
other:
  %next = add i64 %i, 1
  br label %search
numpy:
  %kind_at = getelementptr %Number, ptr %table, i64 %i, i32 1
  %kind = load i64, ptr %kind_at
  %value = getelementptr %Float, ptr %object, i32 0, i32 2
  switch i64 %kind, label %none [
    i64 0, label %f64 i64 1, label %f32 i64 2, label %bool i64 3, label %i8 i64 4, label %i16 i64 5, label %i32
    i64 6, label %i64 i64 7, label %u8 i64 8, label %u16 i64 9, label %u32 i64 10, label %u64 ]
f64:
  %v_f64 = load double, ptr %value
  store double %v_f64, ptr %float
  ret i64 2
f32:
  %v_f32 = load float, ptr %value
  %wide = fpext float %v_f32 to double
  store double %wide, ptr %float
  ret i64 2
bool:
  %v_bool = load i8, ptr %value
  %set = icmp ne i8 %v_bool, 0
  %bit = zext i1 %set to i64
  store i64 %bit, ptr %integer
  ret i64 3
i8:
  %v_i8 = load i8, ptr %value
  %s8 = sext i8 %v_i8 to i64
  br label %integral
i16:
  %v_i16 = load i16, ptr %value
  %s16 = sext i16 %v_i16 to i64
  br label %integral
i32:
  %v_i32 = load i32, ptr %value
  %s32 = sext i32 %v_i32 to i64
  br label %integral
i64:
  %s64 = load i64, ptr %value
  br label %integral
u8:
  %v_u8 = load i8, ptr %value
  %z8 = zext i8 %v_u8 to i64
  br label %integral
u16:
  %v_u16 = load i16, ptr %value
  %z16 = zext i16 %v_u16 to i64
  br label %integral
u32:
  %v_u32 = load i32, ptr %value
  %z32 = zext i32 %v_u32 to i64
  br label %integral
u64:
  %z64 = load i64, ptr %value
  %huge = icmp slt i64 %z64, 0
  br i1 %huge, label %none, label %integral
integral:
  %n = phi i64 [%s8, %i8], [%s16, %i16], [%s32, %i32], [%s64, %i64],
                [%z8, %u8], [%z16, %u16], [%z32, %u32], [%z64, %u64]
  store i64 %n, ptr %integer
  ret i64 1
none:
  ret i64 0
}

; Whether an object is a number that the argument's type holds; puts it into its word.
define internal i1 @take_scalar(ptr %object, ptr %argument, ptr %call) {
  %integer = alloca i64
  %float = alloca double
  %found = call i64 @number(ptr %object, ptr %integer, ptr %float)
  %kind = load i64, ptr %argument
  %word_at = getelementptr %Argument, ptr %argument, i32 0, i32 1
  %word = load i64, ptr %word_at
  %out = getelementptr i64, ptr %call, i64 %word
  %v = load i64, ptr %integer
  switch i64 %kind, label %no [ i64 1, label %f64 i64 2, label %f32 i64 3, label %int i64 4, label %bool ]
int:
  %is_int = icmp eq i64 %found, 1
  %low_at = getelementptr %Argument, ptr %argument, i32 0, i32 8
  %low = load i64, ptr %low_at
  %high_at = getelementptr %Argument, ptr %argument, i32 0, i32 9
  %high = load i64, ptr %high_at
  %above = icmp sge i64 %v, %low
  %below = icmp sle i64 %v, %high
  %inside = and i1 %above, %below
  %holds = and i1 %is_int, %inside
  store i64 %v, ptr %out
  ret i1 %holds
bool:
  %is_bool = icmp eq i64 %found, 3
  store i64 %v, ptr %out
  ret i1 %is_bool
f64:
  %d64 = call double @as_double(i64 %found, i64 %v, ptr %float)
  store double %d64, ptr %out
  br label %real
f32:
  %d32 = call double @as_double(i64 %found, i64 %v, ptr %float)
  %single = fptrunc double %d32 to float
  store i64 0, ptr %out
  store float %single, ptr %out
  %size = call double @llvm.fabs.f64(double %d32)
  %too_large = fcmp ogt double %size, 0x47EFFFFFE0000000
  %finite = fcmp olt double %size, 0x7FF0000000000000
  %beyond = and i1 %too_large, %finite
  br i1 %beyond, label %no, label %real
real:
  %float_or_int = add i64 %found, -1
  %number = icmp ult i64 %float_or_int, 2
  ret i1 %number
no:
  ret i1 false
}

define internal double @as_double(i64 %found, i64 %integer, ptr %float) {
  %d = load double, ptr %float
  %whole = sitofp i64 %integer to double
  %is_int = icmp eq i64 %found, 1
  %r = select i1 %is_int, double %whole, double %d
  ret double %r
}
"""

CHECKS = _TYPES + _BUFFER + _SCALAR
