"""Commands on their way and measurements on theirs: the numbers of ``vehicles.Instruments``.

``bodies`` are what the members measure of themselves and their last commands, ``truth`` is how
they move and which commands are in effect. Where everything is perfect both are one array.
"""

from velocity_mobility_ros.core.model import MobilityParameters
from velocity_mobility_ros.core.motion import Attitude, velocity_of
from velocity_mobility_ros.vehicles.sensor import (
    AT_REST,
    Reading,
    is_due,
    misread_attitude,
    misread_place,
    sensed,
    sensor_means,
)

from soliton_encirclement_ros.core.laws.record_rows import packing
from soliton_encirclement_ros.sim.kernel.columns import (
    ANGULAR,
    ATTITUDE,
    CX,
    CZ,
    FORWARD,
    POSE_AGE,
    READ_AT,
    READ_BODY,
    TICK,
    VX,
    X,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory, Floats

SENSOR_COLUMNS, pack_means, unpack_means = packing(sensor_means(MobilityParameters(), 0.01, 0.05))
STATE_COLUMNS, pack_state, unpack_state = packing(AT_REST)


def note_commands(flight: FlightMemory) -> None:
    """Send the commands of this tick to the vehicles."""
    orders = flight.sensing.orders
    slot = flight.counters[TICK] % orders.shape[1]
    for member in range(flight.bodies.shape[0]):
        for k in range(3):
            orders[member, slot, k] = flight.bodies[member, CX + k]


def put_in_effect(rules: Rules, flight: FlightMemory, update: int) -> None:
    """Let every vehicle follow the command that arrives after so many updates, if one does."""
    orders, substeps = flight.sensing.orders, rules.swarm.substeps
    for member in range(flight.bodies.shape[0]):
        since = update - unpack_means(rules.sensing.means[member]).delay
        if since >= 0 and since % substeps == 0:
            for k in range(3):
                sent = orders[member, (since // substeps) % orders.shape[1], k]
                flight.truth[member, CX + k] = sent


def undisturbed(rules: Rules, flight: FlightMemory, update: int) -> int:
    """Return for how many updates no command arrives and nobody measures."""
    substeps = rules.swarm.substeps
    count = substeps
    for member in range(flight.bodies.shape[0]):
        means = unpack_means(rules.sensing.means[member])
        arrives = (means.delay - update - 1) % substeps + 1
        due = (means.phase - update - 1) % means.period + 1
        count = min(count, arrives, due)
    return count


def measure(rules: Rules, flight: FlightMemory, update: int) -> None:
    """Let every member measure its motion after so many updates, if it is time."""
    for member in range(flight.bodies.shape[0]):
        means = unpack_means(rules.sensing.means[member])
        if is_due(means, update):
            row = flight.sensing.states[member]
            state, reading = sensed(means, unpack_state(row), rules.sensing.seeds[member], update)
            pack_state(state, row)
            store(flight, member, (update - means.phase) // means.period, update, reading)


def store(flight: FlightMemory, member: int, number: int, update: int, reading: Reading) -> None:
    """Store a measurement on its way under its number; without one the last one again."""
    readings = flight.sensing.readings[member]
    slot, last = readings[number % len(readings)], readings[(number - 1) % len(readings)]
    if not reading.is_there:
        for k in range(len(slot)):
            slot[k] = last[k]
        return
    slot[READ_AT] = update
    misread(flight.truth[member], slot[READ_BODY:], reading)


def misread(true: Floats, read: Floats, reading: Reading) -> None:
    """Write the odometry of a body with the errors of a measurement."""
    for k in range(len(read)):
        read[k] = true[k]
    read[X], read[X + 1], read[X + 2] = misread_place((true[X], true[X + 1], true[X + 2]), reading)
    a, f, w = ATTITUDE, FORWARD, ANGULAR
    attitude = misread_attitude(
        Attitude(
            (true[a], true[a + 1], true[a + 2], true[a + 3]),
            (true[f], true[f + 1], true[f + 2]),
            (true[w], true[w + 1], true[w + 2]),
        ),
        reading,
    )
    read[f], read[f + 1], read[f + 2] = attitude.linear
    read[VX], read[VX + 1], read[VX + 2] = velocity_of(attitude)


def deliver(rules: Rules, flight: FlightMemory, update: int) -> None:
    """Let every member know the last measurement that has arrived after so many updates."""
    for member in range(flight.bodies.shape[0]):
        means = unpack_means(rules.sensing.means[member])
        readings = flight.sensing.readings[member]
        number = (update - means.latency - means.phase) // means.period
        if number < 0:
            number = -1
        read, body = readings[number % len(readings)], flight.bodies[member]
        for k in range(len(body)):
            if not CX <= k <= CZ and k != POSE_AGE:
                body[k] = read[READ_BODY + k]
        body[POSE_AGE] = (update - read[READ_AT]) * rules.swarm.update_period
