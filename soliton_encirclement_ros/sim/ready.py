"""The compiled laws in the memory of this process."""

from soliton_encirclement_ros.core.scenario import Scenario
from soliton_encirclement_ros.sim.engine import Engine


def get_ready() -> None:
    """Load the compiled laws, or compile them; processes forked later find them loaded.

    One flight of one tick does it: the compiled code is the same for every scenario.
    """
    one = Scenario()
    tick = {'num_agents': 1, 'sim_duration': one.swarm.control_period}
    Engine(one.with_changes({'run': tick}, 'one tick')).fly()
