; RUN: hologram-compile %s -o %t.so
; ERROR: 'main' of '.*c-packed.ll' has no packed form
; ERROR: hint: compile it again
@hologram_entries = constant [118 x i8] c"[{\22version\22:1,\22name\22:\22main\22,\22symbol\22:\22main\22,\22arguments\22:[],\22constraints\22:[],\22trap\22:false,\22sites\22:[],\22launch\22:\22call\22}]\00"
define void @main() {
  ret void
}
