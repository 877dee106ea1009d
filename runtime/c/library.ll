; The C library of hologram.h. A quoted name is a string constant of that text, which library.py defines; `@run_steps`,
; which computes shape expressions over the words of a launch, is that of the launcher.

%Error = type { i64, [1016 x i8] }
%Step = type { i64, i64 }
%Expression = type { ptr, i64, ptr }
%Axis = type { i64, i64, i64, i64, i64, %Expression }
%Argument = type { ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64, ptr }
%Entry = type { ptr, ptr, ptr, i64, ptr, i64, i64, i64, ptr, i64, i64, ptr, i64, i64, i64 }
%Table = type { i64, i64, ptr }
%Value = type { i64, i64, ptr, ptr, ptr }
; Class memory and the sums of R.
%State = type { ptr, [192 x i64] }
; The memory of an array argument, and whether it was made here.
%Range = type { i64, i64, i64 }

@nothing = private constant [1 x i8] zeroinitializer

declare ptr @dlopen(ptr, i32)
declare ptr @dlsym(ptr, ptr)
declare i32 @dlclose(ptr)
declare ptr @dlerror()
declare i32 @snprintf(ptr, i64, ptr, ...)
declare i32 @strcmp(ptr, ptr)
declare ptr @aligned_alloc(i64, i64)
declare void @free(ptr)
declare i128 @llvm.ctlz.i128(i128, i1)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare {i64, i1} @llvm.sadd.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.ssub.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.umul.with.overflow.i64(i64, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; Writes the error, if one is wanted, and gives the status back. Every format takes four texts and then two numbers.
define internal i64 @complain(ptr %error, i64 %status, ptr %format, ptr %a, ptr %b, ptr %c, ptr %d, i64 %n, i64 %m) noinline {
  %unwanted = icmp eq ptr %error, null
  br i1 %unwanted, label %done, label %write
write:
  store i64 %status, ptr %error
  %message = getelementptr %Error, ptr %error, i32 0, i32 1
  %length = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %message, i64 1016, ptr %format, ptr %a, ptr %b, ptr %c, ptr %d, i64 %n, i64 %m)
  br label %done
done:
  ret i64 %status
}

define i64 @hologram_open(ptr %path, ptr %program, ptr %error) {
  %table_at = getelementptr ptr, ptr %program, i64 1
  store ptr null, ptr %program
  store ptr null, ptr %table_at
  %library = call ptr @dlopen(ptr %path, i32 2)
  %absent = icmp eq ptr %library, null
  br i1 %absent, label %not_loaded, label %loaded
not_loaded:
  %reason = call ptr @dlerror()
  %s1 = call i64 @complain(ptr %error, i64 1, ptr @"'%s' can't be loaded: %s", ptr %path, ptr %reason, ptr null, ptr null, i64 0, i64 0)
  ret i64 %s1
loaded:
  %table = call ptr @dlsym(ptr %library, ptr @"hologram_table")
  %foreign = icmp eq ptr %table, null
  br i1 %foreign, label %no_table, label %versions
no_table:
  %closed = call i32 @dlclose(ptr %library)
  %s2 = call i64 @complain(ptr %error, i64 1, ptr @"'%s' is no program that hologram-compile made: it has no hologram_table", ptr %path, ptr null, ptr null, ptr null, i64 0, i64 0)
  ret i64 %s2
versions:
  %abi = load i64, ptr %table
  %known = icmp eq i64 %abi, 2
  br i1 %known, label %good, label %other
other:
  %closed_too = call i32 @dlclose(ptr %library)
  %s3 = call i64 @complain(ptr %error, i64 1, ptr @"'%s'%s%s%s has tables of version %lld, and this library reads version %lld: compile the program again", ptr %path, ptr @nothing, ptr @nothing, ptr @nothing, i64 %abi, i64 2)
  ret i64 %s3
good:
  store ptr %library, ptr %program
  store ptr %table, ptr %table_at
  ret i64 0
}

define void @hologram_close(ptr %program) {
  %library = load ptr, ptr %program
  %table_at = getelementptr ptr, ptr %program, i64 1
  store ptr null, ptr %program
  store ptr null, ptr %table_at
  %none = icmp eq ptr %library, null
  br i1 %none, label %done, label %close
close:
  %closed = call i32 @dlclose(ptr %library)
  br label %done
done:
  ret void
}

define i64 @hologram_find(ptr %program, ptr %name, ptr %found, ptr %error) {
  store ptr null, ptr %found
  %table_at = getelementptr ptr, ptr %program, i64 1
  %table = load ptr, ptr %table_at
  %closed = icmp eq ptr %table, null
  br i1 %closed, label %no_program, label %start
no_program:
  %s1 = call i64 @complain(ptr %error, i64 1, ptr @"there is no '%s': no program is loaded", ptr %name, ptr null, ptr null, ptr null, i64 0, i64 0)
  ret i64 %s1
start:
  %count_at = getelementptr %Table, ptr %table, i32 0, i32 1
  %count = load i64, ptr %count_at
  %entries_at = getelementptr %Table, ptr %table, i32 0, i32 2
  %entries = load ptr, ptr %entries_at
  br label %next
next:
  %i = phi i64 [0, %start], [%after, %look]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %look, label %no_entry
look:
  %entry = getelementptr %Entry, ptr %entries, i64 %i
  %entry_name = load ptr, ptr %entry
  %order = call i32 @strcmp(ptr %entry_name, ptr %name)
  %same = icmp eq i32 %order, 0
  %after = add i64 %i, 1
  br i1 %same, label %good, label %next
good:
  store ptr %entry, ptr %found
  ret i64 0
no_entry:
  %signature_at = getelementptr %Entry, ptr %entries, i32 0, i32 1
  %signature = load ptr, ptr %signature_at
  %s2 = call i64 @complain(ptr %error, i64 2, ptr @"the program has no entry '%s'; its first is %s", ptr %name, ptr %signature, ptr @nothing, ptr @nothing, i64 %count, i64 0)
  ret i64 %s2
}

