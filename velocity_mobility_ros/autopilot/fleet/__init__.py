"""Several vehicles with autopilots as one fleet: orders that reach all, and who belongs to it."""
