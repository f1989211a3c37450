"""``swarm doctor``: what this computer lacks for a flight, with the cure of each."""
