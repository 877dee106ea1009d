"""Schedules for devices with blocks of threads: launches, workgroup memory and barriers."""
