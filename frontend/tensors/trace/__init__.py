"""What one run of a tensor function records: operations, symbolic sizes, numbers, places in the source."""
