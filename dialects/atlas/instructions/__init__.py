"""What an instruction is: its declaration, types and place in the machine form; and the scalar instructions."""
