"""The rows of a vehicle that a process flies itself, with all others as received."""

import bisect
import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from soliton_encirclement_ros.core.estimation.estimator import TargetMeasurement
from soliton_encirclement_ros.core.fences import distance_inside
from soliton_encirclement_ros.core.member_paths import PathFlight
from soliton_encirclement_ros.core.named_rows import numbers_of, values_of
from soliton_encirclement_ros.core.states.received_states import Size
from soliton_encirclement_ros.core.states.states import (
    AgentState, Pose, SilentBody, State, TargetState
)
from soliton_encirclement_ros.core.states.swarm_topics import MAX_MEMBERS
from soliton_encirclement_ros.members.inbox import (
    Inbox, gossip_bodies, of_known, unknown, write_message
)
from soliton_encirclement_ros.members.member_memory import grow_memory, new_memory
from soliton_encirclement_ros.members.own_rules import (
    PLAIN_CODE, Code, OwnVehicle, fields_of, rules_of, timeouts_of, with_timeouts
)
from soliton_encirclement_ros.safety.filter import known_distances, level
from soliton_encirclement_ros.safety.filter_records import filter_settings
from soliton_encirclement_ros.swarm.agent import command
from soliton_encirclement_ros.swarm.memory import CX, CZ, POSE, POSE_AGE
from soliton_encirclement_ros.swarm.memory_rows import TargetReport
from soliton_encirclement_ros.swarm.over_rows import packed
from soliton_encirclement_ros.swarm.rules import Rules, path_rules_of
from soliton_encirclement_ros.swarm.separation import (
    filter_command, note_stop, stand_still_command
)
from velocity_mobility_ros.core.velocity_model import Vector

STILL: Vector = (0.0, 0.0, 0.0)


class MemberDecision(NamedTuple):
    """Output of a member at one tick; ``state`` is None if it has nothing to say."""

    command: Vector
    state: State | None


SMALL = 0.1
"""Share by which a timeout changes at least while a machine is too slow."""


