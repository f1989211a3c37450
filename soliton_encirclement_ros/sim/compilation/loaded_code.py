"""The compiled kernel and laws in the memory of this process."""

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from velocity_mobility_ros.vehicles.vehicle import VEHICLES, parameters_of

from soliton_encirclement_ros.controllers import CONTROLLERS, kind_of
from soliton_encirclement_ros.core.parameters.run_parameters import RNG_NAMES
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE, STREAMS
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.sim.compilation.compiled_leader import (
    leader_programs,
    load_leader,
)
from soliton_encirclement_ros.sim.compilation.law_unit import (
    estimator_over_rows,
    functions,
    over_rows,
)
from soliton_encirclement_ros.sim.compilation.vehicle_unit import (
    moving,
    vehicle_rules,
    vehicle_types,
)
from soliton_encirclement_ros.sim.engine import Engine
from soliton_encirclement_ros.sim.flight_constants import setup_of
from soliton_encirclement_ros.sim.kernel.event_tick import fly_by_events
from soliton_encirclement_ros.sim.kernel.swarm_tick import fly
from soliton_encirclement_ros.swarm.over_rows import filtering
from soliton_encirclement_ros.swarm.spin import spinning

PROGRAMS: dict[str, Callable] = {STREAMS: fly, REFERENCE: fly_by_events}
"""What flies, by ``run.rng``."""


class FlightKind(NamedTuple):
    """What decides which code a flight needs: ``run.rng`` and names of parts, empty: none."""

    rng: str
    law: str
    layer: str
    spin: str
    vehicles: tuple[str, ...]
    paths: bool
    estimator: str = ''

    @property
    def program(self) -> Callable:
        """What flies."""
        return PROGRAMS[self.rng]

    def scenario(self) -> Scenario:
        """Return the shortest flight that needs this code: one tick of one agent.

        All its vehicles are of the first type.
        """
        one = Scenario()
        changes = {
            'run': {'num_agents': 1, 'sim_duration': one.swarm.control_period, 'rng': self.rng},
            'control': {'controller': self.law},
            'propagation': {'propagation_method': self.layer},
            'mobility': {'vehicle': self.vehicles[0]},
            'target': {'target_swarm_spin_law': self.spin},
        }
        if self.estimator:
            changes['sight'] = {'cooperative': False, 'estimator': self.estimator}
        return one.with_changes(changes, 'one tick')


def flight_kind(scenario: Scenario) -> FlightKind:
    """Return which code a scenario needs."""
    law, layer = scenario.control.controller, scenario.propagation.propagation_method
    vehicles = vehicle_types([*map(scenario.vehicle_of, scenario.members)])
    spin = scenario.target.target_swarm_spin_law
    estimator = scenario.sight.estimator if scenario.is_estimated else ''
    paths = bool(scenario.member_paths)
    return FlightKind(scenario.run.rng, law, layer, spin, vehicles, paths, estimator)


DEFAULT = flight_kind(Scenario())
EVERY = [DEFAULT._replace(rng=rng, law=law) for rng in RNG_NAMES for law in CONTROLLERS]
"""Everything but laws with another layer, other spin laws, other vehicles and paths."""


def programs(kinds: Iterable[FlightKind]) -> list[Callable]:
    """Return all functions that flights need compiled."""
    found: dict[Callable, None] = {}
    for kind in kinds:
        flight = kind.scenario()
        setup = setup_of(flight, uav(1))
        law = kind_of(kind.law).law(setup)
        found |= dict.fromkeys([kind.program, spinning(kind.spin), filtering()])
        found[moving(tuple(VEHICLES[name] for name in kind.vehicles))] = None
        found |= dict.fromkeys([*over_rows(law, setup), estimator_over_rows(flight)])
        found |= dict.fromkeys(leader_programs() if kind.paths else [])
    return list(found)


def compile_law(kind: FlightKind) -> None:
    """Compile the law of a kind of flights, or load it, and nothing else."""
    setup = setup_of(kind.scenario(), uav(1))
    functions(kind_of(kind.law).law(setup), setup)


def get_ready(kinds: Collection[FlightKind] = (DEFAULT,)) -> None:
    """Load compiled code, or compile it; processes forked later find it loaded.

    Args:
        kinds: Which flights there are going to be: one tick of each is flown.
    """
    for kind in sorted(set(kinds)):
        Engine(kind.scenario()).fly()
        vehicle_rules([parameters_of(name)() for name in kind.vehicles], plain=False)
        if kind.paths:
            load_leader()
