"""The machine form of the Atlas ISA as IR (isa.md section 5): register types, one operation an instruction, directives.

Its two prints are assembly text and the binary container.
"""

from xdsl.ir import Dialect

from hologram.dialects import add_operations
from hologram.dialects.atlas.instructions.declaration import Instruction, from_outside
from hologram.dialects.machine import array_program, control, directives, program
from hologram.dialects.machine.address import AddressAttr
from hologram.dialects.machine.array_instruction import ARRAY_INSTRUCTIONS
from hologram.dialects.machine.instruction import INSTRUCTIONS
from hologram.dialects.machine.registers import PredType, RegType
from hologram.plugins.tables import Row

Machine = Dialect(
    "machine",
    [*program.OPS, *array_program.OPS, *control.OPS, *INSTRUCTIONS.values(), *ARRAY_INSTRUCTIONS.values()],
    [RegType, PredType, AddressAttr, directives.ArrayTypeAttr],
)


def _from_outside(instruction: Instruction, row: Row) -> None:
    if instruction.is_instruction:
        add_operations(Machine, [INSTRUCTIONS[instruction.name]])


from_outside(_from_outside)
