"""Orders of an operator to a swarm in flight."""