define i64 @hologram_run(ptr %entry, ptr %values, i64 %count, ptr %error) {
  %status = call i64 @hologram_launch(ptr %entry, ptr %values, i64 %count, ptr null, ptr %error)
  ret i64 %status
}

define i64 @hologram_launch(ptr %entry, ptr %values, i64 %count, ptr %state, ptr %error) {
  %own_state = alloca %State
  %no_state = icmp eq ptr %state, null
  %used_state = select i1 %no_state, ptr %own_state, ptr %state
  br i1 %no_state, label %stateless, label %stated
stateless:
  store ptr null, ptr %own_state
  br label %stated
stated:
  %sums = getelementptr %State, ptr %used_state, i32 0, i32 1
  call void @llvm.memset.p0.i64(ptr %sums, i8 0, i64 1536, i1 false)
  %signature_at = getelementptr %Entry, ptr %entry, i32 0, i32 1
  %signature = load ptr, ptr %signature_at
  %wanted_at = getelementptr %Entry, ptr %entry, i32 0, i32 3
  %wanted = load i64, ptr %wanted_at
  %fits = icmp eq i64 %count, %wanted
  br i1 %fits, label %start, label %other_count
other_count:
  %s1 = call i64 @complain(ptr %error, i64 3, ptr @"%s%s%s%s: %lld arguments are given, and it takes %lld", ptr %signature, ptr @nothing, ptr @nothing, ptr @nothing, i64 %count, i64 %wanted)
  ret i64 %s1
start:
  %words_at = getelementptr %Entry, ptr %entry, i32 0, i32 5
  %word_count = load i64, ptr %words_at
  %words = alloca i64, i64 %word_count
  %word_bytes = shl i64 %word_count, 3
  call void @llvm.memset.p0.i64(ptr %words, i8 0, i64 %word_bytes, i1 false)
  %ranges = alloca %Range, i64 %count
  %range_bytes = mul i64 %count, 24
  call void @llvm.memset.p0.i64(ptr %ranges, i8 0, i64 %range_bytes, i1 false)
  %trap = alloca [8 x i64], align 8
  call void @llvm.memset.p0.i64(ptr %trap, i8 0, i64 64, i1 false)
  %status = call i64 @launch(ptr %entry, ptr %values, ptr %words, ptr %ranges, ptr %trap, ptr %used_state, ptr %error)
  %failed = icmp ne i64 %status, 0
  br i1 %failed, label %next, label %done
next:
  %i = phi i64 [0, %start], [%after, %advance]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %look, label %done
look:
  %made_at = getelementptr %Range, ptr %ranges, i64 %i, i32 2
  %made = load i64, ptr %made_at
  %is_made = icmp ne i64 %made, 0
  %after = add i64 %i, 1
  br i1 %is_made, label %drop, label %advance
drop:
  %data_at = getelementptr %Value, ptr %values, i64 %i, i32 2
  %data = load ptr, ptr %data_at
  call void @free(ptr %data)
  store ptr null, ptr %data_at
  br label %advance
advance:
  br label %next
done:
  ret i64 %status
}

