"""The real-time mode of the world: bodies move by the clock.

Members communicate directly, unless the world simulates the radio between them.

That radio receives all members and forwards to each what reaches it.

Members publish as always; those with ``medium`` subscribe only to their ``received_states``.
The radio is that of the lockstep run, on the node's clock. A timer forwards due messages.
"""

import math
import time
from collections import Counter
from collections.abc import Callable
from functools import partial

from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.files import MAX_NAMES, named
from soliton_encirclement_ros.core.run.world import World
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.states import State, sender_of
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY_STATE, AGENT_STATES, BEGUN, RECEIVED_STATES, TARGET_STATE, Fleet
)
from soliton_encirclement_ros.nodes.bearing_messages import BearingOutput
from soliton_encirclement_ros.nodes.node_parameters import WorldMode
from soliton_encirclement_ros.nodes.state_messages import StateReader, StateWriter
from soliton_encirclement_ros.nodes.world.world_drive import WorldDrive, WorldWatch
from velocity_mobility_ros.core.step_time import (
    is_overdue, lasting, short_timeout, to_ns, to_seconds
)
from velocity_mobility_ros.core.user_errors import MalformedMessageError
from velocity_mobility_ros.ros_io.endpoints import (
    COMMAND, STATE, STATE_INPUT, make_publisher, make_subscription, raw_publishing
)
from velocity_mobility_ros.ros_io.graph_faults import senders_of_other_type
from velocity_mobility_ros.ros_io.live_parameters import TunableNode
from velocity_mobility_ros.ros_io.messages.message_conversion import check_stamp
from velocity_mobility_ros.ros_io.messages.serialized_messages import CommandReader
from velocity_mobility_ros.ros_io.node_diagnostics import Condition, Level, NodeDiagnostics
from velocity_mobility_ros.ros_io.node_time import PeriodWatch
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL, GROUND_TRUTH, ODOM
from velocity_mobility_ros.vehicles.vehicle import UpdateClock, due_updates

DELIVERY_PERIOD = 0.004
"""Time [s] between two checks for due messages; they may arrive so much later."""

STAMP_TOLERANCE = 2.0
"""Largest accepted distance [s] of a stamp from the present."""


class RealTimeRadio:
    """Forwards states between the members of a world."""

    def __init__(
        self,
        node: TunableNode,
        fleet: Fleet,
        world: World,
        health: NodeDiagnostics,
        time: Callable[[int], float],
    ) -> None:
        """Subscribe to all members and begin to forward.

        Args:
            node: The node that provides the clock.
            fleet: Fleet of the members.
            world: World with the bodies and the medium.
            health: Receives the refusals.
            time: Returns the time of the run [s] at a time [ns], for the schedules.
        """
        self._node_time = node.node_time
        self._world = world
        self._time = time
        self._sent: Counter[str] = Counter()
        self._writer = StateWriter()
        self._publishers = {
            name: make_publisher(
                node, JointState, fleet.member_topic(name, RECEIVED_STATES), STATE
            )
            for name in world.members
        }
        for topic in map(fleet.full_name, (AGENT_STATES, TARGET_STATE, ADVERSARY_STATE)):
            take = partial(self._on_states, StateReader(topic, health))
            make_subscription(node, JointState, topic, take, STATE_INPUT, raw=True)
        node.create_timer(DELIVERY_PERIOD, self._deliver)

    def _on_states(self, reader: StateReader, data: bytes) -> None:
        now_ns = self._node_time.now_ns()
        positions = self._world.positions
        for state in reader.take(data, now_ns, to_ns(STAMP_TOLERANCE)):
            name = sender_of(state)
            if name in positions:
                self._carry(name, state, now_ns)

    def _carry(self, name: str, state: State, now_ns: int) -> None:
        """Put states on the medium; they were sent when their age began."""
        sent_ns = self._node_time.steady_ns() - to_ns(state.age)
        self._sent[name] += 1
        self._world.medium.carry(
            name, state, self._sent[name], sent_ns, self._time(now_ns), self._world.positions
        )

    def _deliver(self) -> None:
        for name, messages in self._world.medium.arrive(self._node_time.steady_ns()).items():
            if messages:
                states = [each.state for each in messages]
                stamp_ns = self._node_time.now_ns()
                self._publishers[name].publish(self._writer.write(stamp_ns, states))


SILENT = 1.0
"""Reported silence [s] of a member whose commands persist forever."""


LONGEST_STAY = 60.0
"""Wall time [s] after the run for which a world waits to be asked to end."""


