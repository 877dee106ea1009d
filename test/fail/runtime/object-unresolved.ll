; RUN: hologram-run %s
; EXIT: 1
; ERROR: needs functions that this process has not: nowhere

@hologram_entries = constant [118 x i8] c"[{\22version\22:1,\22name\22:\22main\22,\22symbol\22:\22main\22,\22arguments\22:[],\22constraints\22:[],\22trap\22:false,\22sites\22:[],\22launch\22:\22call\22}]\00"
declare void @nowhere()
define void @main() {
  call void @nowhere()
  ret void
}
