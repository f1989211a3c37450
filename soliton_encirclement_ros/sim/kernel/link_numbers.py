"""Members' numbers on the radio, as unsigned integers for the noise."""

import numpy as np

from soliton_encirclement_ros.sim.kernel.constants import Rules


def link_number(rules: Rules, member: int) -> np.uint64:
    """Return a member's number on the radio: target 0, adversary 1, ``uav_k`` k + 1."""
    agents = rules.swarm.agents
    if member < agents:
        return np.uint64(member + 2)
    return np.uint64(member - agents)
