"""What schedules for processors and for devices share."""