define internal i64 @launch(ptr %entry, ptr %values, ptr %words, ptr %ranges, ptr %trap, ptr %state, ptr %error) {
  %early_at = getelementptr %Entry, ptr %entry, i32 0, i32 7
  %early = load i64, ptr %early_at
  %all_at = getelementptr %Entry, ptr %entry, i32 0, i32 6
  %all = load i64, ptr %all_at
  %given = call i64 @each(ptr @take, ptr %entry, ptr %values, ptr %words, ptr %ranges, ptr %error)
  %given_ok = icmp eq i64 %given, 0
  br i1 %given_ok, label %early_checks, label %fail
early_checks:
  %first = call i64 @hold(ptr %entry, i64 0, i64 %early, ptr %words, ptr %error)
  %first_ok = icmp eq i64 %first, 0
  br i1 %first_ok, label %make, label %fail
make:
  %made = call i64 @each(ptr @result, ptr %entry, ptr %values, ptr %words, ptr %ranges, ptr %error)
  %made_ok = icmp eq i64 %made, 0
  br i1 %made_ok, label %late_checks, label %fail
late_checks:
  %last = call i64 @hold(ptr %entry, i64 %early, i64 %all, ptr %words, ptr %error)
  %last_ok = icmp eq i64 %last, 0
  br i1 %last_ok, label %memory, label %fail
memory:
  %apart = call i64 @each(ptr @alone, ptr %entry, ptr %values, ptr %words, ptr %ranges, ptr %error)
  %apart_ok = icmp eq i64 %apart, 0
  br i1 %apart_ok, label %bind, label %fail
bind:
  %bound = call i64 @bind(ptr %entry, ptr %values, ptr %words, ptr %ranges, ptr %state, ptr %error)
  %bound_ok = icmp eq i64 %bound, 0
  br i1 %bound_ok, label %call, label %fail
call:
  %trap_word_at = getelementptr %Entry, ptr %entry, i32 0, i32 9
  %trap_word = load i64, ptr %trap_word_at
  %traps = icmp sge i64 %trap_word, 0
  br i1 %traps, label %with_record, label %run
with_record:
  %record_at = getelementptr i64, ptr %words, i64 %trap_word
  store ptr %trap, ptr %record_at
  br label %run
run:
  %code_at = getelementptr %Entry, ptr %entry, i32 0, i32 2
  %code = load ptr, ptr %code_at
  call void %code(ptr %words)
  %number = load i64, ptr %trap
  %finished = icmp eq i64 %number, 0
  br i1 %finished, label %done, label %trapped
trapped:
  %site = sub i64 %number, 1
  %sites_at = getelementptr %Entry, ptr %entry, i32 0, i32 11
  %sites = load ptr, ptr %sites_at
  %text_at = getelementptr ptr, ptr %sites, i64 %site
  %text = load ptr, ptr %text_at
  %lane_at = getelementptr i64, ptr %trap, i64 1
  %lane = load i64, ptr %lane_at
  %name = load ptr, ptr %entry
  %s = call i64 @complain(ptr %error, i64 5, ptr @"%s: %s%s%s; lane %lld", ptr %name, ptr %text, ptr @nothing, ptr @nothing, i64 %lane, i64 0)
  ret i64 %s
fail:
  %status = phi i64 [%given, %0], [%first, %early_checks], [%made, %make], [%last, %late_checks], [%apart, %memory], [%bound, %bind]
  ret i64 %status
done:
  ret i64 0
}

; Puts class memory and the sums of R into their words, if the entry wants them.
define internal i64 @bind(ptr %entry, ptr %values, ptr %words, ptr %ranges, ptr %state, ptr %error) {
  %resonance_at = getelementptr %Entry, ptr %entry, i32 0, i32 14
  %resonance_word = load i64, ptr %resonance_at
  %adds = icmp sge i64 %resonance_word, 0
  br i1 %adds, label %sums, label %reach
sums:
  %sums_from = getelementptr %State, ptr %state, i32 0, i32 1
  %sums_to = getelementptr i64, ptr %words, i64 %resonance_word
  store ptr %sums_from, ptr %sums_to
  br label %reach
reach:
  %classes_at = getelementptr %Entry, ptr %entry, i32 0, i32 12
  %classes_word = load i64, ptr %classes_at
  %reaches = icmp sge i64 %classes_word, 0
  br i1 %reaches, label %classes, label %good
classes:
  %name = load ptr, ptr %entry
  %address = load i64, ptr %state
  %none = icmp eq i64 %address, 0
  br i1 %none, label %no_classes, label %aligned
no_classes:
  %s1 = call i64 @complain(ptr %error, i64 3, ptr @"%s reaches class memory%s%s%s: run it by hologram_launch, with a state whose classes are not NULL", ptr %name, ptr @nothing, ptr @nothing, ptr @nothing, i64 0, i64 0)
  ret i64 %s1
aligned:
  %rest = and i64 %address, 15
  %straight = icmp eq i64 %rest, 0
  br i1 %straight, label %apart, label %crooked
crooked:
  %s2 = call i64 @complain(ptr %error, i64 3, ptr @"%s%s%s%s: class memory is not aligned to %lld bytes", ptr %name, ptr @nothing, ptr @nothing, ptr @nothing, i64 16, i64 0)
  ret i64 %s2
apart:
  %classes_to = getelementptr i64, ptr %words, i64 %classes_word
  store i64 %address, ptr %classes_to
  %s3 = call i64 @each(ptr @outside, ptr %entry, ptr %values, ptr %words, ptr %ranges, ptr %error)
  ret i64 %s3
good:
  ret i64 0
}

; Whether an argument has no bytes in class memory, where the entry writes to one of them.
define internal i64 @outside(ptr %entry, ptr %argument, i64 %number, ptr %values, ptr %words, ptr %ranges, ptr %error) {
  %written_at = getelementptr %Argument, ptr %argument, i32 0, i32 6
  %written = load i64, ptr %written_at
  %stores_at = getelementptr %Entry, ptr %entry, i32 0, i32 13
  %stores = load i64, ptr %stores_at
  %writes = or i64 %written, %stores
  %some_writes = icmp ne i64 %writes, 0
  %word_at = getelementptr %Entry, ptr %entry, i32 0, i32 12
  %word = load i64, ptr %word_at
  %begin_at = getelementptr i64, ptr %words, i64 %word
  %begin = load i64, ptr %begin_at
  %end = add i64 %begin, 1179648
  %range = getelementptr %Range, ptr %ranges, i64 %number
  %start = load i64, ptr %range
  %stop_at = getelementptr %Range, ptr %range, i32 0, i32 1
  %stop = load i64, ptr %stop_at
  %before = icmp ult i64 %start, %end
  %behind = icmp ult i64 %begin, %stop
  %shared = and i1 %before, %behind
  %clash = and i1 %shared, %some_writes
  br i1 %clash, label %bad, label %good
bad:
  %entry_name = load ptr, ptr %entry
  %name = load ptr, ptr %argument
  %s = call i64 @complain(ptr %error, i64 3, ptr @"%s: argument '%s'%s%s lies in class memory, which the program reaches by itself", ptr %entry_name, ptr %name, ptr @nothing, ptr @nothing, i64 0, i64 0)
  ret i64 %s
good:
  ret i64 0
}

