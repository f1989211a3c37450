"""Polylines with arrival times, virtual leaders on them, and the vehicles that follow these.

A polyline is followed under limits of speed, acceleration and jerk. Polylines come from files
(CSV, YAML) and from the arrays of a recording.
"""
