"""Switches a flight from shared reception to per-link reception, and back."""

import math

import numpy as np

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.allocation import (
    no_links,
    no_relay,
    no_silent,
    no_states,
    tables_for,
)
from soliton_encirclement_ros.sim.events import BYTES_PER_EVENT, largest_queue
from soliton_encirclement_ros.sim.schedules import needs_links
from soliton_encirclement_ros.swarm.memory import (
    NUMBER,
    Counts,
    FlightMemory,
    Links,
    cyclic_size,
    slot_of,
)
from soliton_encirclement_ros.swarm.memory_rows import Link
from soliton_encirclement_ros.swarm.rules import Rules
from soliton_encirclement_ros.swarm.separation import NOT_COMMON

MAX_BYTES = 8e9
BYTES_PER_LINK = 28


def with_links(scenario: Scenario, rules: Rules, flight: FlightMemory) -> FlightMemory:
    """Return a flight that continues with links, from the states known to all agents by now.

    Raises:
        RunError: The agents have too many links.
    """
    check_size(scenario)
    count, members = rules.swarm.agents, flight.bodies.shape[0]
    depth, table = layers(scenario), tables_for(rules)
    sent = no_states(rules, depth, members)
    weights = np.full((depth, count), math.nan)
    omega = np.zeros(depth)
    numbers = flight.sent[0, :, NUMBER].astype(np.int64)
    sent[slot_of(numbers, depth), np.arange(members)] = flight.sent[0]
    last = slot_of(numbers[count], depth)
    weights[last], omega[last] = flight.weights[0], flight.omega[0]
    flight.status.shared, flight.status.links_due = False, True
    flight.common.came[:] = flight.status.common_since = NOT_COMMON
    return flight._replace(
        sent=sent,
        rows=sent.reshape(-1, sent.shape[-1]),
        weights=weights,
        omega=omega,
        links=links_of(rules, numbers, members, depth),
        told=no_silent(table, depth, len(flight.known)),
        relay=no_relay(table, *((depth, count) if rules.law.relays else ())),
    )


def without_links(rules: Rules, flight: FlightMemory) -> FlightMemory:
    """Return a flight with shared reception again, after identical messages for long enough."""
    members, table, status = flight.bodies.shape[0], tables_for(rules), flight.status
    last = flight.sent[:, :, NUMBER].argmax(axis=0)
    target = last[len(flight.agents)]
    flight.ring.place[:] = -1
    status.ring_size = status.uniform_for = 0
    status.shared = True
    sent = flight.sent[last, np.arange(members)][None]
    return flight._replace(
        sent=sent,
        rows=sent.reshape(-1, sent.shape[-1]),
        weights=flight.weights[target][None].copy(),
        omega=flight.omega[target : target + 1].copy(),
        links=no_links(table),
        told=no_silent(table, 1, len(flight.known)),
        relay=no_relay(table),
    )


def check_links(scenario: Scenario) -> None:
    """Refuse a flight that needs too many links from its start.

    Raises:
        RunError: There is not enough memory.
    """
    if needs_links(scenario):
        check_size(scenario)


def check_size(scenario: Scenario) -> None:
    """Refuse more links than fit into memory.

    Raises:
        RunError: There are more.
    """
    count = scenario.run.num_agents
    need = BYTES_PER_LINK * count * count
    if scenario.run.rng == REFERENCE:
        need += BYTES_PER_EVENT * largest_queue(scenario)
    if need > MAX_BYTES:
        raise RunError(
            f'run.num_agents = {count}: receivers differ, which takes {need / 1e9:.0f} GB for '
            f'the links, at most {MAX_BYTES / 1e9:.0f}; fly fewer agents or widen the radio'
        )


def layers(scenario: Scenario) -> int:
    """Return for how many ticks a state is kept: as long as anybody needs it, or longer."""
    swarm, control, radio = scenario.swarm, scenario.control, scenario.radio
    longest = max(
        swarm.agent_state_timeout,
        control.neighbour_hold_time,
        swarm.target_state_timeout + control.target_hold_time,
    )
    longest += radio.communication_delay + radio.communication_jitter
    return cyclic_size(min(math.ceil(longest / swarm.control_period) + 4, scenario.ticks + 2))


def links_of(rules: Rules, numbers: Counts, members: int, depth: int) -> Links:
    """Return links before anything was received; ``numbers`` are those of the last states sent."""
    count = rules.swarm.agents
    return Links(
        tables_for(rules)(Link, count, count),
        np.zeros((count, count), dtype=np.int32),
        np.zeros(count, dtype=np.int64),
        numbers[:count].copy(),
        np.zeros((depth, members, 3)),
        np.zeros(depth, dtype=np.bool_),
        np.zeros((depth, members), dtype=np.uint64),
        np.zeros((depth, members), dtype=np.uint64),
    )