define ptr @hologram_new_classes() {
  %new = call ptr @aligned_alloc(i64 4096, i64 1179648)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %done, label %clear
clear:
  call void @llvm.memset.p0.i64(ptr %new, i8 0, i64 1179648, i1 false)
  br label %done
done:
  ret ptr %new
}

; The highest 64 bits of the magnitude, with a last bit that says whether more follows, round as all of it does.
define double @hologram_sum_value(ptr %sum) {
  %low = load i64, ptr %sum
  %high_at = getelementptr i64, ptr %sum, i64 1
  %high = load i64, ptr %high_at
  %low_wide = zext i64 %low to i128
  %high_wide = sext i64 %high to i128
  %high_part = shl i128 %high_wide, 64
  %all = or i128 %high_part, %low_wide
  %negative = icmp slt i64 %high, 0
  %opposite = sub i128 0, %all
  %magnitude = select i1 %negative, i128 %opposite, i128 %all
  %zero = icmp eq i128 %magnitude, 0
  %zeros = call i128 @llvm.ctlz.i128(i128 %magnitude, i1 false)
  br i1 %zero, label %nothing, label %something
nothing:
  ret double 0.0
something:
  %shifted = shl i128 %magnitude, %zeros
  %top_wide = lshr i128 %shifted, 64
  %top = trunc i128 %top_wide to i64
  %rest = trunc i128 %shifted to i64
  %more = icmp ne i64 %rest, 0
  %sticky = zext i1 %more to i64
  %digits = or i64 %top, %sticky
  %rounded = uitofp i64 %digits to double
  %zeros64 = trunc i128 %zeros to i64
  %exponent = sub i64 1023, %zeros64
  %bits = shl i64 %exponent, 52
  %scale = bitcast i64 %bits to double
  %value = fmul double %rounded, %scale
  %minus = fneg double %value
  %signed = select i1 %negative, double %minus, double %value
  ret double %signed
}

; Calls a function for each argument until one complains. It sees the entry, the argument and its number, all values,
; words and ranges.
define internal i64 @each(ptr %function, ptr %entry, ptr %values, ptr %words, ptr %ranges, ptr %error) {
  %count_at = getelementptr %Entry, ptr %entry, i32 0, i32 3
  %count = load i64, ptr %count_at
  %arguments_at = getelementptr %Entry, ptr %entry, i32 0, i32 4
  %arguments = load ptr, ptr %arguments_at
  br label %next
next:
  %i = phi i64 [0, %0], [%after, %visit]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %visit, label %good
visit:
  %argument = getelementptr %Argument, ptr %arguments, i64 %i
  %status = call i64 %function(ptr %entry, ptr %argument, i64 %i, ptr %values, ptr %words, ptr %ranges, ptr %error)
  %ok = icmp eq i64 %status, 0
  %after = add i64 %i, 1
  br i1 %ok, label %next, label %bad
bad:
  ret i64 %status
good:
  ret i64 0
}

; The constraints of some numbers.
define internal i64 @hold(ptr %entry, i64 %from, i64 %to, ptr %words, ptr %error) {
  %constraints_at = getelementptr %Entry, ptr %entry, i32 0, i32 8
  %constraints = load ptr, ptr %constraints_at
  br label %next
next:
  %i = phi i64 [%from, %0], [%after, %check]
  %more = icmp slt i64 %i, %to
  br i1 %more, label %check, label %good
check:
  %constraint = getelementptr %Expression, ptr %constraints, i64 %i
  %holds = call i1 @compute(ptr %constraint, ptr %words)
  %after = add i64 %i, 1
  br i1 %holds, label %next, label %bad
bad:
  %text = load ptr, ptr %constraint
  %signature_at = getelementptr %Entry, ptr %entry, i32 0, i32 1
  %signature = load ptr, ptr %signature_at
  %s = call i64 @complain(ptr %error, i64 3, ptr @"%s: the arguments do not satisfy %s", ptr %signature, ptr %text, ptr null, ptr null, i64 0, i64 0)
  ret i64 %s
good:
  ret i64 0
}

define internal i1 @compute(ptr %expression, ptr %words) {
  %count_at = getelementptr %Expression, ptr %expression, i32 0, i32 1
  %count = load i64, ptr %count_at
  %steps_at = getelementptr %Expression, ptr %expression, i32 0, i32 2
  %steps = load ptr, ptr %steps_at
  %good = call i1 @run_steps(ptr %steps, i64 %count, ptr %words)
  ret i1 %good
}

