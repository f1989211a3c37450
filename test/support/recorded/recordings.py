"""For tests of analysis: the recording that a flight's bag would be read into, without a bag."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from soliton_encirclement_ros.analysis.recording import (
    SIMULATED, Commands, Member, Recording, StateSeries, Telemetry, Topic, Track
)
from soliton_encirclement_ros.controllers import recorded_names
from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.run.observer import SAMPLE_NAMES, ObservedSample
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.states import AgentState, State, TargetState
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY_STATE as ADVERSARY_WORDS, AGENT_STATES, METRICS, ROOT, TARGET, TARGET_STATE, uav,
    uav_id
)
from support.plain_loop import SwarmLoop

JOINT_STATE, ODOMETRY = 'sensor_msgs/msg/JointState', 'nav_msgs/msg/Odometry'
TWIST = 'geometry_msgs/msg/TwistStamped'


class Noted:
    """Everything of a flight that a recorder of a lockstep run would get, by name of the member.

    ``observer`` is the one that watched live.
    """

    def __init__(self, loop: SwarmLoop) -> None:
        """Listen to a flight that has not begun."""
        self.loop = loop
        self.observer = loop.observer
        self.tracks: dict[str, list[Any]] = defaultdict(list)
        self.commands: dict[str, list[Any]] = defaultdict(list)
        self.states: dict[str, list[tuple[float, State]]] = defaultdict(list)
        self.rows: dict[str, list[TelemetryRow]] = defaultdict(list)
        self.samples: list[ObservedSample] = []
        self._command = loop.world.command
        loop.world.command = self._note_command  # type: ignore[method-assign]
        loop.on_row = lambda row: self.rows[uav(row.agent_id)].append(row)
        loop.on_sample = self._note_sample

    def _note_command(self, name: str, velocity: Sequence[float], yaw_rate: float = 0.0) -> None:
        now, body = self.loop.world.time, self.loop.world.bodies[name].motion
        self.tracks[name].append((now, *body.position, *body.velocity, body.yaw))
        self.commands[name].append((now, *velocity, yaw_rate))
        self._command(name, velocity, yaw_rate)

    def _note_sample(self, sample: ObservedSample) -> None:
        self.samples.append(sample)
        for name, state in self.loop.sent.items():
            self.states[name].append((sample.time, state))


def note_flight(scenario: Scenario) -> Noted:
    """Fly a scenario to its end and return what there was to record."""
    noted = Noted(SwarmLoop(scenario))
    noted.loop.fly()
    return noted


def recording_of(scenario: Scenario) -> Recording:
    """Fly a scenario in lockstep and return the recording with everything in it."""
    return recording_from(note_flight(scenario))


def recording_from(noted: Noted) -> Recording:
    """Return the recording of a flight."""
    scenario = noted.loop.scenario
    law = recorded_names(
        scenario.control.controller, scenario.is_filtered, scenario.is_estimated
    )
    members = {
        name: Member(
            name, _track(noted.tracks[name]), _commands(noted.commands[name]),
            _words(noted.states[name]), _telemetry(noted.rows[name], law),
        )
        for name in scenario.members
    }  # fmt: skip
    metrics = _metrics(noted.samples)
    return Recording(
        path=Path('flight'),
        start_ns=0,
        clock=SIMULATED,
        duration=noted.samples[-1].time,
        members=members,
        metrics=metrics,
        topics=tuple(sorted(_topics(members, metrics))),
        problems=(),
        scenario=scenario,
    )


def without(recording: Recording, *kinds: str, of: Sequence[str] = ()) -> Recording:
    """Return a recording without some topics: ``without(r, 'states', 'telemetry')``.

    Args:
        recording: The recording.
        *kinds: Fields of ``Member``; ``metrics`` and ``scenario`` are fields of the recording.
        of: Whose; nobody for everybody's.
    """
    own = {kind: None for kind in kinds if kind in ('metrics', 'scenario')}
    theirs = {kind: None for kind in kinds if kind not in own}
    members = {
        name: member._replace(**theirs) if not of or name in of else member
        for name, member in recording.members.items()
    }
    return recording._replace(members=members, **own)


def _track(rows: Sequence[Sequence[float]]) -> Track:
    table = np.array(rows, float).reshape(-1, 8)
    return Track(table[:, 0], table[:, 1:4], table[:, 4:7], table[:, 7])


def _commands(rows: Sequence[Sequence[float]]) -> Commands:
    table = np.array(rows, float).reshape(-1, 5)
    return Commands(table[:, 0], table[:, 1:4], table[:, 4])


def _words(spoken: Sequence[tuple[float, State]]) -> StateSeries | None:
    if not spoken:
        return None
    states = [state for _, state in spoken]
    told = [_values(state) for state in states]
    names = dict.fromkeys(name for one in told for name in one)
    return StateSeries(
        np.array([time for time, _ in spoken]),
        np.array([state.seq for state in states], float),
        np.array([state.position for state in states], float),
        np.array([state.velocity for state in states], float),
        {name: np.array([one.get(name, np.nan) for one in told]) for name in names},
    )


def _values(state: State) -> Mapping[str, float]:
    if isinstance(state, AgentState):
        fields = {f'prop/{name}': value for name, value in state.prop}
        return {'u': state.u, 'u_ss': state.u_ss, **fields}
    if isinstance(state, TargetState):
        weights = {f'{uav(k)}/lambda': value for k, value in state.lambdas}
        return {'omega_ref': state.omega_ref, **weights}
    return {}


def _telemetry(rows: Sequence[TelemetryRow], law: Sequence[str]) -> Telemetry | None:
    if not rows:
        return None
    values = np.array([row.values for row in rows], float)
    return Telemetry(
        np.array([row.time for row in rows]),
        np.array([row.position for row in rows], float),
        np.array([row.velocity for row in rows], float),
        np.array([row.failed for row in rows], bool),
        np.array([row.pred for row in rows], float),
        np.array([row.succ for row in rows], float),
        {name: values[:, i] for i, name in enumerate(law)},
    )


def _metrics(samples: Sequence[ObservedSample]) -> dict[str, Any]:
    table = np.array([[sample.time, *sample.values] for sample in samples], float)
    return dict(zip(('time', *SAMPLE_NAMES), table.T.copy(), strict=True))


def _topics(members: Mapping[str, Member], metrics: Mapping[str, Any]) -> list[Topic]:
    spoken: dict[str, list[Any]] = defaultdict(list)
    found = [_topic(ROOT.full_name(METRICS), JOINT_STATE, metrics['time'])]
    for name, member in members.items():
        kinds = (('odom', ODOMETRY), ('cmd_vel', TWIST), ('telemetry', JOINT_STATE))
        for (kind, type_), part in zip(
            kinds, (member.track, member.commands, member.telemetry), strict=True
        ):
            if part is not None:
                found.append(_topic(f'/{name}/{kind}', type_, part.time))
        if member.states is not None:
            others = TARGET_STATE if name == TARGET else ADVERSARY_WORDS
            spoken[others if uav_id(name) is None else AGENT_STATES].append(member.states.time)
    return found + [
        _topic(ROOT.full_name(name), JOINT_STATE, np.sort(np.concatenate(times)))
        for name, times in spoken.items()
    ]


def _topic(name: str, type_: str, time: Any) -> Topic:
    gaps = np.diff(time)
    longest = int(np.argmax(gaps))
    first, last, gap, gap_at = map(float, (time[0], time[-1], gaps[longest], time[longest]))
    rate = len(gaps) / (last - first)
    return Topic(name, type_, len(time), first, last, rate, gap, gap_at, 0.0, 0.0)


def body(
    name: str, time: Any, position: Any, velocity: Any = None, commanded: Any = None
) -> Member:
    """Return a member known by odometry alone, and by commands at the same times if given.

    Args:
        name: Its name.
        time: (K,) [s].
        position: (K, 3) or (3,) [m].
        velocity: The same [m/s]; at rest if not given.
        commanded: The same [m/s].
    """
    time = np.asarray(time, float)
    still = np.zeros((len(time), 3))
    track = Track(time, still + position, still + (0.0 if velocity is None else velocity),
                  still[:, 0])  # fmt: skip
    told = None if commanded is None else Commands(time, still + commanded, still[:, 0])
    return Member(name, track, told)


def recording_with(*members: Member, **changes: Any) -> Recording:
    """Return a recording of members, without scenario, metrics and topics unless changed."""
    last = max(
        (part.time[-1] for one in members for part in one[1:] if part and len(part.time)),
        default=0.0,
    )
    plain = Recording(
        Path('flight'), 0, SIMULATED, float(last), {one.name: one for one in members}, None, (), ()
    )
    return plain._replace(**changes)
