"""The operations of tensor functions, by the groups of the specification."""
