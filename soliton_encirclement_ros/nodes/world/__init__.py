"""The node of the simulated world, in lockstep and in real time."""
