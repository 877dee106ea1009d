# ERROR: MonsterElement\(\{1: 2\}\) is no lifted coordinate
# ERROR: those have one coefficient, 1, at an index of 1 to 4608

from hologram import monster

monster.project_to_torus(2 * monster.lift_to_monster((0, 0)))
