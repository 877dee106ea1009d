; RUN: hologram-run %s
; EXIT: 1
; ERROR: names the function 'main', which the module has not

@hologram_entries = constant [118 x i8] c"[{\22version\22:1,\22name\22:\22main\22,\22symbol\22:\22main\22,\22arguments\22:[],\22constraints\22:[],\22trap\22:false,\22sites\22:[],\22launch\22:\22call\22}]\00"
define void @other() {
  ret void
}
