"""The constants of a flight, computed from a scenario."""

import math
from collections.abc import Sequence

import numpy as np
from velocity_mobility_ros.core.step_time import to_ns

from soliton_encirclement_ros.controllers import Setup, kind_of
from soliton_encirclement_ros.core.radio_links import clock_errors_ns
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.safety.filter_records import fence_of, filter_settings
from soliton_encirclement_ros.sim.compilation.law_unit import functions, sight_rules
from soliton_encirclement_ros.sim.compilation.safety_unit import filter_step
from soliton_encirclement_ros.sim.compilation.spin_unit import spin_step
from soliton_encirclement_ros.sim.compilation.vehicle_unit import vehicle_rules
from soliton_encirclement_ros.sim.path_rules import path_rules
from soliton_encirclement_ros.sim.schedules import needs_links
from soliton_encirclement_ros.sim.sensing_memory import sensing_rules
from soliton_encirclement_ros.swarm.over_rows import (
    interpreted,
    is_plain,
    law_rules,
    safety_rules_of,
)
from soliton_encirclement_ros.swarm.rules import (
    FailureRules,
    RadioRules,
    RecordRules,
    Rules,
    SafetyRules,
    SwarmRules,
)
from soliton_encirclement_ros.swarm.target import roam_rules, target_rules_of


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
    is_told = not scenario.is_estimated
    made = interpreted if plain else functions
    flown = law_rules(law, made(law, setups[0]), setups, is_told)
    sight = sight_rules(scenario, len(flown.no_message), is_plain(flown.functions.step))
    if is_plain(sight.step) and not plain:
        plain = True
        flown = law_rules(law, interpreted(law, setups[0]), setups, is_told)
    spin = spin_step(scenario.target.target_swarm_spin_law, plain)
    return Rules(
        swarm_rules(scenario),
        flown,
        vehicle_rules([*map(scenario.vehicle_of, scenario.members)], plain),
        sensing_rules(scenario),
        sight,
        FailureRules(
            scenario.failure.failure_enable,
            scenario.failure.failure_check_period,
            scenario.failure.failure_off_time,
        ),
        target_rules_of(scenario.target, scenario.swarm, spin),
        roam_rules(scenario.adversary),
        radio_rules(scenario),
        path_rules(scenario),
        guard_rules(scenario, setups, plain),
        RecordRules(every, study),
    )


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
