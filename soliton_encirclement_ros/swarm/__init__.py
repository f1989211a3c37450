"""The swarm: one memory and one tick, for the engine and for nodes."""
