"""Switches a flight from shared reception to per-link reception, and back."""

import math

import numpy as np
from velocity_mobility_ros.core.time import step_ns, to_seconds

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.message_acceptance import NEVER
from soliton_encirclement_ros.sim.allocation import no_links, no_relay, no_silent, no_states
from soliton_encirclement_ros.sim.events import BYTES_PER_EVENT, largest_queue
from soliton_encirclement_ros.sim.kernel import columns as at
from soliton_encirclement_ros.sim.kernel.ages import on_the_way
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import (
    FlightMemory,
    Links,
    cyclic_size,
    slot_of,
)
from soliton_encirclement_ros.sim.kernel.separation.common_bodies import NOT_COMMON
from soliton_encirclement_ros.sim.schedules import needs_links

MAX_BYTES = 8e9
BYTES_PER_LINK = 20


def with_links(scenario: Scenario, rules: Rules, flight: FlightMemory) -> FlightMemory:
    """Return a flight that continues with links, from the states known to all agents by now.

    Raises:
        RunError: The agents have too many links.
    """
    check_size(scenario)
    count, members = rules.swarm.agents, flight.bodies.shape[0]
    depth = layers(scenario)
    sent = no_states(rules, depth, members)
    weights = np.full((depth, count), math.nan)
    omega = np.zeros(depth)
    numbers = flight.sent[0, :, at.NUMBER].astype(np.int64)
    sent[slot_of(numbers, depth), np.arange(members)] = flight.sent[0]
    last = slot_of(numbers[count], depth)
    weights[last], omega[last] = flight.weights[0], flight.omega[0]
    flight.counters[at.SHARED] = 0
    if rules.safety.on:
        keep_own(flight)
    return flight._replace(
        sent=sent,
        rows=sent.reshape(-1, sent.shape[-1]),
        weights=weights,
        omega=omega,
        links=links_of(rules, flight, depth),
        told=no_silent(depth, flight.known.shape[0]),
        relay=no_relay(depth, count) if rules.law.relays else no_relay(),
    )


def without_links(flight: FlightMemory) -> FlightMemory:
    """Return a flight with shared reception again, after identical messages for long enough."""
    members = flight.bodies.shape[0]
    last = flight.sent[:, :, at.NUMBER].argmax(axis=0)
    target = last[len(flight.agents)]
    flight.ring.place[:] = -1
    flight.counters[[at.RING, at.UNIFORM_FOR]] = 0
    flight.counters[at.SHARED] = 1
    sent = flight.sent[last, np.arange(members)][None]
    return flight._replace(
        sent=sent,
        rows=sent.reshape(-1, sent.shape[-1]),
        weights=flight.weights[target][None].copy(),
        omega=flight.omega[target : target + 1].copy(),
        links=no_links(),
        told=no_silent(1, flight.known.shape[0]),
        relay=no_relay(),
    )


def keep_own(flight: FlightMemory) -> None:
    """Let all agents that are up keep what they know of each other: it is not common any more."""
    agents, common = flight.agents, flight.common
    listens = agents[:, at.LAST_RECEIVED] == flight.counters[at.TICK]
    alike = listens[:, None] & (common.came >= agents[:, [at.RECEIVES_SINCE]])
    flight.known[alike] = np.broadcast_to(common.states, flight.known.shape)[alike]
    common.came[:] = flight.counters[at.COMMON_SINCE] = NOT_COMMON


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


def links_of(rules: Rules, flight: FlightMemory, depth: int) -> Links:
    """Return what every receiving member has received of all others."""
    count, members = rules.swarm.agents, flight.bodies.shape[0]
    tick = int(flight.counters[at.TICK])
    numbers = flight.sent[0, :count, at.NUMBER].astype(np.int32)
    listens = flight.agents[:, at.LAST_RECEIVED] == tick
    since = flight.agents[:, at.RECEIVES_SINCE]
    has_state = listens[:, None] & (numbers > 0)[None, :]
    has_state &= numbers[None, :] + 1 >= since[:, None]
    np.fill_diagonal(has_state, False)
    sent = np.where(has_state, numbers[None, :], 0).astype(np.int32)
    came = np.array([to_seconds(step_ns(int(n) + 1, rules.swarm.period)) for n in numbers])
    received = np.where(has_state, came[None, :], NEVER)
    made = flight.sent[0, :count, at.MADE_NS].tolist()
    ages = [on_the_way(*both) for both in zip(made, came.tolist(), strict=True)]
    present = has_state & (flight.ring.place >= 0)[None, :]
    seq = flight.sent[0, :count, at.SEQ].astype(np.int32)
    return Links(
        sent,
        received,
        np.where(has_state, np.array(ages)[None, :], 0.0),
        np.where(present, seq[None, :], -1).astype(np.int32),
        np.zeros((count, count), dtype=np.int32),
        *(np.zeros(count, dtype=np.int64) for _ in range(2)),
        np.zeros((depth, members, 3)),
        np.zeros(depth, dtype=np.bool_),
        np.zeros((depth, members), dtype=np.uint64),
        np.zeros((depth, members), dtype=np.uint64),
    )
