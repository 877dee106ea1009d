"""The Atlas ISA as IR: scalar instructions, lane-level programs, and array-level operations.

The dialect itself stands in `dialect`: who needs the scalar instructions alone must not load all the others.
"""
