"""Streams of a swarm for viewers of others: what is shown at a moment, and how each takes it."""
