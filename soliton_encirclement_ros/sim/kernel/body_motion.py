"""The bodies between two ticks."""

from soliton_encirclement_ros.sim.kernel.columns import TICK, UPDATES
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory
from soliton_encirclement_ros.sim.kernel.sensing import (
    deliver,
    measure,
    note_commands,
    put_in_effect,
    undisturbed,
)


def move(rules: Rules, flight: FlightMemory) -> None:
    """Move every body by one control period."""
    row, substeps = flight.counters[TICK] - 1, rules.swarm.substeps
    if not rules.sensing.on:
        move_bodies(rules, flight, row, 0, substeps)
        return
    note_commands(flight)
    first, s = flight.counters[TICK] * substeps, 0
    while s < substeps:
        put_in_effect(rules, flight, first + s)
        count = min(undisturbed(rules, first + s), substeps - s)
        move_bodies(rules, flight, row, s, count)
        s += count
        measure(rules, flight, first + s)
    deliver(rules, flight, first + substeps)


def update_bodies(rules: Rules, flight: FlightMemory) -> None:
    """Move every body by one update."""
    late = flight.counters[UPDATES] - rules.swarm.substeps
    row, s = late // rules.swarm.substeps, late % rules.swarm.substeps
    flight.counters[UPDATES] += 1
    move_bodies(rules, flight, row, s, 1)


def move_bodies(rules: Rules, flight: FlightMemory, row: int, first: int, count: int) -> None:
    """Move every body by some updates; note the agents' speeds after each of them for the study.

    ``row`` is that of the tick in the study, from 0 (-1: before the first tick, nothing is noted),
    ``first`` the number of the update within the tick.
    """
    vehicle, speeds = rules.vehicle, flight.speeds
    vehicle.move(
        vehicle.means, flight.vehicles, flight.truth, speeds, count, rules.swarm.update_period
    )
    if rules.record.study and row >= 0:
        for s in range(count):
            for i in range(rules.swarm.agents):
                flight.record.speeds[row, first + s, i] = speeds[s, i]
