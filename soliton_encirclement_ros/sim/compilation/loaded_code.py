"""The compiled kernel and laws in the memory of this process, and the process that compiles them.

Nobody waits for the compiler: it works in a process of its own while flights are interpreted.

There is one such process at a time, with the least priority. It goes on when the flight is over:
the next one finds compiled code.
"""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from soliton_encirclement_ros.controllers import CONTROLLERS, kind_of
from soliton_encirclement_ros.core.parameters.run_parameters import RNG_NAMES
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE, STREAMS
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.sim.compilation.code_cache import (
    cache_folder, compiler_lock, digest_of, is_cached
)
from soliton_encirclement_ros.sim.compilation.compiled_motion import leader_programs, load_leader
from soliton_encirclement_ros.sim.compilation.law_unit import (
    estimator_over_rows, functions, over_rows
)
from soliton_encirclement_ros.sim.compilation.vehicle_unit import (
    moving, vehicle_rules, vehicle_types
)
from soliton_encirclement_ros.sim.engine import Engine
from soliton_encirclement_ros.sim.flight_constants import setup_of
from soliton_encirclement_ros.sim.kernel.event_tick import fly_by_events
from soliton_encirclement_ros.sim.kernel.swarm_tick import fly
from soliton_encirclement_ros.swarm.over_rows import filtering, spinning
from velocity_mobility_ros.vehicles.vehicle import VEHICLES, parameters_of

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
        base = Scenario()
        changes = {
            'run': {'num_agents': 1, 'sim_duration': base.swarm.control_period, 'rng': self.rng},
            'control': {'controller': self.law},
            'propagation': {'propagation_method': self.layer},
            'mobility': {'vehicle': self.vehicles[0]},
            'target': {'target_swarm_spin_law': self.spin},
        }
        if self.estimator:
            changes['target_sensing'] = {'target_broadcasts': False, 'estimator': self.estimator}
        return base.with_changes(changes, 'one tick')


def flight_kind(scenario: Scenario) -> FlightKind:
    """Return which code a scenario needs."""
    law, layer = scenario.control.controller, scenario.propagation.propagation_method
    vehicles = vehicle_types([*map(scenario.vehicle_of, scenario.members)])
    spin = scenario.target.target_swarm_spin_law
    estimator = scenario.target_sensing.estimator if scenario.is_estimated else ''
    paths = bool(scenario.member_paths)
    return FlightKind(scenario.run.rng, law, layer, spin, vehicles, paths, estimator)


DEFAULT = flight_kind(Scenario())
EVERY = [DEFAULT._replace(rng=rng, law=law) for rng in RNG_NAMES for law in CONTROLLERS]
"""Everything but laws with another layer, other spin laws, other vehicles and paths."""


def programs(kinds: Iterable[FlightKind]) -> list[Callable]:
    """Return all functions that flights need compiled."""
    needed: dict[Callable, None] = {}
    for kind in kinds:
        flight = kind.scenario()
        setup = setup_of(flight, uav(1))
        law = kind_of(kind.law).law(setup)
        needed |= dict.fromkeys([kind.program, spinning(kind.spin), filtering()])
        needed[moving(tuple(VEHICLES[name] for name in kind.vehicles))] = None
        needed |= dict.fromkeys([*over_rows(law, setup), estimator_over_rows(flight)])
        needed |= dict.fromkeys(leader_programs() if kind.paths else [])
    return list(needed)


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


AGENT_TICK = 0.5e-3
"""Time that an interpreted agent takes for a tick on a machine of middling speed [s]."""

PER_OTHER = 2.5e-6
"""What every other agent adds to that [s]."""

COMPILATION = 60.0
"""Time of a compilation, on such a machine [s]."""

LOOK_PERIOD = 1.0
"""Time between two looks at what the compiler has done [s]."""

LEAST_PRIORITY = 19

MOST_FILES = 4096
"""Descriptors that may be open."""


def interpreted_time(scenarios: Sequence[Scenario], at_once: float = 1.0) -> float:
    """Return about how long flights take interpreted, some at once [s]."""
    agents = [scenario.run.num_agents for scenario in scenarios]
    ticks = [scenario.ticks for scenario in scenarios]
    cost = sum(n * t * (AGENT_TICK + n * PER_OTHER) for n, t in zip(agents, ticks, strict=True))
    return cost / max(1.0, min(at_once, len(scenarios)))


def compile_beside(kinds: Collection[FlightKind]) -> Callable[[], bool]:
    """Begin to compile what flights need.

    Args:
        kinds: The flights.

    Returns:
        Whether compiled code is there by now; cheap enough to be asked at every tick.
    """
    folders = [cache_folder(digest_of(program)) for program in programs(kinds)]
    if None not in folders:
        with contextlib.suppress(OSError):  # no room for a process: the flight goes on interpreted
            _start(kinds)
    looked_at = time.monotonic()

    def is_compiled() -> bool:
        nonlocal looked_at
        if time.monotonic() - looked_at < LOOK_PERIOD:
            return False
        looked_at = time.monotonic()
        return all(map(is_cached, folders))

    return is_compiled


def _start(kinds: Collection[FlightKind]) -> None:
    """Start the process; this one is neither its parent nor bound to its end."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    try:
        os.setsid()
        if os.fork() == 0:
            _compile(kinds)
    finally:
        os._exit(0)


def _compile(kinds: Collection[FlightKind]) -> None:
    os.nice(LEAST_PRIORITY)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    os.closerange(3, MOST_FILES)  # whoever waits for the end of one does not wait for this process
    with compiler_lock(waits=False) as is_ours:
        if is_ours:
            get_ready(kinds)
