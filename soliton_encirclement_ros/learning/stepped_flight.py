"""A flight of the engine, a step at a time: commands of agents in, what they observe out.

The tick is the engine's own: commands go through a buffer in the memory of the agents' law
(``controllers.commanded``), then through the separation filter and the limits of the vehicle, and
observations are what that law gets. So a step costs what it costs ``swarm simulate``.
"""

import math
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from soliton_encirclement_ros.controllers import CONTROLLERS, commanded
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.scenario.overrides import nested, requested_scenario
from soliton_encirclement_ros.core.scenario.placement import check_starts
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.sim.chunk import AGENT_COLUMNS, Chunk
from soliton_encirclement_ros.sim.engine import Engine
from velocity_mobility_ros.core.user_errors import shown

Floats = NDArray[np.float64]

NOTHING: Mapping[str, Any] = {}

OBSERVED_NAMES = tuple(
    name if size == 1 else f'{name}_{axis}'
    for name, size in (
        ('is_known', 1), ('target', 3), ('target_velocity', 3), ('velocity', 3), ('ahead', 3),
        ('ahead_velocity', 3), ('behind', 3), ('behind_velocity', 3), ('gap_ahead', 1),
        ('gap_behind', 1),
    )
    for axis in 'xyz'[:size]
)  # fmt: skip
"""The numbers of an observation, in order: ``controllers.commanded.Observation``."""

FAILED = AGENT_COLUMNS.index('failed')


class Moment(NamedTuple):
    """What there is at a step.

    Attributes:
        time: Time of the flight [s].
        observations: (N, 24), a row per agent: ``OBSERVED_NAMES``, SI units, axes of map.
        metrics: E_r, E_vr, rho, G_max, E_gap, E_wgap by name; NaN while nobody is received.
        down: (N,), whether agents are down.
        separation: Smallest distance of two agents [m]; infinite with one.
        has_collided: Whether two agents have come nearer than ``run.collision_distance``.
        is_over: Whether the duration of the scenario is over.
    """

    time: float
    observations: Floats
    metrics: Mapping[str, float]
    down: NDArray[np.bool_]
    separation: float
    has_collided: bool
    is_over: bool


Reward = Callable[[Moment], float]
"""Returns the reward of a step for the whole swarm."""


def ring_reward(moment: Moment) -> float:
    """Return minus the sum of radial error E_r and spacing error E_gap: 0 on an even ring.

    Nobody received counts as -2, a collision -100 more.

    Example:
        >>> ring_reward(moment)
        -0.037
    """
    error = moment.metrics['E_r'] + moment.metrics['E_gap']
    return -(2.0 if math.isnan(error) else error) - 100.0 * moment.has_collided


