"""Setpoints of a vehicle: positions and velocities within limits, as the state machine wants."""
