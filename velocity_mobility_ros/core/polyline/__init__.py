"""Following a polyline with arrival times, under limits of speed, acceleration and jerk."""