; Checks an argument that is given, and notes what the launch needs of it.
define internal i64 @take(ptr %entry, ptr %argument, i64 %number, ptr %values, ptr %words, ptr %ranges, ptr %error) {
  %name = load ptr, ptr %argument
  %value = getelementptr %Value, ptr %values, i64 %number
  %entry_name = load ptr, ptr %entry
  %dtype = load i64, ptr %value
  %dtype_at = getelementptr %Argument, ptr %argument, i32 0, i32 2
  %wanted_dtype = load i64, ptr %dtype_at
  %same_dtype = icmp eq i64 %dtype, %wanted_dtype
  br i1 %same_dtype, label %ranks, label %bad_dtype
bad_dtype:
  %given_name = call ptr @dtype_name(i64 %dtype)
  %wanted_name = call ptr @dtype_name(i64 %wanted_dtype)
  %s1 = call i64 @complain(ptr %error, i64 3, ptr @"%s: argument '%s' is of type %s, and must be %s", ptr %entry_name, ptr %name, ptr %given_name, ptr %wanted_name, i64 0, i64 0)
  ret i64 %s1
ranks:
  %rank_at = getelementptr %Value, ptr %value, i32 0, i32 1
  %rank = load i64, ptr %rank_at
  %wanted_rank_at = getelementptr %Argument, ptr %argument, i32 0, i32 3
  %wanted_rank = load i64, ptr %wanted_rank_at
  %same_rank = icmp eq i64 %rank, %wanted_rank
  br i1 %same_rank, label %data, label %bad_rank
bad_rank:
  %s2 = call i64 @complain(ptr %error, i64 3, ptr @"%s: argument '%s'%s%s has %lld axes, and must have %lld", ptr %entry_name, ptr %name, ptr @nothing, ptr @nothing, i64 %rank, i64 %wanted_rank)
  ret i64 %s2
data:
  %data_at = getelementptr %Value, ptr %value, i32 0, i32 2
  %pointer = load ptr, ptr %data_at
  %absent = icmp eq ptr %pointer, null
  %may_omit_at = getelementptr %Argument, ptr %argument, i32 0, i32 9
  %may_omit = load i64, ptr %may_omit_at
  %omissible = icmp ne i64 %may_omit, 0
  %omitted = and i1 %absent, %omissible
  br i1 %omitted, label %good, label %kind
kind:
  %is_array_at = getelementptr %Argument, ptr %argument, i32 0, i32 1
  %is_array = load i64, ptr %is_array_at
  %array = icmp ne i64 %is_array, 0
  br i1 %array, label %take_array, label %scalar
take_array:
  %range = getelementptr %Range, ptr %ranges, i64 %number
  %s3 = call i64 @take_array(ptr %entry_name, ptr %argument, ptr %value, ptr %words, ptr %range, ptr %error)
  ret i64 %s3
scalar:
  br i1 %absent, label %no_number, label %copy
no_number:
  %s4 = call i64 @complain(ptr %error, i64 3, ptr @"%s: argument '%s' has no memory: data is NULL", ptr %entry_name, ptr %name, ptr null, ptr null, i64 0, i64 0)
  ret i64 %s4
copy:
  %word_at = getelementptr %Argument, ptr %argument, i32 0, i32 7
  %word = load i64, ptr %word_at
  %place = getelementptr i64, ptr %words, i64 %word
  %bytes_at = getelementptr %Argument, ptr %argument, i32 0, i32 4
  %bytes = load i64, ptr %bytes_at
  %wide = icmp ugt i64 %bytes, 8
  br i1 %wide, label %limbs, label %word_at_most
word_at_most:
  call void @llvm.memcpy.p0.p0.i64(ptr %place, ptr %pointer, i64 %bytes, i1 false)
  br label %good
limbs:
  ; Wide integers are passed by a pointer to their limbs.
  store ptr %pointer, ptr %place
  %address = ptrtoint ptr %pointer to i64
  %rest = and i64 %address, 7
  %straight = icmp eq i64 %rest, 0
  br i1 %straight, label %good, label %crooked
crooked:
  %s5 = call i64 @complain(ptr %error, i64 3, ptr @"%s: argument '%s'%s%s is not aligned to %lld bytes", ptr %entry_name, ptr %name, ptr @nothing, ptr @nothing, i64 8, i64 0)
  ret i64 %s5
good:
  ret i64 0
}

