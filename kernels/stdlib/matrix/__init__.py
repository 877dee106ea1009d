"""Products and transposes of matrices."""
