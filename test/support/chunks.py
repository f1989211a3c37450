"""For tests of sinks: chunks flown by the plain loop."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.received_states import MAX_GOSSIP
from soliton_encirclement_ros.core.states.states import AgentState, State
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav
from soliton_encirclement_ros.sim.allocation import has_attitudes
from soliton_encirclement_ros.sim.chunk import Chunk
from soliton_encirclement_ros.sim.kernel.observation import GOSSIP_COLUMNS, TRUTH_COLUMNS
from soliton_encirclement_ros.sim.sinks.telemetry_sinks import Sink
from support.plain_loop import SwarmLoop, plain_loop
from velocity_mobility_ros.core.coordinate_frames import Attitude, VehicleMotion
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.vehicles.simulated_body import Body


def fly_in_chunks(scenario: Scenario, size: int = 16) -> Iterator[Chunk]:
    """Fly a scenario; iterate over its chunks of at most ``size`` samples."""
    loop = plain_loop(scenario)
    samples = Samples(loop)
    for tick in range(1, scenario.ticks + 1):
        loop.tick()
        samples.note()
        if tick % size == 0 or tick == scenario.ticks:
            yield samples.take()


def fly_into(sink: Sink, scenario: Scenario, size: int = 16) -> None:
    """Fly a scenario into a sink and close that."""
    for chunk in fly_in_chunks(scenario, size):
        sink.write(chunk)
    sink.close()


class Samples:
    """The samples of a plain loop that wait for their chunk."""

    def __init__(self, loop: SwarmLoop) -> None:
        """Look over the shoulder of a loop."""
        self._loop = loop
        self._uavs = [uav(k) for k in loop.scenario.agent_ids]
        self._words: dict[str, AgentState] = {}
        self._rows: list[TelemetryRow] = []
        self._samples: list[tuple[Any, ...]] = []
        loop.on_row = self._rows.append
        self._attitudes: list[list[list[float]]] = []
        self._told: list[list[list[list[float]]]] = []
        self._truth: list[list[list[float]]] = []
        self._tilted = has_attitudes(loop.scenario)
        self._move_on, loop.world.advance = loop.world.advance, self._note_and_move_on

    def note(self) -> None:
        """Take a sample after a tick."""
        loop, sample = self._loop, self._loop.observer.last
        self._words.update({name: loop.sent[name] for name in self._uavs if name in loop.sent})
        weights = dict(loop.sent[TARGET].lambdas)
        agents = [
            self._agent(
                row,
                name,
                loop.world.bodies[name].desired.velocity,
                weights.get(row.agent_id, math.nan),
            )
            for row, name in zip(self._rows, self._uavs, strict=True)
        ]
        self._rows.clear()
        if loop.scenario.is_filtered:
            self._told.append([_told(loop.sent.get(name)) for name in self._uavs])
        target = loop.sent[TARGET]
        self._samples.append((
            sample.time, agents, [*_body(target), target.omega_ref],
            _body(loop.sent[ADVERSARY]) if ADVERSARY in loop.sent else [],
            sample.metrics, sample.alive, sample.min_separation,
        ))  # fmt: skip

    def _note_and_move_on(self) -> None:
        """Note the attitudes and the truth of this tick, which the next one will not have."""
        bodies = self._loop.world.bodies.values()
        if self._loop.scenario.is_sensed:
            self._truth.append([_truth(body) for body in bodies])
        if self._tilted:
            self._attitudes.append([_attitude(*body.measured[:2]) for body in bodies])
        self._move_on()

    def take(self) -> Chunk:
        """Return the samples since the last time."""
        times, agents, target, adversary, *rest = zip(*self._samples, strict=True)
        self._samples = []
        attitudes = np.array(self._attitudes, float).reshape(-1, len(self._loop.world.bodies), 10)
        self._attitudes = []
        told = np.array(self._told, float).reshape(-1, len(self._uavs), MAX_GOSSIP, GOSSIP_COLUMNS)
        self._told = []
        members = len(self._loop.world.bodies)
        truth = np.array(self._truth, float).reshape(-1, members, TRUTH_COLUMNS)
        self._truth = []
        present = np.array(adversary, float).reshape(-1, 7)
        first = (np.array(column, float) for column in (times, agents, target))
        further = (np.array(column, float) for column in rest)
        return Chunk(*first, present, *further, attitudes, told, truth)

    def _agent(self, row: TelemetryRow, name: str, asked: Vector, weight: float) -> list[float]:
        said = self._words.get(name)
        words = (said.seq, said.u, said.u_ss) if said else (0, 0.0, 0.0)
        standing = (row.failed, row.pred, row.succ, *words)
        return [*row.position, *row.velocity, *standing, *asked, weight, *row.values]


def _body(state: State) -> list[float]:
    return [*state.position, *state.velocity, state.seq]


def lively(**changes: dict[str, Any]) -> Scenario:
    """Return a short scenario in which agents fail often and everybody moves."""
    sections: dict[str, dict[str, Any]] = {
        'run': {'num_agents': 4, 'sim_duration': 6.0, 'seed': 3},
        'failure': {'failure_mean_failures_per_min': 30.0, 'failure_off_time': 0.6},
        'target': {'target_swarm_spin_enable': True},
    }
    return Scenario('lively').with_changes(sections, 'test').with_changes(changes, 'test')


def _told(state: AgentState | None) -> list[list[float]]:
    """Return the silent agents of a state by index, up to the end of the table."""
    told = [
        [*body.position, *body.velocity, body.agent_id - 1, body.age]
        for body in (state.silent if state else ())
    ]
    return told + [[0.0] * 6 + [-1.0, 0.0]] * (MAX_GOSSIP - len(told))


def _truth(body: Body) -> list[float]:
    """Return the true motion and attitude, and the age of what it measures."""
    true, attitude = body.motion, _attitude(body.motion, body.attitude)
    return [*true.position, *true.velocity, *attitude, body.measured.age]


def _attitude(motion: VehicleMotion, found: Attitude | None) -> list[float]:
    """Return rotation, velocity and angular velocity in the body frame."""
    if found is None:
        return [0.0, 0.0, 0.0, 1.0, *motion.velocity, 0.0, 0.0, 0.0]
    return [*found.rotation, *found.linear, *found.angular]
