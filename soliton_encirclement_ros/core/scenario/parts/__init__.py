"""Plans of single parts of a swarm, and the vehicles that they command."""
