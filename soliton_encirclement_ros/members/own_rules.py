"""Configuration of a vehicle of a node: constants of its tick, and the code that runs it."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from soliton_encirclement_ros.core.estimation.estimator import (
    ESTIMATORS, EstimatorSetup, checked_estimator
)
from soliton_encirclement_ros.core.laws.law import COMMON_FIELDS, Law, Setup, relays_target
from soliton_encirclement_ros.core.laws.record_rows import field_names
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.states.received_states import stretched
from soliton_encirclement_ros.members.inbox import Fields, ReceivedStates, accept_states, decide
from soliton_encirclement_ros.members.member_memory import PLAIN, Space
from soliton_encirclement_ros.safety.filter_records import fence_of, filter_settings
from soliton_encirclement_ros.swarm.memory import FlightMemory
from soliton_encirclement_ros.swarm.neighbour_checks import check_rules
from soliton_encirclement_ros.swarm.over_rows import (
    estimator_rules_of, estimator_stepping, filtering, interpreted, law_rules, no_step,
    safety_rules_of
)
from soliton_encirclement_ros.swarm.rules import (
    LawFunctions, LawRules, RadioRules, Rules, SwarmRules
)

AHEAD = 'estimate_ahead'
"""Field with the time [s] by which a message is younger than the sender's pose."""

PREFIX = 'estimate_'
"""Prefix of an estimator's fields in a broadcast state."""

NO_LAW = LawFunctions(no_step, no_step, no_step)


class OwnVehicle(NamedTuple):
    """Configuration of a vehicle of the process.

    Attributes:
        setup: Constants of its law and of the swarm, and the limits of its vehicle.
        safety: Its distances to others.
        law: Its law; None: it is commanded from outside.
        estimator: Its estimator of a target that broadcasts nothing; None: it does broadcast.
    """

    setup: Setup
    safety: SafetyParameters
    law: Law | None = None
    estimator: EstimatorSetup | None = None


class Calls(NamedTuple):
    """The tick of a vehicle over its memory.

    Attributes:
        accept_states: ``(inbox, i, now)``: as ``inbox.accept_states``.
        decide: ``(i, now, seen)``: as ``inbox.decide``.
    """

    accept_states: Callable[..., None]
    decide: Callable[..., None]


class Code(NamedTuple):
    """The code of the tick of vehicles: plain Python, or machine code.

    Attributes:
        space: How their memory is made.
        heard: Their received states.
        listed: An array of constants as the tick reads it.
        functions: ``(law, setup)``: the law over rows.
        estimating: ``(setup)``: the step of the estimator over rows.
        filtering: The filter over rows.
        over: ``(rules, flight)``: the tick over a memory.
    """

    space: Space
    heard: ReceivedStates
    listed: Callable[[Any], Any]
    functions: Callable[[Law, Setup], LawFunctions]
    estimating: Callable[[EstimatorSetup | None], Callable[..., int]]
    filtering: Callable[[], Callable[..., int]]
    over: Callable[[Rules, FlightMemory], Calls]


def estimating(setup: EstimatorSetup | None) -> Callable[..., int]:
    """Return the step of an estimator over rows; without one a step that does nothing."""
    if setup is None:
        return no_step
    return estimator_stepping(checked_estimator(setup.target_sensing.estimator), setup)


def over(rules: Rules, flight: FlightMemory) -> Calls:
    """Return the tick over a memory in plain Python."""
    return Calls(partial(accept_states, rules, flight), partial(decide, rules, flight))


PLAIN_CODE = Code(
    PLAIN, ReceivedStates(PLAIN), lambda array: array.tolist(), interpreted, estimating, filtering,
    over,
)


def plain_code(own: OwnVehicle) -> Code:
    """Return the code for an agent among few in its process: plain Python."""
    del own
    return PLAIN_CODE


