"""The members of a swarm that nodes fly: rows of their own, and all others as received."""
