"""A trace records one run of a tensor function: operations, symbolic sizes, numbers, places in the source."""