class RealTime(WorldDrive):
    """Drives a world by the node's clock, once per control period."""

    def __init__(
        self, node: PollingNode, fleet: Fleet, scenario: Scenario, world: World, mode: WorldMode
    ) -> None:
        """Connect to the vehicles' topics and begin to move."""
        super().__init__(node, fleet, scenario, world, mode)
        self._period_ns = to_ns(scenario.mobility.update_rate)
        self._begun_ns = self._now_ns()
        self._body_clock = UpdateClock(self._begun_ns, 0)
        self._silent = set(self._world.members)
        self._ready_ns: int | None = None
        self._finished_at = math.inf
        self._seen_at = 0
        self._command_ns = dict.fromkeys(self._world.members, self._begun_ns)
        self._transforms.publish_static(self._messages.origins(self._begun_ns))
        self._odometry, self._truth = {}, {}
        self._measured_ns: dict[str, int] = {}
        members = world.members
        self._watching = WorldWatch(node, fleet, members, self._missing, len(members))
        self._period = PeriodWatch(
            'period of the world', scenario.swarm.control_period, node.node_time
        )
        kind = TwistStamped if mode.enable_stamped_cmd_vel else Twist
        self._reader = CommandReader(mode.enable_stamped_cmd_vel)
        self._commands = {}
        for name in self._world.members:
            odom, cmd_vel = fleet.member_topic(name, ODOM), fleet.member_topic(name, CMD_VEL)
            self._odometry[name] = raw_publishing(make_publisher(node, Odometry, odom, STATE))
            self._commands[name] = node.poll(kind, cmd_vel, COMMAND)
            if scenario.is_sensed:
                truth = fleet.member_topic(name, GROUND_TRUTH)
                self._truth[name] = make_publisher(node, Odometry, truth, STATE)
        self._bearings = BearingOutput(node, fleet, world, STATE)
        node.node_time.on_step(self._on_step)
        node.create_timer(scenario.swarm.control_period, self._on_timer)
        period = scenario.swarm.control_period
        short = short_timeout('cmd_vel_timeout', mode.cmd_vel_timeout, 'control_period', period,
                              'vehicles brake between two commands')  # fmt: skip
        if short:
            node.get_logger().warning(short)
        if mode.medium:
            self._radio = RealTimeRadio(node, fleet, world, self.health, self.time)

    @property
    def leaves(self) -> bool:
        """Whether the run is over, and the time to be ended from outside has passed."""
        stayed = time.monotonic() - self._finished_at
        return self.finished and (not self._mode.stay or stayed > LONGEST_STAY)

    def diagnostic_values(self) -> dict[str, object]:
        """Return key values for the diagnostics."""
        moved_ns = self._body_clock.updates * self._period_ns
        elapsed = max(1, self._now_ns() - self._body_clock.start_ns)
        factor = f'{moved_ns / elapsed:.3f}'
        return {
            'updates': self._body_clock.updates,
            'real_time_factor': factor,
            'missed_answers': 0,
            **self._world.commands.facts,
            BEGUN: self._ready_ns,
            'finished': self.finished,
            'waiting_for': self._watching.waiting_for,
        }

    def conditions(self) -> list[Condition]:
        """Return all present faults."""
        late = self._late()
        return [
            *self._watching.conditions(),
            *self._period.conditions(),
            *self._of_commands(late),
            *self._of_types([*sorted(self._silent), *late][:MAX_NAMES]),
        ]

    def _late(self) -> list[str]:
        """Return the members whose commands have stopped."""
        limit_ns, now_ns = to_ns(self._mode.cmd_vel_timeout or SILENT), self._now_ns()
        spoken = {name: at for name, at in self._command_ns.items() if name not in self._silent}
        return [name for name, at in spoken.items() if now_ns - at > limit_ns]

    def _of_types(self, names: list[str]) -> list[Condition]:
        """Return the faults of silent members whose commands have another type."""
        topics = (self._fleet.member_topic(name, CMD_VEL) for name in names)
        return [fault for topic in topics for fault in senders_of_other_type(self._node, topic)]

    def _of_commands(self, late: list[str]) -> list[Condition]:
        if self._ready_ns is None:
            return []
        faults = []
        if self._silent:
            reason = f'{named(sorted(self._silent))} did not appear'
            faults.append(Condition(Level.WARN, reason))
        if late:
            longest = to_seconds(self._now_ns() - min(self._command_ns[name] for name in late))
            reason = f'no command from {named(late)} for up to {lasting(longest)}'
            faults.append(Condition(Level.WARN, reason, 'commands of the members'))
        return faults

    def _missing(self) -> list[str]:
        """Return the members that have not appeared yet; none once the run has begun."""
        return [] if self._ready_ns is not None else sorted(self._silent)

    def time(self, now_ns: int) -> float:
        """Return the time of the run [s] at a time [ns]: 0 until all have sent a command."""
        return 0.0 if self._ready_ns is None else to_seconds(now_ns - self._ready_ns)

    def _now_ns(self) -> int:
        return self._node.node_time.now_ns()

    def _on_step(self, step_ns: int) -> None:
        """Go on with all bodies where they are, with stamps of the clock that was set [ns]."""
        start_ns, updates = self._body_clock
        self._body_clock = UpdateClock(start_ns + step_ns, updates)
        self._begun_ns += step_ns
        if self._ready_ns is not None:
            self._ready_ns += step_ns
        for times in (self._command_ns, self._measured_ns):
            times.update({name: at + step_ns for name, at in times.items()})

    def _take_commands(self, now_ns: int) -> None:
        """Take all commands, then decode them: code that has just run is in the caches."""
        arrived = [(name, data) for name, take in self._commands.items() for data in take()]
        for name, data in arrived:
            self._take(name, data, now_ns)

    def _take(self, name: str, data: bytes, now_ns: int) -> None:
        timeout = self._mode.cmd_vel_timeout
        try:
            command = self._reader.read(data)
            if command.stamp_ns is not None and timeout > 0.0:
                check_stamp(command.stamp_ns, now_ns, timeout, 'cmd_vel_timeout')
            self._messages.command(name, command)
        except MalformedMessageError as error:
            topic = self._fleet.member_topic(name, CMD_VEL)
            self.health.refuse(topic, str(error), type(error).__name__)
            return
        self._command_ns[name] = now_ns
        self._silent.discard(name)

    def _on_timer(self) -> None:
        """Take the commands and execute all updates that are due; time is a count of updates."""
        if self.leaves:
            return  # the process is about to end
        self._period.tick()
        now_ns = self._now_ns()
        self._take_commands(now_ns)
        due = due_updates(self._body_clock, now_ns, self._period_ns)
        if due.dropped:
            self.health.warn('the clock jumped or the world stalled; the lost time is dropped')
        self._stop_the_silent(now_ns)
        self._body_clock = due.clock
        if due.count == 0:
            return  # the timer catches up after a stall: nothing has moved since
        for _ in range(due.count):
            self._world.move()
        stamp_ns = due.clock.start_ns + due.clock.updates * self._period_ns
        self._publish(stamp_ns)
        tick = due.clock.updates // self._scenario.substeps
        if tick > self._seen_at:
            self._bearings.publish(stamp_ns, tick)
            self._seen_at = tick
        if not self.finished and self._is_over(now_ns):
            self.finished, self._finished_at = True, time.monotonic()
            self.health.publish()

    def _publish(self, stamp_ns: int) -> None:
        """Publish the measurements that have come since the last time, and the true motion."""
        new = {}
        for name, body in self._world.bodies.items():
            measured_ns = stamp_ns - body.measured.updates * self._period_ns
            if self._measured_ns.get(name) != measured_ns:
                self._measured_ns[name] = measured_ns
                new[name] = self._messages.odometry(name, measured_ns)
        messages = [(name, self._messages.serialized(odometry)) for name, odometry in new.items()]
        for name, data in messages:
            self._odometry[name](data)
        for name, publisher in self._truth.items():
            publisher.publish(self._messages.serialized(self._messages.truth(name, stamp_ns)))
        self._transforms.publish(list(new.values()))

    def _is_over(self, now_ns: int) -> bool:
        """Return whether the run is over; it counts from the time when all have sent a command."""
        run = self._scenario.run
        if self._ready_ns is None:
            late = to_seconds(now_ns - self._begun_ns) > run.startup_timeout
            if self._silent and not late:
                return False
            self._watching.begin(sorted(self._silent))
            self._ready_ns = now_ns
            if self._silent:
                self.health.warn(f'{", ".join(sorted(self._silent))} did not appear')
            self.health.publish()
        return to_seconds(now_ns - self._ready_ns) >= run.sim_duration

    def _stop_the_silent(self, now_ns: int) -> None:
        for name, command_ns in self._command_ns.items():
            if is_overdue(command_ns, now_ns, self._mode.cmd_vel_timeout):
                self._world.command(name, (0.0, 0.0, 0.0))