class OwnRows:
    """A vehicle of the process: received states, and its commands by the separation filter.

    Attributes:
        number: Number k of ``uav_k``.
        numbers: Those of all agents that it knows, sorted; ``i`` is the index of its own.
        rules: The constants, ``flight`` the memory of the tick.
        fields: Fields of broadcasts.
    """

    def __init__(
        self, number: int, own: OwnVehicle, path: PathFlight | None = None, code: Code = PLAIN_CODE
    ) -> None:
        """Start without known members.

        Args:
            number: Number k of ``uav_k``.
            own: Its configuration.
            path: The path that it flies before its law commands it; None: none.
            code: The code of its tick.
        """
        self.number, self.numbers, self.i = number, [number], 0
        self.path = path
        code.heard.known_with(self.numbers)
        self._code, self._longest_period = code, 0.0
        self.flight = new_memory(rules_of(own, code), self.numbers, code.space)
        self.use(own)

    def stretch_timeouts(self, longest_period: float) -> None:
        """Let the timeouts suit the longest of the last control periods [s]; 0: as set.

        A slow machine calls this at every tick: small changes are left out.
        """
        self._longest_period = longest_period
        timeouts, swarm = timeouts_of(self.own, longest_period), self.rules.swarm
        before = swarm.agent_timeout, swarm.target_timeout, self.rules.law.neighbour_timeout
        both = zip(timeouts, before, strict=True)
        if longest_period > 0.0 and all(abs(new - old) <= SMALL * old for new, old in both):
            return
        self.rules = with_timeouts(self.rules, timeouts)
        self._calls = self._code.over(self.rules, self.flight)

    def use(self, own: OwnVehicle) -> None:
        """Continue with another configuration."""
        self.own, self.fields = own, fields_of(own)
        settings = filter_settings(own.safety, own.setup.limits, own.setup.swarm)
        both = known_distances(settings), level(settings)
        self._stand_still_settings = [packed(numbers).tolist() for numbers in both]
        timeouts = timeouts_of(own, self._longest_period)
        self._use(with_timeouts(rules_of(own, self._code), timeouts))

    def _use(self, rules: Rules) -> None:
        """Use constants for the agents that are known now."""
        count = len(self.numbers)
        self.rules = rules._replace(
            swarm=rules.swarm._replace(agents=count),
            law=rules.law._replace(kind=self._code.space.counts(count)),
        )
        self._places = {number: j for j, number in enumerate(self.numbers)}
        space = self._code.space
        self._inbox = Inbox(
            space.table(Size), space.counts(count + 2), space.counts(count + 2),
            space.floats(count + 1), None, None, None, None,
        )  # fmt: skip
        self._lay_path()

    def _lay_path(self) -> None:
        flights = {} if self.path is None else {self.i: self.path}
        paths = path_rules_of(flights, len(self.numbers) + 2)
        self.rules = self.rules._replace(paths=paths)
        self._calls = self._code.over(self.rules, self.flight)

    def follow_path(self) -> None:
        """Prepare the path for the next tick."""
        if self.path is not None and self.path.reach(self.flight.path_rows[self.i]):
            self._lay_path()

    def place(self, pose: Pose, age: float) -> None:
        """Store the own pose, which has an age [s]."""
        body = self.flight.bodies[self.i]
        body[:POSE] = (*pose.position, *pose.velocity)
        body[POSE_AGE] = age

    def command(self, velocity: Vector) -> None:
        """Note which command [m/s, map] is in effect."""
        agent = self.flight.agents[self.i]
        agent.last_cx, agent.last_cy, agent.last_cz = velocity
        command(self.flight, self.i, velocity)

    @property
    def in_effect(self) -> Vector:
        """The command [m/s, map] in effect."""
        return tuple(numbers_of(self.flight.bodies[self.i][CX : CZ + 1]))

    @property
    def target(self) -> TargetReport:
        """The report of the target."""
        return self.flight.reports[self.i]

    def receive(self, now: float, states: Iterable[State]) -> None:
        """Store received states at a time [s]; of several of one sender one after the other.

        Those of new agents are refused while it ``is_full``, as is what others tell of them, but
        for agents on the roster.
        """
        rest = tuple(states)
        if more := unknown(self._places, rest):
            self._grow(more)
            if self.is_full:
                rest = of_known(self._places, rest)
        while rest:
            self._code.heard.begin(now, self.fields, len(rest))
            rest = self._fill_inbox(rest)
            self._calls.accept_states(self._filled(), self.i, now)

    def _fill_inbox(self, states: Sequence[State]) -> list[State]:
        """Put the first state of each sender into the inbox; return the others."""
        inbox, places, slot_of = self._inbox, self._places, self._code.heard.slot_of
        count, slots, later = len(places), {}, []
        for state in states:
            kind = type(state)
            if kind is AgentState:
                place = places[state.agent_id]
            else:
                place = count if kind is TargetState else count + 1
            if place in slots:
                later.append(state)
                continue
            slots[place] = slot_of(state)
            if place == count:
                self._take_weights(state)
        size = inbox.count.count = len(slots)
        inbox.senders[:size] = order = sorted(slots)
        inbox.slots[:size] = [slots[place] for place in order]
        return later

    def _filled(self) -> Inbox:
        """Return the inbox with the states that it refers to."""
        heard = self._code.heard
        return self._inbox._replace(
            rows=heard.rows, members=heard.members, gossip=heard.gossip, reports=heard.reports
        )

    def _take_weights(self, state: TargetState) -> None:
        """Write the weights of the arcs that the target sends, and its omega_ref."""
        weights, agents = self._inbox.weights, len(self.numbers)
        weights[:agents] = [math.nan] * agents
        for agent_id, weight in state.lambdas:
            weights[self._places[agent_id]] = weight
        weights[agents] = state.omega_ref

    def decide(self, now: float, seen: TargetMeasurement) -> None:
        """Let law and filter decide on the command at a time [s]; see ``inbox.decide``."""
        self._calls.decide(self.i, now, seen)

    @property
    def is_full(self) -> bool:
        """Whether there is no room for any further agent that is not on the roster."""
        return self._room_beside() <= 0

    @property
    def _roster(self) -> int:
        """The largest number of an agent for which room is kept; 0: of none."""
        return min(self.own.safety.roster_size, MAX_MEMBERS)

    def _room_beside(self) -> int:
        """Return for how many agents that are not on the roster there is room."""
        roster = self._roster
        return MAX_MEMBERS - roster - sum([number > roster for number in self.numbers])

    def _with_room(self, numbers: Iterable[int]) -> list[int]:
        """Return those of new numbers for which there is room: the roster, then the lowest."""
        new = sorted(numbers)
        listed = bisect.bisect(new, self._roster)
        return new[: listed + max(0, self._room_beside())]

    def _grow(self, more: Iterable[int]) -> None:
        """Make room for agents that are new, as far as there is any."""
        before = self.numbers
        known = self._code.heard.known_with(self._with_room(more))
        new = self._with_room(known.difference(before))
        if not new:
            return
        self.numbers = sorted([*before, *new])
        count = len(self.numbers)
        places = [*map(self.numbers.index, before), count, count + 1]
        memory = new_memory(self.rules, self.numbers, self._code.space)
        self.flight = grow_memory(self.flight, memory, places, self.i, self._code.space)
        self.i = places[self.i]
        self._use(self.rules)

    def filter_velocity(self, wanted: Vector, now: float) -> Vector:
        """Return the command [m/s, map] after the separation filter, if there is one."""
        velocity = wanted
        if self.rules.safety.on:
            velocity = filter_command(self.rules, self.flight, self.i, now, wanted)
        self.command(velocity)
        return velocity

    def hold_still(self, now: float) -> Vector:
        """Return the command [m/s, map] of a vehicle that is to stand still."""
        velocity = STILL
        if self.rules.safety.on:
            settings = self._stand_still_settings
            velocity = stand_still_command(self.rules, self.flight, self.i, now, *settings)
        self.command(velocity)
        return velocity

    def room(self, position: Vector) -> float:
        """Return the distance [m] to the fence; negative: outside; infinite: there is none."""
        fence = self.rules.safety.fence
        if not self.rules.safety.on or len(fence) == 0:
            return float('inf')
        return distance_inside(fence, *position[:2])

    def silent(self, now: float) -> tuple[SilentBody, ...]:
        """Return the silent agents for a message."""
        write_message(self.rules, self.flight, self.i, now)
        return self.gossip

    @property
    def gossip(self) -> tuple[SilentBody, ...]:
        """The silent agents in the message of the last tick."""
        return gossip_bodies(self.flight.gossip[0][self.i], self.numbers)