def rules_of(own: OwnVehicle, code: Code) -> Rules:
    """Return the constants of the tick of a vehicle, alone as yet.

    Args:
        own: Its configuration.
        code: The code of its tick.
    """
    setup, swarm, listed = own.setup, own.setup.swarm, code.listed
    members = SwarmRules(
        1, 1, swarm.control_period, 1, swarm.control_period, swarm.encirclement_radius,
        swarm.agent_state_timeout, swarm.target_state_timeout, swarm.prune_expired_states, False,
    )  # fmt: skip
    law = _law_rules(own, code)
    step = code.estimating(own.estimator)
    estimator = estimator_rules_of(own.estimator, step, len(law.no_message))
    settings = filter_settings(own.safety, setup.limits, swarm)
    safety = safety_rules_of(
        own.safety.separation_filter, code.filtering(), [settings], fence_of(own.safety)
    )
    checks = check_rules(own.safety, safety.settings, is_filtered=safety.on)
    return Rules(
        members,
        law,
        None,
        None,
        estimator._replace(**{name: listed(getattr(estimator, name)) for name in ESTIMATOR_ROWS}),
        None,
        None,
        None,
        ANY_RADIO,
        None,
        safety._replace(settings=listed(safety.settings), fence=listed(safety.fence)),
        checks._replace(**{name: listed(getattr(checks, name)) for name in CHECK_ROWS}),
        None,
    )


class Timeouts(NamedTuple):
    """How long the states of others count [s]: of agents, of the target, of neighbours."""

    agent: float
    target: float
    neighbour: float


def timeouts_of(own: OwnVehicle, longest_period: float) -> Timeouts:
    """Return the timeouts that suit the longest of the last control periods [s]; 0: as set."""
    swarm = own.setup.swarm
    agent = stretched(swarm.agent_state_timeout, longest_period)
    neighbour = 0.0 if own.law is None else own.law.neighbour_timeout(own.setup)
    if longest_period > 0.0:
        neighbour = max(neighbour, agent)
    return Timeouts(agent, stretched(swarm.target_state_timeout, longest_period), neighbour)


def with_timeouts(rules: Rules, timeouts: Timeouts) -> Rules:
    """Return constants with other timeouts."""
    return rules._replace(
        swarm=rules.swarm._replace(agent_timeout=timeouts.agent, target_timeout=timeouts.target),
        law=rules.law._replace(neighbour_timeout=timeouts.neighbour),
    )


CHECK_ROWS = 'speed', 'acceleration', 'beside'
ESTIMATOR_ROWS = 'gains', 'rest', 'no_message'

ANY_RADIO = RadioRules(
    np.uint64(0), 0.0, 0.0, 0.0, 0, jitter=1.0, jitter_ns=0, clocks_ns=np.zeros(0, dtype=np.int64)
)
"""That of others is unknown: any message may relay the youngest report of the target."""


def _law_rules(own: OwnVehicle, code: Code) -> LawRules:
    """Return the law as the tick needs it; without one, that which only speaks."""
    setup, listed = own.setup, code.listed
    if own.law is None:
        limits = [[setup.limits.max_speed_xy, setup.limits.max_speed_z]]
        none = [0.0] * len(COMMON_FIELDS)
        return LawRules(NO_LAW, [[]], limits, [0], [], none, True, False, 0.0, 0.0, 0.0, 0.0)
    law = law_rules(own.law, code.functions(own.law, setup), [setup], own.estimator is None)
    return law._replace(
        gains=listed(law.gains), limits=listed(law.limits), rest=listed(law.rest),
        no_message=listed(law.no_message),
    )  # fmt: skip


def fields_of(own: OwnVehicle) -> Fields:
    """Return the fields of the broadcasts of agents, all configured as one of them."""
    law = () if own.law is None else field_names(own.law.no_message)
    seen = ()
    if own.estimator is not None:
        estimator = ESTIMATORS.load(own.estimator.target_sensing.estimator)
        seen = (AHEAD, *(f'{PREFIX}{name}' for name in field_names(estimator.no_message)))
    broadcasts_target = own.law is not None and own.estimator is None
    relays = broadcasts_target and relays_target(own.law, own.setup.control)
    return Fields(tuple(name for name in law if name not in COMMON_FIELDS), seen, relays)
