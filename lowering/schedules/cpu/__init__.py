"""Schedules for processors: loops whose innermost one runs on vectors."""
