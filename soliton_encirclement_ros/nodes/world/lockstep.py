"""The lockstep mode of the world: publish tick k, collect the answers, move on.

Before the first tick a startup handshake (stamp 0) is repeated until all have answered: then all
connections are established. A member that times out is reported by name, counts as
silent, and is not waited for until it is back. An answer counts for the tick of its stamp or not
at all. The world stays close to its observers, so that no message to them is lost.

The next tick may come at once, at a pace, by steps, or not yet (``LockstepPace``).
"""

import time
from collections.abc import Callable

from rclpy.node import Node
from rclpy.timer import Timer
from std_srvs.srv import SetBool, Trigger

from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.parameters.run_parameters import RunParameters
from soliton_encirclement_ros.core.run.world import TickBarrier, World
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import MONITOR, PAUSE, RECORDER, STEP, Fleet
from soliton_encirclement_ros.nodes.node_parameters import WorldMode
from soliton_encirclement_ros.nodes.state_messages import StateReader
from soliton_encirclement_ros.nodes.world.flow_control import (
    PER_MEMBER, ObserverProgress, lead_ticks
)
from soliton_encirclement_ros.nodes.world.lockstep_topics import LockstepTopics
from soliton_encirclement_ros.nodes.world.world_drive import WorldDrive, WorldWatch, members_of
from velocity_mobility_ros.core.step_time import to_seconds
from velocity_mobility_ros.core.user_errors import MalformedMessageError
from velocity_mobility_ros.ros_io.messages.serialized_messages import CommandReader
from velocity_mobility_ros.ros_io.node_diagnostics import Condition, Level
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL


