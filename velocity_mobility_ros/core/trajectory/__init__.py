"""A virtual leader on a polyline, and the commands of a vehicle that follows it."""
