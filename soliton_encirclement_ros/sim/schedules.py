"""Data known before a flight: failing draws, outages, partitions, falsifications, their needs."""

import math

import numpy as np
from velocity_mobility_ros.core.parameter_declaration import LARGEST_COORDINATE

from soliton_encirclement_ros.core.radio_links import splits_of
from soliton_encirclement_ros.core.radio_medium import KIND_NUMBERS, byzantine_windows
from soliton_encirclement_ros.core.ring.edge_weights import edge_weight
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE, RunStreams
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.schedules import Window, outages
from soliton_encirclement_ros.swarm.failures import failure_probability
from soliton_encirclement_ros.swarm.memory import Counts, Floats, Schedule


def schedule_of(scenario: Scenario, streams: RunStreams) -> Schedule:
    """Return the schedule of a flight."""
    members = scenario.members
    fails, fail_from = failing_draws(scenario, streams)
    out, out_from = scheduled_outages(scenario)
    splits = splits_of(scenario.radio.partitions, members)
    groups = np.zeros((len(splits), len(members)), dtype=np.int64)
    for row, split in zip(groups, splits, strict=True):
        row[:] = [split.groups[member] for member in members]
    byzantine = byzantine_windows(scenario.radio.byzantine, members)
    rows = np.zeros((len(byzantine), 6))
    for row, window in zip(rows, byzantine, strict=True):
        row[:2] = window.window.begin, window.window.end
        row[2:4] = members.index(window.member), KIND_NUMBERS[window.kind]
        row[4 : 4 + len(window.numbers)] = window.numbers
    return Schedule(
        fails,
        fail_from,
        out,
        out_from,
        windows([split.window for split in splits]),
        groups,
        rows,
        np.zeros((len(byzantine), 8)),
    )


def failing_draws(scenario: Scenario, streams: RunStreams) -> tuple[Counts, Counts]:
    """Return the positions in every agent's stream at which a draw is a failure.

    Every agent draws once per check period while it is up, so that more draws than there are
    periods in the run are never asked for.
    """
    failure, starts = scenario.failure, np.zeros(scenario.run.num_agents + 1, dtype=np.int64)
    chance = failure_probability(
        failure.failure_mean_failures_per_min, failure.failure_check_period
    )
    found: list[Counts] = []
    if failure.failure_enable and chance > 0.0:
        end = scenario.ticks * scenario.swarm.control_period
        draws = math.ceil(end / failure.failure_check_period) + 2
        for k in scenario.agent_ids:
            found.append(np.flatnonzero(streams.failures(k).random(draws) < chance))
            starts[k] = starts[k - 1] + len(found[-1])
    return np.concatenate(found) if found else np.zeros(0, dtype=np.int64), starts


def scheduled_outages(scenario: Scenario) -> tuple[Floats, Counts]:
    """Return the scheduled outages of all agents, and where those of each begin."""
    text, starts = scenario.failure.failure_schedule, [0]
    found: list[Window] = []
    if text.strip():
        for k in scenario.agent_ids:
            found += outages(text, k)
            starts.append(len(found))
    else:
        starts = [0] * (scenario.run.num_agents + 1)
    return windows(found), np.array(starts, dtype=np.int64)


def windows(found: list[Window]) -> Floats:
    """Return begin and end [s] of some windows."""
    return np.array([window[:2] for window in found]).reshape(-1, 2)


def needs_links(scenario: Scenario) -> bool:
    """Return whether reception differs from the start, or an outage can be shorter than memory."""
    swarm, control, failure = scenario.swarm, scenario.control, scenario.failure
    memory = max(swarm.agent_state_timeout, swarm.target_state_timeout + control.target_hold_time)
    memory += 3.0 * swarm.control_period
    by_chance = failure.failure_enable and failure.failure_mean_failures_per_min > 0.0
    if by_chance and failure.failure_off_time < memory:
        return True
    out, _ = scheduled_outages(scenario)
    short = len(out) > 0 and float(np.min(out[:, 1] - out[:, 0])) < memory
    if scenario.is_estimated:
        return True  # every agent has its own estimate of the target
    by_events = scenario.run.rng == REFERENCE
    return short or by_events or may_be_refused(scenario) or not scenario.radio.is_ideal


def may_be_refused(scenario: Scenario) -> bool:
    """Return whether agents or target may publish states that receivers refuse."""
    run, body, target = scenario.run, scenario.mobility, scenario.target
    speed = max(body.max_speed_xy, body.max_speed_z)
    way = 2.0 * scenario.swarm.encirclement_radius + speed * run.sim_duration
    rate = 2.0 * speed / scenario.control.r_min
    omega = max(abs(target.target_swarm_omega_ref), target.target_swarm_omega_pd_max_abs)
    weight = edge_weight(target.protection_angle_deg, run.num_agents)
    return not max(speed, way, rate, omega, weight) <= LARGEST_COORDINATE