class LockstepPace:
    """Paces a run by its real-time factor, and lets operators pause and step it.

    Offers the services ``pause`` (``std_srvs/SetBool``; true pauses) and ``step``
    (``std_srvs/Trigger``; one tick of a run that is paused) below the node's name.

    Attributes:
        factor: Simulated seconds per second; 0: as fast as possible.
        is_paused: Whether an operator has paused the run.
    """

    def __init__(
        self, node: Node, period: float, factor: float, tick: Callable[[], int],
        go_on: Callable[[], None],
    ) -> None:  # fmt: skip
        """Offer the services; the run may go on once it has begun.

        Args:
            node: The world's node.
            period: The control period [s].
            factor: Simulated seconds per second; 0: as fast as possible.
            tick: Returns the present tick.
            go_on: Called when a run that waits may go on.
        """
        self._node, self._period, self._tick, self._go_on = node, period, tick, go_on
        self.factor, self.is_paused = factor, False
        self._granted = self._steps = 0
        self._timer: Timer | None = None
        self._paused_at = self._paused_for = 0.0
        node.create_service(SetBool, f'~/{PAUSE}', self._on_pause)
        node.create_service(Trigger, f'~/{STEP}', self._on_step)

    def begin(self) -> None:
        """Begin to count ticks, or begin anew."""
        if self._timer is not None:
            self._node.destroy_timer(self._timer)
            self._timer = None
        self._granted = self._tick()
        if self.factor > 0.0:
            self._timer = self._node.create_timer(self._period / self.factor, self._grant)

    def change(self, factor: float) -> None:
        """Go on at another pace."""
        self.factor = factor
        self.begin()
        self._go_on()

    def admits_tick(self) -> bool:
        """Return whether the next tick may come now; a step counts as used."""
        if self.is_paused:
            self._steps, is_step = max(0, self._steps - 1), self._steps > 0
            return is_step
        return self.factor == 0.0 or self._tick() < self._granted

    def paused(self) -> float:
        """Return for how long [s] the run has been paused by now, all pauses together."""
        present = time.monotonic() - self._paused_at if self.is_paused else 0.0
        return self._paused_for + present

    def _grant(self) -> None:
        self._granted += 1
        self._go_on()

    def _on_pause(self, request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
        response.success = True
        if request.data == self.is_paused:
            response.message = f'already {"paused" if self.is_paused else "running"}'
            return response
        self._paused_for = self.paused()
        self._paused_at, self.is_paused, self._steps = time.monotonic(), request.data, 0
        response.message = f'{"paused" if request.data else "runs on"} at tick {self._tick()}'
        self._node.get_logger().info(response.message)
        if not request.data:
            self.begin()
            self._go_on()
        return response

    def _on_step(self, _: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        response.success = self.is_paused
        if self.is_paused:
            self._steps += 1
            self._go_on()
            response.message = f'tick {self._tick()}, {self._tick() * self._period:g} s'
        else:
            response.message = 'the run is not paused: call pause first'
        return response


HANDSHAKE_PERIOD = 0.05
WATCH_PERIOD = 0.1

TRANSFORM_PERIOD = 1.0 / 30.0
"""Shortest wall time [s] between two messages on ``/tf``, however fast the run is."""


class Lockstep(WorldDrive):
    """Drives a world tick by tick."""

    def __init__(
        self, node: Node, fleet: Fleet, scenario: Scenario, world: World, mode: WorldMode
    ) -> None:
        """Connect to all members and begin the startup handshake."""
        super().__init__(
            node, fleet, scenario, world, mode, lambda: world.time_ns, TRANSFORM_PERIOD
        )
        self._run = scenario.run
        self.missed_answers = 0
        self._gate = TickBarrier(
            f'{name} {part}' for name in self._world.members for part in ('state', 'command')
        )
        self._waiting = self._held = False
        self.pace = LockstepPace(
            node, scenario.swarm.control_period, self._run.real_time_factor,
            lambda: world.tick, self._go_on_after_waiting,
        )  # fmt: skip
        self._began = self._tick_began = time.monotonic()
        self._followers = self._observers()
        everybody = len(world.members) + self._followers.expected
        self._watching = WorldWatch(node, fleet, world.members, self._missing, everybody)
        self._reader = CommandReader(is_stamped=True)
        self._topics = LockstepTopics(node, fleet, world, self._messages, scenario.is_sensed)
        self._topics.subscribe(self._on_command, self._on_state, self.health)
        self._handshake = node.create_timer(HANDSHAKE_PERIOD, self._call_roll)
        self._watch = node.create_timer(WATCH_PERIOD, self._watch_tick)
        self._gate.open(0)

    @property
    def real_time_factor(self) -> float:
        """Simulated seconds per second of wall time so far, pauses left out."""
        elapsed = time.monotonic() - self._began - self.pace.paused()
        return self._world.time / elapsed if elapsed > 0.0 else 0.0

    def diagnostic_values(self) -> dict[str, object]:
        """Return key values for the diagnostics."""
        return {
            'tick': self._world.tick,
            'time_s': self._world.time,
            'real_time_factor': f'{self.real_time_factor:.3f}',
            'missed_answers': self.missed_answers,
            **self._world.commands.facts,
            'finished': self.finished,
            'paused': self.pace.is_paused,
            'waiting_for': self._watching.waiting_for,
        }

    def conditions(self) -> list[Condition]:
        """Return all present faults."""
        faults = self._watching.conditions()
        if absent := members_of(self._gate.absent):
            reason = f'no answer from {named(absent)}: the run continues without them'
            faults.append(Condition(Level.WARN, reason))
        if slow := self._followers.given_up:
            reason = f'{named(slow)} too slow: the run continues without waiting for them'
            faults.append(Condition(Level.WARN, reason))
        is_paced = self.pace.factor > 0.0 and not self.pace.is_paused
        if self._world.tick > 0 and not self.finished and is_paced:
            faults += self._watching.too_slow(self._world.time, self.pace.factor)
        else:
            self._watching.forget_speed()
        return faults

    def check_pace(self, before: RunParameters, after: RunParameters) -> None:
        """Accept any pace."""

    def change_pace(self, run: RunParameters) -> None:
        """Go on at another real-time factor."""
        self._watching.forget_speed()
        self.pace.change(run.real_time_factor)

    def _missing(self) -> list[str]:
        """Return the members that have not appeared yet; none once the run has begun."""
        if self._world.tick > 0 or self.finished:
            return []
        missing = [*members_of(self._gate.missing()), *self._followers.missing]
        return missing if missing or self._is_recorded else [RECORDER]

    def _observers(self) -> ObserverProgress:
        counts = {RECORDER: self._mode.recorders, MONITOR: self._mode.monitors}
        messages = PER_MEMBER + self._scenario.is_sensed
        ahead = lead_ticks(len(self._world.members), messages)
        lead = (ahead - 1) * self._scenario.swarm.control_period
        expected = [name for name, count in counts.items() if count > 0]
        return ObserverProgress(self._node, self._fleet, expected, lead, self._on_followed)

    def _call_roll(self) -> None:
        """Repeat the startup handshake until all have answered or it times out."""
        late = time.monotonic() - self._began > self._run.startup_timeout
        if self._gate.complete and self._is_recorded and self._followers.all_here:
            self._start()
        elif late:
            self._give_up('did not appear')
            self._start()
        else:
            self._publish_tick()

    @property
    def _is_recorded(self) -> bool:
        return self._topics.is_observed(self._mode.recorders, self._mode.monitors)

    def _start(self) -> None:
        self._handshake.cancel()
        if not self.finished:
            self._watching.begin([*members_of(self._gate.absent), *self._followers.missing])
        self._began = time.monotonic()
        self.pace.begin()
        self._next_tick()

    def _go_on_after_waiting(self) -> None:
        if self._waiting:
            self._next_tick()

    def _next_tick(self) -> None:
        """Advance and publish, unless the run is over or the pace requires to wait."""
        if self.finished or self._world.tick >= self._scenario.ticks:
            self.finished = True
            self.health.publish()
            return
        self._held, self._waiting = self._followers.behind(self._world.time_ns), False
        if self._held:
            return
        self._waiting = not self.pace.admits_tick()
        if self._waiting:
            return
        self._world.advance()
        self._gate.open(self._world.tick)
        self._tick_began = time.monotonic()
        self._publish_tick()

    def _publish_tick(self) -> None:
        self._transforms.publish(self._topics.publish_tick())

    def _on_command(self, name: str, data: bytes) -> None:
        try:
            command = self._reader.read(data)
            counts = self._counts(f'{name} command', command.stamp_ns)
            if not counts or self._world.tick == 0:
                return
            self._messages.command(name, command)
        except MalformedMessageError as error:
            self.health.refuse(self._fleet.member_topic(name, CMD_VEL), str(error))
        self._go_on()

    def _on_state(self, reader: StateReader, data: bytes) -> None:
        message = reader.parse(data)
        if message is None:
            return
        for name, state in reader.spoken(message):
            counts = self._counts(f'{name} state', message.stamp_ns)
            if counts and state is not None and self._world.tick > 0:
                self._world.send(name, state)
        self._go_on()

    def _on_followed(self) -> None:
        if self._held:
            self._next_tick()

    def _counts(self, part: str, stamp_ns: int | None) -> bool:
        if stamp_ns != self._world.time_ns:
            return False
        return self._gate.arrive(part, self._world.tick)

    def _go_on(self) -> None:
        if self._gate.complete and self._world.tick > 0 and not (self._waiting or self.finished):
            self._next_tick()

    def _watch_tick(self) -> None:
        """Continue without the members that have timed out."""
        held_up = self._held or not self._gate.complete
        if self._world.tick == 0 or self._waiting or self.finished or not held_up:
            return
        if time.monotonic() - self._tick_began > self._run.lockstep_timeout:
            if self._held:
                self._leave_behind()
            else:
                self._give_up('did not answer')
            self._next_tick()

    def _leave_behind(self) -> None:
        names = self._followers.give_up(self._world.time_ns)
        self.health.warn(f'{self._when()}: {", ".join(names)} did not follow; going on without')

    def _give_up(self, what: str) -> None:
        contributions = self._gate.give_up()
        names = members_of(contributions)
        self.missed_answers += len(names)
        alone = self._gate.deserted
        outlook = 'nobody is left, the run ends' if alone else 'going on without'
        self.health.warn(f'{self._when()}: {", ".join(names)} {what}; {outlook}')
        self.finished = self.finished or alone

    def _when(self) -> str:
        return f'tick {self._world.tick} ({to_seconds(self._world.time_ns):g} s)'