define internal i64 @take_array(ptr %entry_name, ptr %argument, ptr %value, ptr %words, ptr %range, ptr %error) {
begin:
  %name = load ptr, ptr %argument
  %rank_at = getelementptr %Argument, ptr %argument, i32 0, i32 3
  %rank = load i64, ptr %rank_at
  %axes_at = getelementptr %Argument, ptr %argument, i32 0, i32 10
  %axes = load ptr, ptr %axes_at
  %bytes_at = getelementptr %Argument, ptr %argument, i32 0, i32 4
  %bytes = load i64, ptr %bytes_at
  %sizes_at = getelementptr %Value, ptr %value, i32 0, i32 3
  %sizes = load ptr, ptr %sizes_at
  %no_sizes = icmp eq ptr %sizes, null
  %has_axes = icmp ne i64 %rank, 0
  %sizeless = and i1 %no_sizes, %has_axes
  br i1 %sizeless, label %bad_sizes, label %next
bad_sizes:
  %s1 = call i64 @complain(ptr %error, i64 3, ptr @"%s: argument '%s' has no sizes", ptr %entry_name, ptr %name, ptr null, ptr null, i64 0, i64 0)
  ret i64 %s1
next:
  %i = phi i64 [0, %begin], [%after, %size_good]
  %total = phi i64 [%bytes, %begin], [%product, %size_good]
  %more = icmp slt i64 %i, %rank
  br i1 %more, label %size, label %sized
size:
  %n_at = getelementptr i64, ptr %sizes, i64 %i
  %n = load i64, ptr %n_at
  %axis = getelementptr %Axis, ptr %axes, i64 %i
  %wanted = load i64, ptr %axis
  %any = icmp slt i64 %wanted, 0
  %equal = icmp eq i64 %n, %wanted
  %natural = icmp sge i64 %n, 0
  %fits = or i1 %any, %equal
  %usable = and i1 %fits, %natural
  br i1 %usable, label %size_fits, label %bad_size
bad_size:
  %as_wanted = select i1 %any, ptr @"at least 0", ptr @"as its type says"
  %s2 = call i64 @complain(ptr %error, i64 3, ptr @"%s: argument '%s' must have sizes %s%s: that of axis %lld is %lld", ptr %entry_name, ptr %name, ptr %as_wanted, ptr @nothing, i64 %i, i64 %n)
  ret i64 %s2
size_fits:
  %word_at = getelementptr %Axis, ptr %axis, i32 0, i32 1
  %word = load i64, ptr %word_at
  %place = getelementptr i64, ptr %words, i64 %word
  store i64 %n, ptr %place
  %pair = call {i64, i1} @llvm.smul.with.overflow.i64(i64 %total, i64 %n)
  %product = extractvalue {i64, i1} %pair, 0
  %over = extractvalue {i64, i1} %pair, 1
  %after = add i64 %i, 1
  br i1 %over, label %too_large, label %size_good
size_good:
  br label %next
too_large:
  %s3 = call i64 @complain(ptr %error, i64 3, ptr @"%s: argument '%s' has more bytes than 64 bits count", ptr %entry_name, ptr %name, ptr null, ptr null, i64 0, i64 0)
  ret i64 %s3
sized:
  %data_at = getelementptr %Value, ptr %value, i32 0, i32 2
  %data = load i64, ptr %data_at
  %pointer_at = getelementptr %Argument, ptr %argument, i32 0, i32 7
  %pointer_word = load i64, ptr %pointer_at
  %pointer_place = getelementptr i64, ptr %words, i64 %pointer_word
  store i64 %data, ptr %pointer_place
  %empty = icmp eq i64 %total, 0
  br i1 %empty, label %strides, label %memory
memory:
  %null = icmp eq i64 %data, 0
  br i1 %null, label %no_memory, label %aligned
no_memory:
  %s4 = call i64 @complain(ptr %error, i64 3, ptr @"%s: argument '%s' has no memory: data is NULL", ptr %entry_name, ptr %name, ptr null, ptr null, i64 0, i64 0)
  ret i64 %s4
aligned:
  %alignment_at = getelementptr %Argument, ptr %argument, i32 0, i32 5
  %alignment = load i64, ptr %alignment_at
  %low = sub i64 %alignment, 1
  %rest = and i64 %data, %low
  %straight = icmp eq i64 %rest, 0
  br i1 %straight, label %strides, label %crooked
crooked:
  %s5 = call i64 @complain(ptr %error, i64 3, ptr @"%s: argument '%s'%s%s is not aligned to %lld bytes", ptr %entry_name, ptr %name, ptr @nothing, ptr @nothing, i64 %alignment, i64 0)
  ret i64 %s5
strides:
  %s6 = call i64 @take_strides(ptr %entry_name, ptr %argument, ptr %value, ptr %words, ptr %range, i1 %empty, ptr %error)
  ret i64 %s6
}

; Checks the strides, from the last axis to the first, and notes them and the memory between the first byte and the last.
define internal i64 @take_strides(ptr %entry_name, ptr %argument, ptr %value, ptr %words, ptr %range, i1 %empty, ptr %error) {
begin:
  %rank_at = getelementptr %Argument, ptr %argument, i32 0, i32 3
  %rank = load i64, ptr %rank_at
  %axes_at = getelementptr %Argument, ptr %argument, i32 0, i32 10
  %axes = load ptr, ptr %axes_at
  %strided_at = getelementptr %Argument, ptr %argument, i32 0, i32 8
  %strided = load i64, ptr %strided_at
  %dense = icmp eq i64 %strided, 0
  %sizes_at = getelementptr %Value, ptr %value, i32 0, i32 3
  %sizes = load ptr, ptr %sizes_at
  %strides_at = getelementptr %Value, ptr %value, i32 0, i32 4
  %strides = load ptr, ptr %strides_at
  %plain = icmp eq ptr %strides, null
  br label %next
next:
  %left = phi i64 [%rank, %begin], [%i, %good]
  %dense_stride = phi i64 [1, %begin], [%dense_more, %good]
  %low = phi i64 [0, %begin], [%lower, %good]
  %high = phi i64 [0, %begin], [%higher, %good]
  %more = icmp sgt i64 %left, 0
  br i1 %more, label %stride, label %done
stride:
  %i = sub i64 %left, 1
  %axis = getelementptr %Axis, ptr %axes, i64 %i
  %n_at = getelementptr i64, ptr %sizes, i64 %i
  %n = load i64, ptr %n_at
  br i1 %plain, label %known, label %given
given:
  %given_at = getelementptr i64, ptr %strides, i64 %i
  %given_stride = load i64, ptr %given_at
  br label %known
known:
  %step = phi i64 [%dense_stride, %stride], [%given_stride, %given]
  %word_at = getelementptr %Axis, ptr %axis, i32 0, i32 4
  %word = load i64, ptr %word_at
  %place = getelementptr i64, ptr %words, i64 %word
  store i64 %step, ptr %place
  %fixed_at = getelementptr %Axis, ptr %axis, i32 0, i32 2
  %fixed = load i64, ptr %fixed_at
  %any_at = getelementptr %Axis, ptr %axis, i32 0, i32 3
  %any = load i64, ptr %any_at
  %is_any = icmp ne i64 %any, 0
  %wanted = select i1 %dense, i64 %dense_stride, i64 %fixed
  %equal = icmp eq i64 %step, %wanted
  %single = icmp sle i64 %n, 1
  %unused = or i1 %single, %empty
  %free = or i1 %unused, %is_any
  %fits = or i1 %free, %equal
  %dense_more = mul i64 %dense_stride, %n
  %span = sub i64 %n, 1
  %reach = mul i64 %span, %step
  %below = call i64 @llvm.smin.i64(i64 %reach, i64 0)
  %above = call i64 @llvm.smax.i64(i64 %reach, i64 0)
  %lower = add i64 %low, %below
  %higher = add i64 %high, %above
  br i1 %fits, label %good, label %bad
good:
  br label %next
bad:
  %name = load ptr, ptr %argument
  %s = call i64 @complain(ptr %error, i64 3, ptr @"%s: argument '%s'%s%s has stride %lld where it must be %lld", ptr %entry_name, ptr %name, ptr @nothing, ptr @nothing, i64 %step, i64 %wanted)
  ret i64 %s
done:
  br i1 %empty, label %finish, label %memory
memory:
  %bytes_at = getelementptr %Argument, ptr %argument, i32 0, i32 4
  %bytes = load i64, ptr %bytes_at
  %data_at = getelementptr %Value, ptr %value, i32 0, i32 2
  %data = load i64, ptr %data_at
  %before = mul i64 %low, %bytes
  %elements = add i64 %high, 1
  %behind = mul i64 %elements, %bytes
  %start = add i64 %data, %before
  %end = add i64 %data, %behind
  store i64 %start, ptr %range
  %end_at = getelementptr %Range, ptr %range, i32 0, i32 1
  store i64 %end, ptr %end_at
  br label %finish
finish:
  ret i64 0
}

