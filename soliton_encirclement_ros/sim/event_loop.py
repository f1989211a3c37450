"""The original's order of events as a plain loop: a heap ordered by time alone.

Bodies move, members act and messages arrive one after the other, each at its own time. Periods
are summed up, as there, so that equal times differ in their last bits; events at the same
time come in the order in which CPython's ``heapq`` gives them. All random numbers but failures
are drawn from one generator in that order.
"""

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import Any

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.time import to_ns, to_seconds

from soliton_encirclement_ros.actors import Adversary, Agent, Target, make_actors
from soliton_encirclement_ros.core.radio.links import drawn_reach
from soliton_encirclement_ros.core.run.observer import ObservedSample
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.state_validation import is_sound
from soliton_encirclement_ros.core.states.states import State
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav
from soliton_encirclement_ros.sim.loop import Crew, SwarmLoop
from soliton_encirclement_ros.swarm.failures import failure_probability


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
        self.world.command(TARGET, self.crew[TARGET].choose_motion(self.world.pose(TARGET)))
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
