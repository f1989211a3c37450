"""A scenario: what defines a run, its checks, and the plan of nodes that fly it."""