; Of a result: computes its sizes, and compares with those given, or makes the memory that was left out.
define internal i64 @result(ptr %entry, ptr %argument, i64 %number, ptr %values, ptr %words, ptr %ranges, ptr %error) {
begin:
  %may_omit_at = getelementptr %Argument, ptr %argument, i32 0, i32 9
  %may_omit = load i64, ptr %may_omit_at
  %is_result = icmp ne i64 %may_omit, 0
  br i1 %is_result, label %start, label %good
start:
  %name = load ptr, ptr %argument
  %entry_name = load ptr, ptr %entry
  %value = getelementptr %Value, ptr %values, i64 %number
  %data_at = getelementptr %Value, ptr %value, i32 0, i32 2
  %data = load ptr, ptr %data_at
  %omitted = icmp eq ptr %data, null
  %sizes_at = getelementptr %Value, ptr %value, i32 0, i32 3
  %sizes = load ptr, ptr %sizes_at
  %rank_at = getelementptr %Argument, ptr %argument, i32 0, i32 3
  %rank = load i64, ptr %rank_at
  %axes_at = getelementptr %Argument, ptr %argument, i32 0, i32 10
  %axes = load ptr, ptr %axes_at
  %spare_at = getelementptr %Entry, ptr %entry, i32 0, i32 5
  %word_count = load i64, ptr %spare_at
  %spare = sub i64 %word_count, 1
  %found_at = getelementptr i64, ptr %words, i64 %spare
  %no_sizes = icmp eq ptr %sizes, null
  %has_axes = icmp ne i64 %rank, 0
  %sizeless = and i1 %no_sizes, %has_axes
  br i1 %sizeless, label %bad_sizes, label %next
bad_sizes:
  %s1 = call i64 @complain(ptr %error, i64 3, ptr @"%s: argument '%s' has no sizes", ptr %entry_name, ptr %name, ptr null, ptr null, i64 0, i64 0)
  ret i64 %s1
next:
  %i = phi i64 [0, %start], [%after, %kept]
  %more = icmp slt i64 %i, %rank
  br i1 %more, label %size, label %sized
size:
  %expression = getelementptr %Axis, ptr %axes, i64 %i, i32 5
  %computed = call i1 @compute(ptr %expression, ptr %words)
  %n = load i64, ptr %found_at
  %natural = icmp sge i64 %n, 0
  %usable = and i1 %computed, %natural
  %size_at = getelementptr i64, ptr %sizes, i64 %i
  %after = add i64 %i, 1
  br i1 %usable, label %known, label %no_size
no_size:
  %text = load ptr, ptr %expression
  %s2 = call i64 @complain(ptr %error, i64 3, ptr @"%s: the result '%s' has no size: %s%s gives none for axis %lld", ptr %entry_name, ptr %name, ptr %text, ptr @nothing, i64 %i, i64 0)
  ret i64 %s2
known:
  br i1 %omitted, label %keep, label %compare
keep:
  store i64 %n, ptr %size_at
  br label %kept
compare:
  %given = load i64, ptr %size_at
  %equal = icmp eq i64 %given, %n
  br i1 %equal, label %kept, label %differ
differ:
  %s3 = call i64 @complain(ptr %error, i64 3, ptr @"%s: the result '%s'%s%s has size %lld on an axis where it must be %lld", ptr %entry_name, ptr %name, ptr @nothing, ptr @nothing, i64 %given, i64 %n)
  ret i64 %s3
kept:
  br label %next
sized:
  br i1 %omitted, label %make, label %good
make:
  %s4 = call i64 @make(ptr %entry, ptr %argument, i64 %number, ptr %values, ptr %words, ptr %ranges, ptr %error)
  ret i64 %s4
good:
  ret i64 0
}

