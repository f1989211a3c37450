"""The live page: what a running swarm looks like now and did in the last minutes, in a browser."""
