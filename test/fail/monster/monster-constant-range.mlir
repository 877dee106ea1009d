// RUN: hologram-opt %s
// ERROR: 'monster.constant centraliser' 194 is out of the range of 0 to 193

func.func @f() {
  %d = monster.constant centraliser 194 : i256
  func.return
}
