"""A simulated world in lockstep: the bodies, the medium between them, and the tick.

Tick k: everybody hears what was said at tick k - 1, measures its own pose at t_k, and answers with
a state to say and a velocity command. When the answers are in, the bodies move on to t_{k+1}. The
order of members is fixed, so the order in which answers arrive never matters.
"""

from velocity_mobility_ros.core.model import MobilityParameters, Vector
from velocity_mobility_ros.core.time import step_ns, to_seconds
from velocity_mobility_ros.vehicles import KinematicVehicle

from soliton_encirclement_ros.core.scenario import (
    ADVERSARY_START,
    TARGET_START,
    Scenario,
    initial_positions,
)
from soliton_encirclement_ros.core.states import Pose, State
from soliton_encirclement_ros.core.topics import ADVERSARY, TARGET, uav


class World:
    """All bodies of a scenario and what was said last."""

    def __init__(self, scenario: Scenario) -> None:
        """Place everybody at rest; the tick is 0."""
        self._scenario = scenario
        starts = {uav(k): start for k, start in initial_positions(scenario).items()}
        starts[TARGET] = TARGET_START
        if scenario.adversary.adversary_enable:
            starts[ADVERSARY] = ADVERSARY_START
        self.vehicles = {
            name: KinematicVehicle(scenario.mobility, start) for name, start in starts.items()
        }
        self.members = tuple(self.vehicles)
        self.tick = 0
        self._said: dict[str, State] = {}
        self._saying: dict[str, State] = {}

    @property
    def time_ns(self) -> int:
        """Time of the current tick [ns]."""
        return step_ns(self.tick, self._scenario.swarm.control_period)

    @property
    def time(self) -> float:
        """Time of the current tick [s]."""
        return to_seconds(self.time_ns)

    def pose(self, name: str) -> Pose:
        """Return what a member measures of itself."""
        vehicle = self.vehicles[name]
        return Pose(vehicle.position, vehicle.velocity)

    def heard(self) -> list[State]:
        """Return what was said at the previous tick, by order of members.

        Everybody hears the same, own words included; actors ignore their own.
        """
        return [self._said[name] for name in self.members if name in self._said]

    def say(self, name: str, state: State) -> None:
        """Put a member's words on the medium; they are heard at the next tick."""
        self._saying[name] = state

    def command(
        self, name: str, velocity: Vector, yaw_rate: float = 0.0, in_body: bool = False
    ) -> None:
        """Give a member's vehicle its command [m/s, rad/s]; it holds until replaced."""
        self.vehicles[name].command(velocity, yaw_rate, in_body)

    def change_bodies(self, mobility: MobilityParameters) -> None:
        """Give every body new means."""
        for vehicle in self.vehicles.values():
            vehicle.parameters = mobility

    def advance(self) -> None:
        """Move every body to the next tick; what was said becomes what is heard."""
        for _ in range(self._scenario.substeps):
            self.move()
        said_ns = self.time_ns
        self.tick += 1
        age = to_seconds(self.time_ns - said_ns)
        self._said = {name: state._replace(age=age) for name, state in self._saying.items()}
        self._saying = {}

    def move(self) -> None:
        """Move every body by one mobility update."""
        for vehicle in self.vehicles.values():
            vehicle.step()
