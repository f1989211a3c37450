"""The bodies between two ticks: commands on their way, motion, and measurements on theirs.

``bodies`` are what the members measure of themselves and their last commands, ``truth`` is how
they move and which commands are in effect. Where everything is perfect both are one array. The
rules are those of ``vehicles.Instruments``.
"""

import math

from soliton_encirclement_ros.core.estimation.bearing_sensor import (
    CameraCoefficients, measured, read
)
from soliton_encirclement_ros.core.estimation.estimator import (
    TargetMeasurement, locate_measurement
)
from soliton_encirclement_ros.core.laws.record_rows import packing
from soliton_encirclement_ros.swarm.memory import (
    ANGULAR, ATTITUDE, BODY_COLUMNS, CX, CZ, FORWARD, POSE_AGE, VX, VY, VZ, FlightMemory, Floats,
    X, Y, Z, slot_of
)
from soliton_encirclement_ros.swarm.rules import Rules
from velocity_mobility_ros.core.coordinate_frames import Attitude, velocity_of
from velocity_mobility_ros.core.velocity_model import MobilityParameters
from velocity_mobility_ros.vehicles.odometry_sensor import (
    AT_REST, MeasurementErrors, is_due, misread_attitude, misread_place, read_sensor,
    sensor_coefficients
)

READ_AT, READ_BODY = 0, 1
READING_COLUMNS = READ_BODY + BODY_COLUMNS
"""Measurements on their way: after how many updates they were made; then the body."""

SENSOR_COLUMNS, pack_sensor, unpack_sensor = packing(
    sensor_coefficients(MobilityParameters(), 0.01, 0.05)
)
STATE_COLUMNS, pack_state, unpack_state = packing(AT_REST)

NO_CAMERA = CameraCoefficients(0.0, math.nan, 1, 0, -1.0, 1.0)
CAMERA_COLUMNS, pack_camera, unpack_camera = packing(NO_CAMERA)

NOTHING_YET = -1
"""Number of the motion at the start, known before the first measurement arrives."""


def move(rules: Rules, flight: FlightMemory) -> None:
    """Move every body by one control period."""
    row, substeps = flight.status.tick - 1, rules.swarm.substeps
    if not rules.sensing.on:
        move_bodies(rules, flight, row, 0, substeps)
        return
    note_commands(flight)
    first, s = flight.status.tick * substeps, 0
    while s < substeps:
        put_in_effect(rules, flight, first + s)
        count = min(undisturbed(rules, first + s), substeps - s)
        move_bodies(rules, flight, row, s, count)
        s += count
        measure(rules, flight, first + s)
    deliver(rules, flight, first + substeps)


def update_bodies(rules: Rules, flight: FlightMemory) -> None:
    """Move every body by one update."""
    late = flight.status.updates - rules.swarm.substeps
    row, s = late // rules.swarm.substeps, late % rules.swarm.substeps
    flight.status.updates += 1
    move_bodies(rules, flight, row, s, 1)


def move_bodies(rules: Rules, flight: FlightMemory, row: int, first: int, count: int) -> None:
    """Move every body by some updates; note the agents' speeds after each of them for the study.

    ``row`` is that of the tick in the study, from 0 (-1: before the first tick, nothing is noted),
    ``first`` the number of the update within the tick.
    """
    vehicle, speeds = rules.vehicle, flight.speeds
    vehicle.move(
        vehicle.coefficients,
        flight.vehicles,
        flight.truth,
        speeds,
        count,
        rules.swarm.update_period,
    )
    if rules.record.study and row >= 0:
        for s in range(count):
            for i in range(rules.swarm.agents):
                flight.record.speeds[row, first + s, i] = speeds[s, i]


def note_commands(flight: FlightMemory) -> None:
    """Send the commands of this tick to the vehicles."""
    orders = flight.sensing.orders
    slot = slot_of(flight.status.tick, orders.shape[1])
    for member in range(flight.bodies.shape[0]):
        for k in range(3):
            orders[member, slot, k] = flight.bodies[member, CX + k]


