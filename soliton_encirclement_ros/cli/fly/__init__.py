"""Orders of an operator to the autopilots of a swarm, through the bridges of its vehicles."""
