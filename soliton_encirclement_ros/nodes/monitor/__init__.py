"""The node that observes a swarm, and writes tables and summary of a run."""
