# EXIT: 1
# ERROR: functions that call each other take 1120000 bytes of stack, 'inner' most of them, and a WebAssembly module has

from hologram.lowering.targets.objects.wasm import to_object
from hologram.lowering.targets.objects.wasm_link import link

link(
    to_object("""
define internal i32 @inner(i32 %n) noinline {
  %a = alloca [140000 x i32]
  %p = getelementptr i32, ptr %a, i32 %n
  store volatile i32 %n, ptr %p
  ret i32 %n
}
define i32 @outer(i32 %n) {
  %a = alloca [140000 x i32]
  %p = getelementptr i32, ptr %a, i32 %n
  store volatile i32 %n, ptr %p
  %r = call i32 @inner(i32 %n)
  ret i32 %r
}
""")
)
