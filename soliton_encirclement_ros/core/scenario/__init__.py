"""Scenarios: parameters of a run, their checks, and the plan of its nodes."""
