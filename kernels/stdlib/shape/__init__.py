"""Moving elements: shapes, parts, orders of axes."""
