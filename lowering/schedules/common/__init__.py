"""Parts that schedules for processors and for devices share."""