def put_in_effect(rules: Rules, flight: FlightMemory, update: int) -> None:
    """Let every vehicle follow the command that arrives after so many updates, if one does."""
    orders, sensing, substeps = flight.sensing.orders, rules.sensing, rules.swarm.substeps
    for kind in range(sensing.coefficients.shape[0]):
        since = update - unpack_sensor(sensing.coefficients[kind]).delay
        if since < 0 or since % substeps != 0:
            continue
        slot = slot_of(since // substeps, orders.shape[1])
        for member in range(flight.bodies.shape[0]):
            if sensing.kind[member] == kind:
                for k in range(3):
                    flight.truth[member, CX + k] = orders[member, slot, k]


def undisturbed(rules: Rules, update: int) -> int:
    """Return for how many updates no command arrives and nobody measures."""
    substeps = rules.swarm.substeps
    count = substeps
    for kind in range(rules.sensing.coefficients.shape[0]):
        sensor = unpack_sensor(rules.sensing.coefficients[kind])
        arrives = (sensor.delay - update - 1) % substeps + 1
        due = (sensor.phase - update - 1) % sensor.period + 1
        count = min(count, arrives, due)
    return count


def measure(rules: Rules, flight: FlightMemory, update: int) -> None:
    """Let every member measure its motion after so many updates, if it is time."""
    sensing = rules.sensing
    for kind in range(sensing.coefficients.shape[0]):
        sensor = unpack_sensor(sensing.coefficients[kind])
        if not is_due(sensor, update):
            continue
        number = (update - sensor.phase) // sensor.period
        for member in range(flight.bodies.shape[0]):
            if sensing.kind[member] == kind:
                row = flight.sensing.states[member]
                state, reading = read_sensor(
                    sensor, unpack_state(row), sensing.seeds[member], update
                )
                pack_state(state, row)
                store(flight, member, number, update, reading)


def store(flight: FlightMemory, member: int, number: int, update: int, reading: MeasurementErrors) -> None:
    """Store a measurement on its way under its number; without one the last one again."""
    readings = flight.sensing.readings[member]
    slot = readings[slot_of(number, len(readings))]
    if not reading.is_there:
        last = readings[slot_of(number - 1, len(readings))]
        for k in range(READING_COLUMNS):
            slot[k] = last[k]
        return
    slot[READ_AT] = update
    misread(flight.truth[member], slot[READ_BODY:], reading)


def misread(true: Floats, read: Floats, reading: MeasurementErrors) -> None:
    """Write the odometry of a body with the errors of a measurement."""
    for k in range(BODY_COLUMNS):
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
    sensing, readings = rules.sensing, flight.sensing.readings
    for kind in range(sensing.coefficients.shape[0]):
        sensor = unpack_sensor(sensing.coefficients[kind])
        number = max(NOTHING_YET, (update - sensor.latency - sensor.phase) // sensor.period)
        slot = slot_of(number, readings.shape[1])
        for member in range(flight.bodies.shape[0]):
            if sensing.kind[member] == kind:
                deliver_one(rules, flight, member, readings[member, slot], update)


def deliver_one(
    rules: Rules, flight: FlightMemory, member: int, read: Floats, update: int
) -> None:
    """Let a member know a measurement; its command stays."""
    body = flight.bodies[member]
    for k in range(CX):
        body[k] = read[READ_BODY + k]
    for k in range(CZ + 1, POSE_AGE):
        body[k] = read[READ_BODY + k]
    body[POSE_AGE] = (update - read[READ_AT]) * rules.swarm.update_period


def measure_target(rules: Rules, flight: FlightMemory, i: int) -> TargetMeasurement:
    """Return what an agent's camera measures at this tick."""
    body, there, target = flight.bodies[i], flight.truth[i], flight.truth[rules.swarm.agents]
    a, camera = ATTITUDE, unpack_camera(rules.estimator.cameras[i])
    vector = measured(
        camera, rules.estimator.seeds[i], flight.status.tick,
        (there[X], there[Y], there[Z]),
        (there[a], there[a + 1], there[a + 2], there[a + 3]),
        (target[X], target[Y], target[Z]),
    )  # fmt: skip
    place, rate = (body[X], body[Y], body[Z]), (body[VX], body[VY], body[VZ])
    bearing = read(vector, not math.isnan(camera.range_noise))
    return locate_measurement(bearing, 0.0, place, rate, body[POSE_AGE])
