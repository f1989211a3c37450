"""The constants of a flight, picked from a scenario."""

import math

import numpy as np
from velocity_mobility_ros.core.time import to_ns

from soliton_encirclement_ros.actors.target import spin_gains
from soliton_encirclement_ros.controllers import Setup
from soliton_encirclement_ros.controllers.soliton import pursuit_gains
from soliton_encirclement_ros.controllers.soliton_v1 import seed_gains
from soliton_encirclement_ros.controllers.two_channel import channel_gains
from soliton_encirclement_ros.core.scenario import Scenario
from soliton_encirclement_ros.propagation import LAYERS
from soliton_encirclement_ros.sim.kernel.rules import (
    LAWS,
    LAYER_NAMES,
    SPIN_NAMES,
    AdversaryRules,
    FailureRules,
    LawRules,
    LayerGains,
    RadioRules,
    RecordRules,
    Rules,
    SwarmRules,
    TargetRules,
)
from soliton_encirclement_ros.sim.schedules import needs_links


def rules_of(scenario: Scenario, every: int, study: bool) -> Rules:
    """Return the constants of a flight.

    Args:
        scenario: What to fly.
        every: Ticks between two samples.
        study: Whether the study's numbers are recorded.
    """
    return Rules(
        swarm_rules(scenario),
        law_rules(scenario),
        scenario.mobility.limits,
        FailureRules(
            scenario.failure.failure_enable,
            scenario.failure.failure_check_period,
            scenario.failure.failure_off_time,
        ),
        target_rules(scenario),
        AdversaryRules(
            scenario.adversary.adversary_roam_bound_xy,
            scenario.adversary.adversary_min_target_distance,
            scenario.adversary.adversary_roam_speed_xy,
        ),
        radio_rules(scenario),
        RecordRules(every, study),
    )

def swarm_rules(scenario: Scenario) -> SwarmRules:
    """Return what all members share."""
    swarm = scenario.swarm
    return SwarmRules(
        scenario.run.num_agents,
        int(scenario.adversary.adversary_enable),
        LAWS.index(scenario.control.controller),
        LAYER_NAMES.index(scenario.propagation.propagation_method),
        swarm.control_period,
        scenario.substeps,
        scenario.mobility.update_rate,
        swarm.encirclement_radius,
        swarm.agent_state_timeout,
        swarm.target_state_timeout,
        swarm.prune_expired_states,
        not needs_links(scenario),
    )

def law_rules(scenario: Scenario) -> LawRules:
    """Return the gains of all laws."""
    control = scenario.control
    setup = Setup(control, scenario.propagation, scenario.swarm, scenario.limits)
    gains = {
        name: layer.gains(scenario.propagation)
        for name, layer in LAYERS.items()
        if name in LayerGains._fields
    }
    return LawRules(
        pursuit_gains(setup),
        seed_gains(control),
        channel_gains(setup),
        LayerGains(**gains),
        control.hysteresis_rad,
        control.r_min,
        control.k_r,
        control.k_dr,
        control.k_tau,
        control.k_omega_damp,
        control.ring_hops,
        control.target_acc_filter,
        control.target_hold_time,
        control.neighbour_hold_time,
    )

def target_rules(scenario: Scenario) -> TargetRules:
    """Return how the target behaves."""
    target = scenario.target
    return TargetRules(
        target.target_motion == 'constant',
        target.target_motion_heading_deg,
        target.target_motion_period,
        target.target_motion_speed_xy,
        target.target_motion_boundary_xy,
        target.protection_angle_deg,
        target.edge_weight_always_fresh,
        target.target_swarm_spin_enable,
        SPIN_NAMES.index(target.target_swarm_spin_law),
        target.target_swarm_omega_ref,
        spin_gains(target, scenario.swarm),
    )

def radio_rules(scenario: Scenario) -> RadioRules:
    """Return what the radio does."""
    radio = scenario.radio
    reach = radio.communication_transmission_range
    return RadioRules(
        np.uint64(scenario.run.seed),
        reach * reach,
        radio.communication_failure_rate,
        radio.communication_delay,
        to_ns(radio.communication_delay),
        radio.communication_jitter,
        math.ceil(radio.communication_jitter * 1e9) + 1 if radio.communication_jitter > 0.0 else 0,
    )
