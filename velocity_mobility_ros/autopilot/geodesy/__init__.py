"""One frame for a whole swarm: local frames of autopilots, places on Earth, the swarm's origin."""