; Makes the memory of a result whose sizes are known, aligned to a cache line, and takes it as if it had been given.
define internal i64 @make(ptr %entry, ptr %argument, i64 %number, ptr %values, ptr %words, ptr %ranges, ptr %error) {
begin:
  %name = load ptr, ptr %argument
  %entry_name = load ptr, ptr %entry
  %value = getelementptr %Value, ptr %values, i64 %number
  %data_at = getelementptr %Value, ptr %value, i32 0, i32 2
  %sizes_at = getelementptr %Value, ptr %value, i32 0, i32 3
  %sizes = load ptr, ptr %sizes_at
  %strides_at = getelementptr %Value, ptr %value, i32 0, i32 4
  store ptr null, ptr %strides_at
  %rank_at = getelementptr %Argument, ptr %argument, i32 0, i32 3
  %rank = load i64, ptr %rank_at
  %bytes_at = getelementptr %Argument, ptr %argument, i32 0, i32 4
  %bytes = load i64, ptr %bytes_at
  br label %next
next:
  %i = phi i64 [0, %begin], [%after, %multiply]
  %total = phi i64 [%bytes, %begin], [%product, %multiply]
  %more = icmp slt i64 %i, %rank
  br i1 %more, label %multiply, label %allocate
multiply:
  %n_at = getelementptr i64, ptr %sizes, i64 %i
  %n = load i64, ptr %n_at
  %pair = call {i64, i1} @llvm.smul.with.overflow.i64(i64 %total, i64 %n)
  %product = extractvalue {i64, i1} %pair, 0
  %over = extractvalue {i64, i1} %pair, 1
  %after = add i64 %i, 1
  br i1 %over, label %none, label %next
allocate:
  %some = call i64 @llvm.smax.i64(i64 %total, i64 1)
  %up = add i64 %some, 63
  %whole = and i64 %up, -64
  %new = call ptr @aligned_alloc(i64 64, i64 %whole)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %none, label %take
none:
  %s = call i64 @complain(ptr %error, i64 4, ptr @"%s: there is no memory for the result '%s'", ptr %entry_name, ptr %name, ptr null, ptr null, i64 0, i64 0)
  ret i64 %s
take:
  store ptr %new, ptr %data_at
  %range = getelementptr %Range, ptr %ranges, i64 %number
  %made_at = getelementptr %Range, ptr %range, i32 0, i32 2
  store i64 1, ptr %made_at
  %taken = call i64 @take_array(ptr %entry_name, ptr %argument, ptr %value, ptr %words, ptr %range, ptr %error)
  ret i64 %taken
}

; Whether no argument behind this one shares memory with it, where one of the two is written.
define internal i64 @alone(ptr %entry, ptr %argument, i64 %number, ptr %values, ptr %words, ptr %ranges, ptr %error) {
  %count_at = getelementptr %Entry, ptr %entry, i32 0, i32 3
  %count = load i64, ptr %count_at
  %written_at = getelementptr %Argument, ptr %argument, i32 0, i32 6
  %written = load i64, ptr %written_at
  %range = getelementptr %Range, ptr %ranges, i64 %number
  %start = load i64, ptr %range
  %end_at = getelementptr %Range, ptr %range, i32 0, i32 1
  %end = load i64, ptr %end_at
  %from = add i64 %number, 1
  br label %next
next:
  %i = phi i64 [%from, %0], [%after, %apart]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %look, label %good
look:
  %step = sub i64 %i, %number
  %other = getelementptr %Argument, ptr %argument, i64 %step
  %other_written_at = getelementptr %Argument, ptr %other, i32 0, i32 6
  %other_written = load i64, ptr %other_written_at
  %writes = or i64 %written, %other_written
  %some_writes = icmp ne i64 %writes, 0
  %other_range = getelementptr %Range, ptr %ranges, i64 %i
  %other_start = load i64, ptr %other_range
  %other_end_at = getelementptr %Range, ptr %other_range, i32 0, i32 1
  %other_end = load i64, ptr %other_end_at
  %before = icmp ult i64 %start, %other_end
  %behind = icmp ult i64 %other_start, %end
  %shared = and i1 %before, %behind
  %clash = and i1 %shared, %some_writes
  %after = add i64 %i, 1
  br i1 %clash, label %bad, label %apart
apart:
  br label %next
bad:
  %entry_name = load ptr, ptr %entry
  %name = load ptr, ptr %argument
  %other_name = load ptr, ptr %other
  %s = call i64 @complain(ptr %error, i64 3, ptr @"%s: arguments '%s' and '%s' share memory, and one of them is written", ptr %entry_name, ptr %name, ptr %other_name, ptr null, i64 0, i64 0)
  ret i64 %s
good:
  ret i64 0
}

define internal ptr @dtype_name(i64 %dtype) {
  %known = icmp ult i64 %dtype, DTYPES
  %number = select i1 %known, i64 %dtype, i64 0
  %name_at = getelementptr ptr, ptr @dtype_names, i64 %number
  %name = load ptr, ptr %name_at
  ret ptr %name
}
