"""The constants of a flight, computed from a scenario before it begins.

They are its rules, the leaders of members on paths, sensors and command links with their memory at
the start, and all that is scheduled: failing draws, outages, partitions and falsifications.
"""

import math
from collections.abc import Sequence

import numpy as np

from soliton_encirclement_ros.controllers import Setup, kind_of
from soliton_encirclement_ros.core.byzantine_agents import KIND_NUMBERS, byzantine_windows
from soliton_encirclement_ros.core.member_paths import PathFlight
from soliton_encirclement_ros.core.radio_loss_and_delay import clock_errors_ns, splits_of
from soliton_encirclement_ros.core.ring.edge_weights import edge_weight
from soliton_encirclement_ros.core.scenario.random_streams import (
    REFERENCE, RunStreams, sensor_seed
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.schedules import Window, outages
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.safety.filter_records import fence_of, filter_settings
from soliton_encirclement_ros.sim.compilation.compiled_motion import fly_compiled
from soliton_encirclement_ros.sim.compilation.law_unit import (
    estimator_rules, filter_step, functions, spin_step
)
from soliton_encirclement_ros.sim.compilation.vehicle_unit import vehicle_rules
from soliton_encirclement_ros.sim.kernel.motion import (
    READ_BODY, READING_COLUMNS, SENSOR_COLUMNS, STATE_COLUMNS, pack_sensor
)
from soliton_encirclement_ros.swarm.failures import failure_probability
from soliton_encirclement_ros.swarm.memory import (
    Counts, Floats, Schedule, SensingArrays, cyclic_size
)
from soliton_encirclement_ros.swarm.neighbour_checks import check_rules
from soliton_encirclement_ros.swarm.over_rows import (
    interpreted, is_plain, law_rules, safety_rules_of
)
from soliton_encirclement_ros.swarm.rules import (
    FailureRules, PathRules, RadioRules, RecordRules, Rules, SafetyRules, SensingRules, SwarmRules,
    path_rules_of
)
from soliton_encirclement_ros.swarm.target import roam_rules, target_rules_of
from velocity_mobility_ros.core.parameter_declaration import LARGEST_COORDINATE
from velocity_mobility_ros.core.step_time import to_ns


def path_rules(scenario: Scenario) -> PathRules:
    """Return the leaders of a scenario, computed to the end of the run.

    Raises:
        PolylineError: A path cannot be followed.
    """
    flights = {}
    for i, name in enumerate(scenario.members):
        if name in scenario.planned_paths:
            flights[i] = PathFlight(scenario.planned_paths[name], fly_compiled)
            flights[i].reach(scenario.ticks)
    return path_rules_of(flights, len(scenario.members))


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
        if window.other:
            row[4] = members.index(window.other)
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
    positions: list[Counts] = []
    if failure.failure_enable and chance > 0.0:
        end = scenario.ticks * scenario.swarm.control_period
        draws = math.ceil(end / failure.failure_check_period) + 2
        for k in scenario.agent_ids:
            positions.append(np.flatnonzero(streams.failures(k).random(draws) < chance))
            starts[k] = starts[k - 1] + len(positions[-1])
    return np.concatenate(positions) if positions else np.zeros(0, dtype=np.int64), starts


def scheduled_outages(scenario: Scenario) -> tuple[Floats, Counts]:
    """Return the scheduled outages of all agents, and where those of each begin."""
    text, starts = scenario.failure.failure_schedule, [0]
    outage_windows: list[Window] = []
    if text.strip():
        for k in scenario.agent_ids:
            outage_windows += outages(text, k)
            starts.append(len(outage_windows))
    else:
        starts = [0] * (scenario.run.num_agents + 1)
    return windows(outage_windows), np.array(starts, dtype=np.int64)


def windows(outage_windows: list[Window]) -> Floats:
    """Return begin and end [s] of some windows."""
    return np.array([window[:2] for window in outage_windows]).reshape(-1, 2)


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


def sensing_rules(scenario: Scenario) -> SensingRules:
    """Return the constants of all sensors; off if every member has perfect ones."""
    members = scenario.members if scenario.is_sensed else ()
    sensors = [*map(scenario.sensor_of, members)]
    kinds = [*dict.fromkeys(sensors)]
    coefficients = np.zeros((len(kinds), SENSOR_COLUMNS))
    for sensor, row in zip(kinds, coefficients, strict=True):
        pack_sensor(sensor, row)
    kind = np.array([*map(kinds.index, sensors)], dtype=np.int64)
    seeds = [sensor_seed(scenario.run.seed, member) for member in members]
    return SensingRules(scenario.is_sensed, coefficients, kind, np.array(seeds, dtype=np.int64))


def sensing_arrays(scenario: Scenario, bodies: Floats) -> SensingArrays:
    """Return commands and measurements on their way: none, and bodies at rest where they start."""
    if not scenario.is_sensed:
        return SensingArrays(*(np.zeros((0, 1, 1)) for _ in range(2)), np.zeros((0, 1)))
    sensors = [*map(scenario.sensor_of, scenario.members)]
    ticks = cyclic_size(max(sensor.delay // scenario.substeps for sensor in sensors) + 2)
    slots = cyclic_size(max(sensor.latency // sensor.period for sensor in sensors) + 2)
    readings = np.zeros((len(bodies), slots, READING_COLUMNS))
    readings[:, :, READ_BODY :] = bodies[:, np.newaxis]
    states = np.zeros((len(bodies), STATE_COLUMNS))
    return SensingArrays(np.zeros((len(bodies), ticks, 3)), readings, states)


def rules_of(scenario: Scenario, every: int, study: bool, plain: bool = False) -> Rules:
    """Return the constants of a flight.

    Args:
        scenario: Scenario of the flight.
        every: Ticks between two samples.
        study: Whether the study's numbers are recorded.
        plain: Whether to leave all functions as they stand, not compiled.
    """
    setups = [setup_of(scenario, uav(k)) for k in scenario.agent_ids]
    law = kind_of(scenario.control.controller).law(setups[0])
    broadcasts_target = not scenario.is_estimated
    made = interpreted if plain else functions
    flown = law_rules(law, made(law, setups[0]), setups, broadcasts_target)
    estimator = estimator_rules(scenario, len(flown.no_message), is_plain(flown.functions.step))
    if is_plain(estimator.step) and not plain:
        plain = True
        flown = law_rules(law, interpreted(law, setups[0]), setups, broadcasts_target)
    spin = spin_step(scenario.target.target_swarm_spin_law, plain)
    guard = guard_rules(scenario, setups, plain)
    return Rules(
        swarm_rules(scenario),
        flown,
        vehicle_rules([*map(scenario.vehicle_of, scenario.members)], plain),
        sensing_rules(scenario),
        estimator,
        FailureRules(
            scenario.failure.failure_enable,
            scenario.failure.failure_check_period,
            scenario.failure.failure_off_time,
        ),
        target_rules_of(scenario.target, scenario.swarm, spin),
        roam_rules(scenario.adversary),
        radio_rules(scenario),
        path_rules(scenario),
        guard,
        check_rules(
            scenario.safety, guard.settings, scenario.run.rng != REFERENCE, guard.on,
            is_exact(scenario),
        ),
        RecordRules(every, study),
    )


def is_exact(scenario: Scenario) -> bool:
    """Return whether agents move within the limits of their vehicles, and are measured so."""
    vehicles = (scenario.vehicle_of(uav(k)) for k in scenario.agent_ids)
    return not scenario.is_sensed and all(one.vehicle == 'kinematic' for one in vehicles)


def guard_rules(scenario: Scenario, setups: Sequence[Setup], plain: bool) -> SafetyRules:
    """Return the separation filter of all agents; ``plain``: not compiled."""
    kinds = dict.fromkeys(setup.limits for setup in setups)
    settings = [filter_settings(scenario.safety, limits, scenario.swarm) for limits in kinds]
    fence = fence_of(scenario.safety)
    return safety_rules_of(scenario.is_filtered, filter_step(plain), settings, fence)


def setup_of(scenario: Scenario, agent: str) -> Setup:
    """Return the constants of the law of an agent."""
    limits = scenario.limits_of(agent)
    return Setup(scenario.control, scenario.propagation, scenario.swarm, limits)


def swarm_rules(scenario: Scenario) -> SwarmRules:
    """Return the constants that all members share."""
    swarm = scenario.swarm
    return SwarmRules(
        scenario.run.num_agents,
        int(scenario.adversary.adversary_enable),
        swarm.control_period,
        scenario.substeps,
        scenario.mobility.update_rate,
        swarm.encirclement_radius,
        swarm.agent_state_timeout,
        swarm.target_state_timeout,
        swarm.prune_expired_states,
        not needs_links(scenario),
    )


def radio_rules(scenario: Scenario) -> RadioRules:
    """Return the constants of the radio."""
    radio = scenario.radio
    reach = radio.communication_transmission_range
    members = scenario.members if radio.clock_offset > 0.0 else ()
    clocks = clock_errors_ns(radio.clock_offset, scenario.run.seed, members)
    return RadioRules(
        np.uint64(scenario.run.seed),
        reach * reach,
        radio.communication_failure_rate,
        radio.communication_delay,
        to_ns(radio.communication_delay),
        radio.communication_jitter,
        math.ceil(radio.communication_jitter * 1e9) + 1 if radio.communication_jitter > 0.0 else 0,
        np.array([*clocks.values()], dtype=np.int64),
    )