class SteppedFlight:
    """One scenario, flown again and again, a step at a time.

    Attributes:
        scenario: What is flown.
        agents: Names of all agents, ``uav_1`` and so on.
        commanded: Names of the agents whose velocities come from outside; the others fly their
            law.
        speeds: (N, 3), largest commanded speed of each agent by axis [m/s].
        step_time: Time of a step [s].

    Example:
        >>> flight = SteppedFlight('still', changes={'run.num_agents': 4})
        >>> moment = flight.reset(seed=1)
        >>> moment = flight.step(np.zeros((4, 3)))
        >>> moment.metrics['E_gap']
    """

    def __init__(
        self,
        scenario: str | Path = 'demo',
        commanded_agents: Collection[str] | None = None,
        *,
        changes: Mapping[str, Any] = NOTHING,
        ticks: int = 1,
        is_compiled: Callable[[], bool] | None = None,
    ) -> None:
        """Read and check a scenario; nothing is flown yet.

        Args:
            scenario: Scenario file, or name of an installed scenario.
            commanded_agents: Names of those that are commanded; None: all.
            changes: Values of parameters by ``section.key``, as of ``--set``.
            ticks: Control ticks of a step.
            is_compiled: As of ``Engine``: the flight is interpreted until it returns true. None:
                the law is compiled first where it is not.

        Raises:
            ScenarioError: There is no such scenario, or a value is refused.
            RunError: There is no such agent, its law cannot be commanded, or ticks are no number.
        """
        read = requested_scenario(str(scenario), [], '', nested(changes))
        law, layer = read.control.controller, read.propagation.propagation_method
        if law not in CONTROLLERS or (law == 'two_channel' and layer != 'baseline'):
            raise RunError(
                f'controller = {shown(law)}: agents that are commanded fly a law that comes '
                f'along, without a layer of its own: {named([*CONTROLLERS])}'
            )
        if type(ticks) is not int or ticks < 1:
            raise RunError(f'ticks = {shown(ticks)}: must be a whole number from 1 on')
        control = {**read.as_dict()['control'], 'controller': f'{commanded.__name__}:{law}'}
        self.scenario = read.with_changes({'control': control}, 'commanded')
        check_starts(self.scenario)
        self.agents = tuple(map(uav, self.scenario.agent_ids))
        chosen = self.agents if commanded_agents is None else tuple(commanded_agents)
        for one in chosen:
            if one not in self.agents:
                raise RunError(f'agent {shown(one)}: must be one of {named(self.agents)}')
        self.commanded = tuple(one for one in self.agents if one in chosen)
        self.rows = [self.agents.index(one) for one in self.commanded]
        limits = [self.scenario.limits_of(one) for one in self.agents]
        self.speeds = np.array([(x.max_speed_xy, x.max_speed_xy, x.max_speed_z) for x in limits])
        self.step_time = ticks * self.scenario.swarm.control_period
        self._ticks, self._is_compiled = ticks, is_compiled
        self._engine: Engine | None = None

    def reset(self, seed: int | None = None) -> Moment:
        """Begin a flight; return its first moment, in which nobody has heard anybody yet.

        Args:
            seed: Seed of every random stream; None: that of the flight before, or the scenario's.

        Raises:
            ScenarioError: The seed is refused.
        """
        if seed is not None:
            self.scenario = self.scenario.with_changes({'run': {'seed': seed}}, 'reset')
        self._engine = Engine(self.scenario, room=self._ticks + 1, is_compiled=self._is_compiled)
        self._engine.on_chunk = self._take
        self._closest, self._separation = math.inf, math.inf
        self._metrics = dict.fromkeys(METRIC_NAMES, math.nan)
        self._down = np.zeros(len(self.agents), dtype=bool)
        return self._moment()

    def step(self, velocities: ArrayLike) -> Moment:
        """Let agents command velocities, and fly on; return what there is then.

        A command is given at the next tick, and the vehicle moves by it from then on: what is
        computed from an observation takes effect one control period later.

        Args:
            velocities: Of the commanded agents, in their order, (len(commanded), 3) [m/s, map].

        Raises:
            RunError: There was no reset, a number is not finite, or the shape is another one.
        """
        if self._engine is None:
            raise RunError('step: call reset first')
        wanted = np.asarray(velocities, dtype=float)
        if wanted.shape != (len(self.rows), 3) or not np.isfinite(wanted).all():
            raise RunError(
                f'velocities of shape {wanted.shape}: must be finite, of shape '
                f'{(len(self.rows), 3)}: {named(self.commanded)} by x, y, z [m/s]'
            )
        memories = self._engine.memories
        memories[self.rows, 0] = 1.0
        memories[self.rows, 1 : commanded.COMMAND_SIZE] = wanted
        self._engine.advance(self._ticks)
        return self._moment()

    def _take(self, chunk: Chunk) -> None:
        """Keep the last of some samples, which are reused."""
        self._metrics = dict(zip(METRIC_NAMES, chunk.metrics[-1].tolist(), strict=True))
        self._down = chunk.agents[-1, :, FAILED] != 0.0
        self._separation = float(chunk.separation[-1])
        self._closest = min(self._closest, float(chunk.separation.min()))

    def _moment(self) -> Moment:
        engine = self._engine
        return Moment(
            engine.ticks * self.scenario.swarm.control_period,
            engine.memories[:, commanded.OBSERVED].copy(),
            self._metrics,
            self._down,
            self._separation,
            self._closest < self.scenario.run.collision_distance,
            engine.ticks >= self.scenario.ticks,
        )
