"""A run on a whole terminal: the swarm from above in characters, and how it fares."""
