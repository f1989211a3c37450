"""What agents measure of the target: the numbers of ``World.seen``."""

import math

from soliton_encirclement_ros.core.estimation.bearing_sensor import CameraMeans, measured, read
from soliton_encirclement_ros.core.estimation.estimate_rules import sight_of
from soliton_encirclement_ros.core.estimation.estimator import Sight
from soliton_encirclement_ros.core.laws.record_rows import packing
from soliton_encirclement_ros.sim.kernel.columns import (
    ATTITUDE,
    POSE_AGE,
    TICK,
    VX,
    VY,
    VZ,
    X,
    Y,
    Z,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory

NO_CAMERA = CameraMeans(0.0, math.nan, 1, 0, -1.0, 1.0)
CAMERA_COLUMNS, pack_camera, unpack_camera = packing(NO_CAMERA)


def sight_at(rules: Rules, flight: FlightMemory, i: int) -> Sight:
    """Return what an agent's camera measures at this tick."""
    body, there, target = flight.bodies[i], flight.truth[i], flight.truth[rules.swarm.agents]
    a, camera = ATTITUDE, unpack_camera(rules.sight.cameras[i])
    vector = measured(
        camera, rules.sight.seeds[i], flight.counters[TICK],
        (there[X], there[Y], there[Z]),
        (there[a], there[a + 1], there[a + 2], there[a + 3]),
        (target[X], target[Y], target[Z]),
    )  # fmt: skip
    place, rate = (body[X], body[Y], body[Z]), (body[VX], body[VY], body[VZ])
    bearing = read(vector, not math.isnan(camera.range_noise))
    return sight_of(bearing, 0.0, place, rate, body[POSE_AGE])
