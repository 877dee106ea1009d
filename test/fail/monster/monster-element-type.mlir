// RUN: hologram-opt %s
// ERROR: 'monster.lift' needs !torus.coord here, found !torus.coord<96, 192>
// ERROR: the torus 48 x 96 alone lifts

func.func @f(%a: !torus.coord<96, 192>) {
  %e = monster.lift %a : !torus.coord<96, 192> to !monster.element
  func.return
}
