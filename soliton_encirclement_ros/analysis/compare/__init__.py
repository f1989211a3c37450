"""Several recordings beside each other: aligned in time, on one time base, with differences."""
