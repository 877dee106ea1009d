# EXIT: 1
# ERROR: the entry record is not JSON
import hologram

hologram.compile("""
@hologram_entries = constant [3 x i8] c"no\\00"
define void @main() {
  ret void
}
""")
