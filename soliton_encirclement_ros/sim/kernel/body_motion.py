"""The bodies between two ticks."""

from soliton_encirclement_ros.sim.kernel.columns import TICK, UPDATES
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory


def move(rules: Rules, flight: FlightMemory) -> None:
    """Move every body by one control period."""
    row, count = flight.counters[TICK] - 1, rules.swarm.substeps
    for i in range(flight.bodies.shape[0]):
        move_body(rules, flight, i, row, 0, count)


def update_bodies(rules: Rules, flight: FlightMemory) -> None:
    """Move every body by one update."""
    late = flight.counters[UPDATES] - rules.swarm.substeps
    row, s = late // rules.swarm.substeps, late % rules.swarm.substeps
    flight.counters[UPDATES] += 1
    for i in range(flight.bodies.shape[0]):
        move_body(rules, flight, i, row, s, 1)


def move_body(
    rules: Rules, flight: FlightMemory, i: int, row: int, first: int, count: int
) -> None:
    """Move one body by some updates; record an agent's speed after each of them for the study.

    ``row`` is that of the tick in the study, from 0 (-1: before the first tick, not recorded),
    ``first`` the number of the update within the tick.
    """
    vehicle, speeds = rules.vehicle, flight.speeds
    vehicle.move(
        vehicle.means, flight.vehicles[i], flight.bodies[i], speeds, count,
        rules.swarm.update_period,
    )  # fmt: skip
    if rules.record.study and i < rules.swarm.agents and row >= 0:
        for s in range(count):
            flight.record.speeds[row, first + s, i] = speeds[s]
