"""The compiled laws in the memory of this process."""

from collections.abc import Callable, Collection

from soliton_encirclement_ros.core.random_streams import REFERENCE, STREAMS
from soliton_encirclement_ros.core.scenario import Scenario
from soliton_encirclement_ros.sim.engine import Engine
from soliton_encirclement_ros.sim.kernel.event_flying import fly_by_events
from soliton_encirclement_ros.sim.kernel.flying import fly

PROGRAMS: dict[str, Callable] = {STREAMS: fly, REFERENCE: fly_by_events}
"""What flies, by ``run.rng``."""


def get_ready(rngs: Collection[str] = (STREAMS,)) -> None:
    """Load the compiled laws, or compile them; processes forked later find them loaded.

    One flight of one tick does it: what is compiled depends on nothing else in a scenario.

    Args:
        rngs: What ``run.rng`` is going to be: ``reference`` flies by events.
    """
    one = Scenario()
    for rng in sorted(rngs):
        tick = {'num_agents': 1, 'sim_duration': one.swarm.control_period, 'rng': rng}
        Engine(one.with_changes({'run': tick}, 'one tick')).fly()
