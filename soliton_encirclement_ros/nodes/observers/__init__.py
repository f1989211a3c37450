"""The nodes that observe a swarm: the monitor writes tables and summary, the recorder a bag."""