class FilteredVehicle:
    """A vehicle of the process, with its separation filter.

    Attributes:
        rows: Its received states and its memory.
        pose_age: Age [s] of the pose at the next tick.
    """

    def __init__(self, rows: OwnRows) -> None:
        """Begin with its rows."""
        self.rows, self.pose_age = rows, 0.0

    def see_pose(self, pose: Pose) -> None:
        """Store the pose that the states received next are checked against."""
        self.rows.place(pose, self.pose_age)

    def stretch_timeouts(self, longest_period: float) -> None:
        """Let the timeouts suit the longest of the last control periods [s]."""
        self.rows.stretch_timeouts(longest_period)

    @property
    def is_filtered(self) -> bool:
        """Whether a filter changes its commands."""
        return self.rows.rules.safety.on

    @property
    def filtered(self) -> tuple[float, ...]:
        """The values of ``telemetry.FILTER_NAMES``; none without a filter."""
        if not self.is_filtered:
            return ()
        (done,) = values_of(self.rows.flight.guard.done[self.rows.i : self.rows.i + 1])
        return tuple(map(float, done))

    def stand_still(self) -> None:
        """Note that the vehicle gets command 0, whoever is near."""
        self.rows.command(STILL)
        if self.is_filtered:
            note_stop(self.rows.flight, self.rows.i)
