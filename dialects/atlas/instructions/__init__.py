"""The declarations of instructions: their types and their place in the machine form; and the scalar instructions."""
