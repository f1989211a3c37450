"""Streams of a swarm to third-party viewers: the moments that are shown, and a sink for each."""
