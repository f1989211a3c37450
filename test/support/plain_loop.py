"""The whole swarm as a plain loop over a world and the members of nodes; no ROS.

Connected like the nodes of a lockstep run, it gives the same rows to the last bit. In the order of
events of the original bodies move, members act and messages arrive one after the other, each at
its own time, in the order in which CPython's ``heapq`` gives them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from typing import Any

from soliton_encirclement_ros.core.flight_statistics.agent_statistics import space_bounds
from soliton_encirclement_ros.core.laws.law import Setup
from soliton_encirclement_ros.core.laws.telemetry import (
    TelemetryRow, telemetry_row, telemetry_values
)
from soliton_encirclement_ros.core.member_paths import PathFlight
from soliton_encirclement_ros.core.radio_loss_and_delay import drawn_reach
from soliton_encirclement_ros.core.run.observer import ObservedSample, Observer, with_true_motion
from soliton_encirclement_ros.core.run.world import World
from soliton_encirclement_ros.core.scenario.random_streams import (
    REFERENCE, RunStreams, run_streams
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.states import AdversaryState, AgentState, State, is_sound
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav
from soliton_encirclement_ros.members.own_agent import Agent, make_agent
from soliton_encirclement_ros.members.own_target import Adversary, Target
from soliton_encirclement_ros.sim.compilation.compiled_motion import fly_compiled
from soliton_encirclement_ros.swarm.failures import failure_probability
from soliton_encirclement_ros.swarm.memory import CX, CZ
from soliton_encirclement_ros.swarm.target import choose_motion
from velocity_mobility_ros.core.step_time import to_ns, to_seconds
from velocity_mobility_ros.core.trajectory.leader_track import LeaderFlight, fly_rows
from velocity_mobility_ros.core.velocity_model import Vector

Crew = Mapping[str, Agent | Target | Adversary]


def make_actors(
    scenario: Scenario,
    streams: RunStreams | None = None,
    fly: Callable[..., LeaderFlight] = fly_rows,
) -> dict[str, Agent | Target | Adversary]:
    """Return every member of a scenario by name, agents first.

    Args:
        scenario: The scenario with its members.
        streams: The generators of the run, also used for the positions; None for fresh ones.
        fly: ``fly_rows`` for leaders on paths, or the same function compiled.
    """
    swarm = scenario.swarm
    streams = streams or run_streams(scenario.run.rng, scenario.run.seed)
    setup = Setup(scenario.control, scenario.propagation, swarm)
    checks = scenario.safety.neighbour_checks and scenario.run.rng != REFERENCE
    safety = replace(
        scenario.safety, separation_filter=scenario.is_filtered, neighbour_checks=checks
    )
    paths = {name: PathFlight(plan, fly) for name, plan in scenario.planned_paths.items()}
    crew: dict[str, Agent | Target | Adversary] = {
        uav(k): make_agent(
            k,
            setup._replace(limits=scenario.limits_of(uav(k))),
            scenario.failure,
            streams.failures(k),
            paths.get(uav(k)),
            safety,
            scenario.target_sensing,
        )
        for k in scenario.agent_ids
    }
    crew[TARGET] = Target(scenario.target, swarm, streams.target, paths.get(TARGET))
    if scenario.adversary.adversary_enable:
        crew[ADVERSARY] = Adversary(
            scenario.adversary, swarm, streams.adversary, paths.get(ADVERSARY)
        )
    return crew


class SwarmLoop:
    """A world, its actors and an observer, tick by tick.

    ``on_row`` gets every agent's telemetry, ``on_sample`` the metrics that the monitor would
    publish; both in the order of the monitor. ``sent`` holds the states of the last tick.
    """

    def __init__(self, scenario: Scenario, crew: Crew | None = None) -> None:
        """Place all members; the first tick is one control period after the start.

        Args:
            scenario: Scenario of the flight.
            crew: The members by name; None for those of the scenario.
        """
        self.scenario = scenario
        self._streams = run_streams(scenario.run.rng, scenario.run.seed)
        self.world = World(scenario, self._streams)
        self.crew = self._make_crew() if crew is None else crew
        filtered = scenario.is_filtered
        space = space_bounds(scenario.safety, filtered)
        settled = scenario.run.transient_time if scenario.is_estimated else None
        self.observer = Observer(scenario.swarm, filtered, space, settled)
        self.sent: dict[str, State] = {}
        self.on_row: Callable[[TelemetryRow], None] = lambda row: None
        self.on_sample: Callable[[ObservedSample], None] = lambda sample: None
        self._begin()

    def _make_crew(self) -> Crew:
        return make_actors(self.scenario, self._streams, fly_compiled)

    def _begin(self) -> None:
        """Bring the world to the first tick."""
        self.world.advance()

    def tick(self, order: Sequence[str] = ()) -> ObservedSample:
        """Let all members act once and move the world on; return the sample of this tick.

        Args:
            order: Order in which they act; by default the order of members. It must not matter.
        """
        now = self.world.time
        self.sent = {}
        alike = self._received_by_all()
        for name in order or self.world.members:
            self._act(name, now, alike)
        sample = self._observe(now)
        self.world.advance()
        return sample

    def fly(
        self, stop: Callable[[], bool] = lambda: False, each_tick: Callable[[], None] | None = None
    ) -> bool:
        """Fly to the end, or until ``stop`` returns true after a tick; return whether it ended."""
        for _ in range(self.scenario.ticks):
            if stop():
                return False
            self.tick()
            if each_tick is not None:
                each_tick()
        return True

    def _received_by_all(self) -> tuple[State, ...] | None:
        """Return the states that all receive, None if reception differs; includes own states."""
        shared = self.world.shared
        return None if shared is None else tuple(state for state in shared if is_sound(state))

    def _act(self, name: str, now: float, alike: tuple[State, ...] | None) -> None:
        world, member = self.world, self.crew[name]
        member.pose_age = world.pose_age(name)
        member.see_pose(world.pose(name))
        member.receive(now, world.received(name) if alike is None else alike)
        if isinstance(member, Agent) and member.is_estimating:
            member.see(world.seen(name, world.tick))
        decision = member.decide(now, world.pose(name))
        world.note_command(name, decision.command)
        world.command(name, decision.command)
        if decision.state is not None:
            world.send(name, decision.state)
            self.sent[name] = decision.state

    def _observe(self, now: float) -> ObservedSample:
        """Pass everything to the observer, in the order of the monitor: the target last."""
        for name in self.world.members:
            member, state = self.crew[name], self._as_it_is(name)
            if isinstance(member, Agent):
                self._note(name, self._row(name, member, now))
            if isinstance(state, AgentState):
                self.observer.see_agent(now, state)
            elif isinstance(state, AdversaryState):
                self.observer.adversary = state
        sample = self.observer.see_target(now, self._as_it_is(TARGET))
        self.on_sample(sample)
        return sample

    def _as_it_is(self, name: str) -> State | None:
        """Return what a member has sent, with its true position and velocity."""
        state = self.sent.get(name)
        if state is None:
            return None
        return with_true_motion(state, name, {name: self.world.bodies[name].motion})

    def _note(self, name: str, row: TelemetryRow) -> None:
        truth = {name: self.world.bodies[name].motion}
        self.observer.see_telemetry(with_true_motion(row, name, truth))
        self.on_row(row)

    def _row(self, name: str, agent: Agent, now: float) -> TelemetryRow:
        pose = self.world.pose(name)
        _, *columns = telemetry_values(
            pose, agent.failures.failed, agent, agent.filtered, agent.estimated
        )
        return telemetry_row(agent.agent_id, now, *columns)


class QueuedEvent:
    """An event at a time [s]; events are compared by time alone."""

    def __init__(self, time: float, happen: Callable[..., None], *what: Any) -> None:
        """Store the function to call with the time, and its further arguments."""
        self.time, self.happen, self.what = time, happen, what

    def __lt__(self, other: 'QueuedEvent') -> bool:
        """Return whether it is earlier."""
        return self.time < other.time


class EventLoop(SwarmLoop):
    """A world, its actors and an observer, event by event; a sample at every control period.

    It flies scenarios with ``run.rng: reference``.
    """

    def tick(self, order: Sequence[str] = ()) -> ObservedSample:
        """Execute all events up to the next control period; return the sample of that time.

        Args:
            order: Unused: the events have their own order.
        """
        self.world.tick += 1
        self.sent = {}
        now = self.world.time
        while self._waiting[0].time < now + 0.5 * self.scenario.mobility.update_rate:
            event = heappop(self._waiting)
            event.happen(event.time, *event.what)
        return self._observe(now)

    def fly(
        self, stop: Callable[[], bool] = lambda: False, each_tick: Callable[[], None] | None = None
    ) -> bool:
        """Fly to the end as ``SwarmLoop`` does, which leaves the bodies one period later."""
        ended = super().fly(stop, each_tick)
        for _ in range(self.scenario.substeps if ended else 0):
            self.world.move()
        return ended

    def _make_crew(self) -> Crew:
        """Return all members; health is checked by events."""
        unbroken = self.scenario.with_changes({'failure': {'failure_enable': False}}, 'events')
        return make_actors(unbroken, self._streams)

    def _observe(self, now: float) -> ObservedSample:
        """Show the observer the present position of all members, not the last published one."""
        for name, state in self.sent.items():
            position, velocity = self.world.pose(name)
            self.sent[name] = state._replace(position=position, velocity=velocity)
        return super()._observe(now)

    def _begin(self) -> None:
        """Put the first events into the queue, in the order of the original's nodes."""
        period, failure = self.scenario.swarm.control_period, self.scenario.failure
        first = [TARGET, ADVERSARY] if ADVERSARY in self.crew else [TARGET]
        self._nodes = [*first, *(uav(k) for k in self.scenario.agent_ids)]
        self._waiting: list[QueuedEvent] = []
        self._lives = dict.fromkeys(self._nodes, 0)
        self._draws = {uav(k): self._streams.failures(k) for k in self.scenario.agent_ids}
        self._chance = failure_probability(
            failure.failure_mean_failures_per_min, failure.failure_check_period
        )
        self._push(self.scenario.mobility.update_rate, self._on_move)
        for name in self._nodes:
            self._push(period, self._on_act, name, 0)
            if name == TARGET:
                self._push(self.scenario.target.target_motion_period, self._on_turn)
            elif name != ADVERSARY and failure.failure_enable:
                self._push(failure.failure_check_period, self._on_check, name)

    def _push(self, time: float, happen: Callable[..., None], *what: Any) -> None:
        heappush(self._waiting, QueuedEvent(time, happen, *what))

    def _on_move(self, now: float) -> None:
        self.world.move()
        for name in self._nodes:
            self._push(now, self._on_note, name)
        self._push(now + self.scenario.mobility.update_rate, self._on_move)

    def _on_note(self, now: float, name: str) -> None:
        """Placeholder for the original's telemetry event: it takes a place in the queue."""

    def _on_act(self, now: float, name: str, life: int) -> None:
        member = self.crew[name]
        if isinstance(member, Agent) and (member.failures.failed or life != self._lives[name]):
            return
        self.sent[name] = self._decide(now, name, member)
        self._send(now, name, self.sent[name])
        self._push(now + self.scenario.swarm.control_period, self._on_act, name, life)

    def _decide(self, now: float, name: str, member: Agent | Target | Adversary) -> State:
        """Let a member act; the target's motion is an event of its own."""
        pose = self.world.pose(name)
        if isinstance(member, Target):
            return member.speak(now, pose)
        decision = member.decide(now, pose)
        self._command(name, decision.command)
        return decision.state

    def _command(self, name: str, velocity: Vector) -> None:
        self.world.note_command(name, velocity)
        self.world.command(name, velocity)

    def _send(self, now: float, sender: str, state: State) -> None:
        """Send a state to all members in range; with losses, one draw per receiver."""
        radio, places = self.scenario.radio, self.world.positions
        reach, rate = radio.communication_transmission_range, radio.communication_failure_rate
        x, y, z = places[sender]
        for name in self._nodes:
            if name == sender:
                continue
            px, py, pz = places[name]
            offset, stream = (px - x, py - y, pz - z), self._streams.radio
            if drawn_reach(*offset, reach * reach, rate, stream):
                self._push(now + radio.communication_delay, self._on_receive, name, state, now)

    def _on_receive(self, now: float, receiver: str, state: State, sent: float) -> None:
        if is_sound(state):
            age = to_seconds(to_ns(now) - to_ns(sent))
            self.crew[receiver].receive(now, [state._replace(age=age)])

    def _on_turn(self, now: float) -> None:
        target = self.crew[TARGET]
        body = target._at(self.world.pose(TARGET))
        choose_motion(target._rules, target._rows, target._stream)
        self.world.command(TARGET, tuple(body[CX : CZ + 1]))
        self._push(now + self.scenario.target.target_motion_period, self._on_turn)

    def _on_check(self, now: float, name: str) -> None:
        """Let an agent fail at random: it neither receives, sends nor moves until it recovers."""
        failure = self.scenario.failure
        if self._draws[name].random() >= self._chance:
            self._push(now + failure.failure_check_period, self._on_check, name)
            return
        self._lives[name] += 1
        agent = self.crew[name]
        agent.failures.fail()
        self._command(name, agent.decide(now, self.world.pose(name)).command)
        self._push(now + failure.failure_off_time, self._on_recover, name)

    def _on_recover(self, now: float, name: str) -> None:
        self.crew[name].failures.recover(now)
        period, life = self.scenario.swarm.control_period, self._lives[name]
        self._push(now + period, self._on_act, name, life)
        self._push(now + self.scenario.failure.failure_check_period, self._on_check, name)


def plain_loop(scenario: Scenario) -> SwarmLoop:
    """Return the plain loop of a scenario: tick by tick, or in the original's order of events."""
    return EventLoop(scenario) if scenario.run.rng == REFERENCE else SwarmLoop(scenario)
