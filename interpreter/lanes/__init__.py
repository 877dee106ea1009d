"""The lane level of the interpreter: lanes in lockstep, their memory and pointers."""
