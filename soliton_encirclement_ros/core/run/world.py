"""A simulated world in lockstep: the bodies, the medium between them, and the tick.

Tick k: every member receives states sent at tick k - 1, or earlier with a slow radio, measures
its own pose at t_k, and answers with a state and a velocity command. When the answers are
in, the bodies move on to t_{k+1}. The order of members is fixed, so the order in which answers
arrive never matters.

A barrier waits until all expected contributors have contributed to a tick.
"""

from collections.abc import Callable, Iterable

from soliton_encirclement_ros.core.estimation.bearing_sensor import (
    UNSEEN, camera_coefficients, measured
)
from soliton_encirclement_ros.core.flight_statistics.agent_statistics import CommandRecord
from soliton_encirclement_ros.core.radio_delivery import Medium, QueuedMessage, aged
from soliton_encirclement_ros.core.scenario.placement import start_positions
from soliton_encirclement_ros.core.scenario.random_streams import (
    RunStreams, body_seed, camera_seed, sensor_seed
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.states import Pose, State, is_sound
from soliton_encirclement_ros.core.states.swarm_topics import TARGET, uav
from velocity_mobility_ros.core.coordinate_frames import Quaternion
from velocity_mobility_ros.core.step_time import step_ns, to_seconds
from velocity_mobility_ros.core.velocity_model import MobilityParameters, Vector
from velocity_mobility_ros.vehicles.simulated_body import Body, Instruments

LEVEL: Quaternion = (0.0, 0.0, 0.0, 1.0)
"""Attitude of bodies that do not turn."""


class World:
    """All bodies of a scenario and the messages in transit between them."""

    def __init__(
        self,
        scenario: Scenario,
        streams: RunStreams | None = None,
        make_body: Callable[..., Body] = Body,
    ) -> None:
        """Place all bodies at rest; the tick is 0.

        Args:
            scenario: The scenario with its members.
            streams: The generators of the run; None for fresh ones.
            make_body: Makes a body, with the arguments of ``Body``.
        """
        self._scenario = scenario
        self.bodies = {
            name: make_body(
                scenario.vehicle_of(name), start, seed=body_seed(scenario.run.seed, name),
                instruments=_instruments(scenario, name),
            )
            for name, start in start_positions(scenario, streams).items()
        }  # fmt: skip
        self.members = tuple(self.bodies)
        self.tick = 0
        self.commands = CommandRecord(scenario.run.num_agents, scenario.swarm.control_period)
        self._limits = {uav(k): (k, scenario.limits_of(uav(k))) for k in scenario.agent_ids}
        self.medium = Medium(scenario.radio, scenario.run.seed, self.members)
        self.cameras = {
            uav(k): (
                camera_coefficients(scenario.target_sensing, scenario.swarm.control_period, k),
                camera_seed(scenario.run.seed, uav(k)),
            )
            for k in (scenario.agent_ids if scenario.is_estimated else ())
        }
        self._outgoing: dict[str, State] = {}
        self._shared: dict[str, State] | None = {}
        self._believed: dict[str, State] = {}
        self._arrived: dict[str, list[QueuedMessage]] = {}

    @property
    def time_ns(self) -> int:
        """Time of the current tick [ns]."""
        return step_ns(self.tick, self._scenario.swarm.control_period)

    @property
    def time(self) -> float:
        """Time of the current tick [s]."""
        return to_seconds(self.time_ns)

    def pose(self, name: str) -> Pose:
        """Return the last measured pose of a member."""
        motion = self.bodies[name].measured.motion
        return Pose(motion.position, motion.velocity)

    def pose_age(self, name: str) -> float:
        """Return how old that is [s]."""
        return self.bodies[name].measured.age

    def measured_ns(self, name: str) -> int:
        """Return when it was measured [ns], in lockstep; the same at every tick."""
        update = self.tick * self._scenario.substeps - self.bodies[name].measured.updates
        return self._scenario.update_ns(update)

    def seen(self, name: str, tick: int) -> Vector:
        """Return the vector to the target that a member's camera measures at a tick."""
        if name not in self.cameras:
            return UNSEEN
        body, target = self.bodies[name], self.bodies[TARGET].motion.position
        rotation = LEVEL if body.attitude is None else body.attitude.rotation
        camera, seed = self.cameras[name]
        return measured(camera, seed, tick, body.motion.position, rotation, target)

    @property
    def positions(self) -> dict[str, Vector]:
        """Where everybody is [m], by order of members."""
        return {name: body.motion.position for name, body in self.bodies.items()}

    @property
    def shared(self) -> list[State] | None:
        """States that all members receive, own states included; None if reception differs."""
        return None if self._shared is None else list(self._shared.values())

    def arrived(self, name: str) -> list[State]:
        """Return the states that reach a member at this tick, including those it will refuse."""
        if self._shared is not None:
            return [state for sender, state in self._shared.items() if sender != name]
        return [message.state for message in self._arrived[name]]

    def received(self, name: str) -> list[State]:
        """Return the states a member receives at this tick, as a ROS subscriber decodes them.

        It is in order of the time of sending, then of members; own states are not included.
        """
        if self._shared is not None:
            return [state for sender, state in self._believed.items() if sender != name]
        return [message.state for message in self._arrived[name] if message.sound]

    def send(self, name: str, state: State) -> None:
        """Send a member's state; its last one of a tick counts, received a tick later or more."""
        self._outgoing[name] = state

    def note_command(self, name: str, velocity: Vector) -> None:
        """Take note of a command [m/s] of an agent, which may be out of bounds."""
        agent = self._limits.get(name)
        if agent is not None:
            agent_id, limits = agent
            self.commands.note(agent_id, velocity, limits.max_speed_xy, limits.max_speed_z)

    def command(
        self, name: str, velocity: Vector, yaw_rate: float = 0.0, in_body: bool = False
    ) -> None:
        """Give a member's vehicle its command [m/s, rad/s]; it holds until replaced."""
        self.bodies[name].command(velocity, yaw_rate, in_body)

    def change_bodies(self, mobility: MobilityParameters) -> None:
        """Give every body without a vehicle of its own new parameters."""
        for name, body in self.bodies.items():
            if name not in self._scenario.own_vehicles:
                body.parameters = mobility

    def advance(self) -> None:
        """Send the states, move every body to the next tick, deliver what has arrived."""
        sent_ns, positions = self.time_ns, self.positions
        sent = {name: self._outgoing[name] for name in self.members if name in self._outgoing}
        self._outgoing = {}
        alike = self.medium.is_reception_uniform(self.time, list(positions.values()))
        if not alike:
            for name, state in sent.items():
                self.medium.carry(name, state, self.tick, sent_ns, self.time, positions)
        for _ in range(self._scenario.substeps):
            self.move()
        self.tick += 1
        if alike:
            travelled_ns = self.time_ns - sent_ns
            self._shared = {name: aged(state, travelled_ns) for name, state in sent.items()}
            self._believed = {k: state for k, state in self._shared.items() if is_sound(state)}
        else:
            self._shared, self._arrived = None, self.medium.arrive(self.time_ns)

    def move(self) -> None:
        """Move every body by one mobility update."""
        for body in self.bodies.values():
            body.step()


def _instruments(scenario: Scenario, name: str) -> Instruments | None:
    """Return the sensor and the command link of a member; None for perfect ones."""
    if not scenario.is_sensed:
        return None
    return Instruments(scenario.sensor_of(name), sensor_seed(scenario.run.seed, name))


class TickBarrier:
    """Counts the contributions to one tick; each contributor counts once.

    After a timeout a missing contributor is not waited for again until it is back.
    """

    def __init__(self, expected: Iterable[str]) -> None:
        """Expect these contributors, all of them present at first."""
        self._expected = tuple(expected)
        self._absent: set[str] = set()
        self._arrived: set[str] = set()
        self.tick = 0

    def open(self, tick: int) -> None:
        """Begin a tick; earlier contributions are discarded."""
        self.tick = tick
        self._arrived = set()

    def arrive(self, name: str, tick: int) -> bool:
        """Take a contribution; return whether it counts (right tick, expected, the first one)."""
        if name not in self._expected:
            return False
        self._absent.discard(name)
        if tick != self.tick or name in self._arrived:
            return False
        self._arrived.add(name)
        return True

    @property
    def complete(self) -> bool:
        """Whether all present contributors have contributed."""
        return len(self._arrived) + len(self._absent) >= len(self._expected)

    @property
    def absent(self) -> list[str]:
        """The contributors that are absent and not waited for."""
        return [name for name in self._expected if name in self._absent]

    @property
    def deserted(self) -> bool:
        """Whether no expected contributor is present."""
        return len(self._absent) == len(self._expected)

    def missing(self) -> list[str]:
        """Return the contributors that are present and have not contributed."""
        return [
            name
            for name in self._expected
            if name not in self._arrived and name not in self._absent
        ]

    def give_up(self) -> list[str]:
        """Mark the missing as absent and return their names."""
        names = self.missing()
        self._absent.update(names)
        return names
