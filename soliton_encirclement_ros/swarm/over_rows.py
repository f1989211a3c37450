"""Laws, spin laws, estimators and the separation filter over rows of numbers, in place.

The tick holds the memory of an agent in a row, while a law is written over records with names; so
it calls what is made here, interpreted or compiled.

A step that fails is called once more over its records, to say what is wrong with it.
"""

import functools
import math
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from soliton_encirclement_ros.core.estimation.estimator import (
    ESTIMATORS, Estimate, Estimator, EstimatorSetup, EstimatorView, TargetMeasurement,
    checked_estimator, is_possible
)
from soliton_encirclement_ros.core.laws.law import (
    COMMON_FIELDS, Decision, Law, RingView, Setup, View, relays_target
)
from soliton_encirclement_ros.core.laws.law_fault import (
    are_finite, checked_law, finite_at_rest, has_no_new_nan
)
from soliton_encirclement_ros.core.laws.law_registry import is_of_user
from soliton_encirclement_ros.core.laws.record_rows import Record, packing
from soliton_encirclement_ros.core.ring.spin_laws import GAINS, SPIN_LAWS, SpinGains
from soliton_encirclement_ros.safety.braking import usable_lag
from soliton_encirclement_ros.safety.filter import filter_into
from soliton_encirclement_ros.safety.filter_records import FilterSettings, OwnState, Rows
from soliton_encirclement_ros.safety.nearest_bodies import SpanBound, span_bound
from soliton_encirclement_ros.swarm.agent import view_of
from soliton_encirclement_ros.swarm.memory import FINE, NO_NUMBER, RAISED, FlightMemory, Floats
from soliton_encirclement_ros.swarm.reception import report_age
from soliton_encirclement_ros.swarm.rules import (
    EstimatorRules, LawFunctions, LawRules, Rules, SafetyRules
)
from soliton_encirclement_ros.swarm.target_report import make_estimator_view
from velocity_mobility_ros.core.coordinate_frames import is_plausible_vector

EDGE = 4
"""Numbers of an edge of the fence."""


def law_rules(
    law: Law, functions: LawFunctions, setups: Sequence[Setup], broadcasts_target: bool = True
) -> LawRules:
    """Return a law as the tick needs it, with the gains of every agent's setup.

    Args:
        law: The law.
        functions: Its functions over rows.
        setups: The setup of every agent.
        broadcasts_target: Whether the target broadcasts its state.
    """
    setup = setups[0]
    kinds = {limits: k for k, limits in enumerate(dict.fromkeys(own.limits for own in setups))}
    return LawRules(
        functions,
        np.array([packed(law.gains(setup._replace(limits=limits))) for limits in kinds]),
        np.array([[limits.max_speed_xy, limits.max_speed_z] for limits in kinds]),
        np.array([kinds[own.limits] for own in setups]),
        packed(law.rest),
        packed(law.no_message, COMMON_FIELDS),
        law.dead_reckoning,
        broadcasts_target and relays_target(law, setup.control),
        law.target_hold(setup),
        law.neighbour_hold(setup),
        law.neighbour_timeout(setup),
        setup.control.r_min,
    )


def estimator_rules_of(
    setup: EstimatorSetup | None, step: Callable[..., int], first: int
) -> EstimatorRules:
    """Return how agents estimate the target, with cameras elsewhere.

    Args:
        setup: Parameters of the estimator; None: the target broadcasts its state.
        step: Its step over rows.
        first: Column of a message at which that of the estimator begins.
    """
    nothing, cameras, seeds = np.zeros(0), np.zeros((0, 1)), np.zeros(0, dtype=np.int64)
    if setup is None:
        return EstimatorRules(False, step, nothing, nothing, nothing, cameras, seeds, 0.0, 0, 0.0)
    estimator = ESTIMATORS.load(setup.target_sensing.estimator)
    return EstimatorRules(
        True, step, packed(estimator.gains(setup)), packed(estimator.rest),
        packed(estimator.no_message), cameras, seeds, setup.target_sensing.ring_omega_ref, first,
        0.0,
    )  # fmt: skip


def safety_rules_of(
    is_on: bool, step: Callable[..., int], settings: Sequence[FilterSettings], fence: Rows
) -> SafetyRules:
    """Return the separation filter of all agents.

    Args:
        is_on: Whether commands are filtered.
        step: The filter over rows.
        settings: Its numbers, one per kind of vehicle.
        fence: Edges of the fence.
    """
    return SafetyRules(
        is_on,
        step,
        np.array([*map(packed, settings)]),
        np.array(fence, dtype=np.float64).reshape(-1, EDGE),
        any(numbers.target_radius > 0.0 for numbers in settings),
        any(numbers.adversary_radius > 0.0 for numbers in settings),
        settings[0].lowest,
        settings[0].highest,
        widest_spans(settings),
    )


def widest_spans(settings: Sequence[FilterSettings]) -> SpanBound:
    """Return a bound on the spans of other bodies that holds for each of some vehicles."""
    moving = [s for s in settings if s.limits[2] > 0.0]  # the others get command 0 anyway
    spans = [span_bound(s, s.limits[2], usable_lag(s.limits[4], s.period)) for s in moving]
    return SpanBound(*map(max, zip(*spans, (0.0,) * len(SpanBound._fields), strict=True)))


@functools.cache
def filtering() -> Callable[..., int]:
    """Return the filter over rows; the same every time, so that it is found compiled."""
    unpack = packing(FilterSettings((0.0,) * 6)).unpack

    def filter_rows(
        settings: Floats, body: Floats, wanted: Floats, in_effect: Floats, others: Floats,
        fence: Floats, scratch: Floats, result: Floats,
    ) -> int:  # fmt: skip
        """Filter a velocity; leave command, pusher and turn in a row, and return the reason."""
        own = OwnState((body[0], body[1], body[2]), (body[3], body[4], body[5]))
        return filter_into(
            unpack(settings), own, (wanted[0], wanted[1], wanted[2]),
            (in_effect[0], in_effect[1], in_effect[2]), others, fence, scratch, result,
        )  # fmt: skip

    return filter_rows


def packed(record: Record, first: Sequence[str] = ()) -> Floats:
    """Return a record as a row, as ``packing`` lays it."""
    layout = packing(record, first)
    row = np.zeros(layout.size)
    layout.pack(record, row)
    return row


def interpreted(law: Law, setup: Setup) -> LawFunctions:
    """Return a law's functions over rows in plain Python; a user's results are checked."""
    law = checked_law(law) if is_of_user(setup) else law
    return LawFunctions(law_stepping(law, setup), resetting(law), recording(law))


def is_plain(step: Callable) -> bool:
    """Return whether a step is Python as it stands."""
    return isinstance(step, types.FunctionType)


def law_stepping(law: Law, setup: Setup) -> Callable[..., int]:
    """Return a law's step over rows: gains, memory, message and decision."""
    pack_message = packing(law.no_message, COMMON_FIELDS).pack
    is_own, rest = is_of_user(setup), finite_at_rest(law)
    return stepping(
        law, law.gains(setup), pack_message, is_own, rest, present, is_sound, write_decision
    )


def estimator_stepping(estimator: Estimator, setup: EstimatorSetup) -> Callable[..., int]:
    """Return an estimator's step over rows: gains, memory, message and estimate."""
    pack_message = packing(estimator.no_message).pack
    is_own = ESTIMATORS.is_foreign(setup.target_sensing.estimator)
    rest = (math.nan,) * (packing(estimator.rest).size + 1)
    return stepping(
        estimator, estimator.gains(setup), pack_message, is_own, rest, received, is_possible,
        write_estimated,
    )  # fmt: skip


def stepping(
    plugin: Law | Estimator,
    example: Record,
    pack_message: Callable[[Record, Floats], None],
    is_checked: bool,
    rest: tuple[float, ...],
    trim: Callable[[Any], Any],
    is_result: Callable[[Any], bool],
    write: Callable[[Any, Floats], None],
) -> Callable[..., int]:
    """Return a step over rows: gains, memory, message and result.

    Args:
        plugin: The law or estimator.
        example: Gains of it.
        pack_message: Writes a message into its row.
        is_checked: Whether numbers that are not finite are a fault of its author, and indices
            beyond the agents that are present, or the messages that have come, as well.
        rest: As ``has_no_new_nan`` takes it.
        trim: Returns a view without unused rows.
        is_result: Whether a result has finite numbers.
        write: Writes a result into its row.
    """
    step, unpack_gains = plugin.step, packing(example).unpack
    _, pack_memory, unpack_memory = packing(plugin.rest)

    def step_rows(gains: Floats, memory: Floats, message: Floats, out: Floats, view: Any) -> int:
        """Advance by one control period, in place; return the fault, FINE: none.

        After a fault the memory is as before, so that it can be inspected.
        """
        try:
            before = unpack_memory(memory)
            inputs = trim(view) if is_checked else view
            after, sent, result = step(unpack_gains(gains), before, inputs)
        except Exception:  # anything an author's code does; ``law_error`` tells its author
            return RAISED
        pack_message(sent, message)
        if is_checked and not (is_result(result) and are_finite(message)):
            return NO_NUMBER
        pack_memory(after, memory)
        if is_checked and not has_no_new_nan(memory, rest):
            pack_memory(before, memory)
            return NO_NUMBER
        write(result, out)
        return FINE

    return step_rows


def no_step(
    gains: Floats, memory: Floats, message: Floats, out: Floats, view: EstimatorView
) -> int:
    """Estimate nothing."""
    return FINE


def is_sound(decision: Decision) -> bool:
    """Return whether a vehicle can be given a decision."""
    return is_plausible_vector(decision.velocity)


def write_decision(decision: Decision, out: Floats) -> None:
    """Write a decision into its row."""
    out[0], out[1], out[2] = decision.velocity
    out[3], out[4], out[5] = decision.pred, decision.succ, decision.e_tau


def write_estimated(estimate: Estimate, out: Floats) -> None:
    """Write an estimate into its row."""
    out[0], out[1], out[2] = estimate.position
    out[3], out[4], out[5] = estimate.velocity
    out[6] = estimate.age
    out[7], out[8], out[9], out[10], out[11], out[12] = estimate.covariance


def present(view: View) -> View:
    """Return the inputs of a law without rows of agents that are not present."""
    ring, count = view.ring, view.ring.count
    own_ring = RingView(
        count, ring.place, ring.ids[:count], ring.thetas[:count], ring.rates[:count],
        ring.weights[:count], ring.rows[:count], ring.states,
    )  # fmt: skip
    return View(
        view.now, view.agent_id, view.position, view.velocity, view.command, view.loss,
        view.target, own_ring, view.pose_age,
    )  # fmt: skip


def received(view: EstimatorView) -> EstimatorView:
    """Return the inputs of an estimator without rows of messages that have not come."""
    return EstimatorView(
        view.now, view.dt, view.agent_id, view.position, view.velocity, view.measurement,
        view.count,
        view.others[: view.count],
    )  # fmt: skip


def resetting(law: Law) -> Callable[[Floats], int]:
    """Return a law's reset over a row of its memory."""
    reset = law.reset
    _, pack, unpack = packing(law.rest)

    def reset_row(memory: Floats) -> int:
        """Reset the memory after a failure, in place; return the fault, FINE: none."""
        try:
            after = reset(unpack(memory))
        except Exception:  # as of a step
            return RAISED
        pack(after, memory)
        return FINE

    return reset_row


def recording(law: Law) -> Callable[[Floats, Floats], int]:
    """Return a function that writes the recorded values of a memory's row into another row."""
    values, (_, _, unpack) = law.values, packing(law.rest)

    def record_row(memory: Floats, out: Floats) -> int:
        """Write the values."""
        recorded = values(unpack(memory))
        for k in range(len(recorded)):
            out[k] = recorded[k]
        return FINE

    return record_row


def spin_memory(name: str, gains: SpinGains) -> Floats:
    """Return the memory of a spin law before its first error, with room for the rate."""
    rest = SPIN_LAWS[name].rest(gains)
    layout = packing(rest)
    row = np.zeros(layout.size + 1)
    layout.pack(rest, row)
    return row


@functools.cache
def spinning(name: str) -> Callable[..., int]:
    """Return the step of a spin law over a row; the same every time, so that it is found."""
    law = SPIN_LAWS[name]
    step, (size, pack, unpack) = law.step, packing(law.rest(GAINS))

    def spin_row(memory: Floats, now: float, err: float, known: bool, gains: SpinGains) -> int:
        """Advance by one period, in place."""
        after, omega = step(unpack(memory), now, err, known, gains)
        pack(after, memory)
        memory[size] = omega
        return FINE

    return spin_row


Call = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function whose results are checked, and its arguments."""


def law_call(
    law: Law, setup: Setup, rules: Rules, flight: FlightMemory, i: int, now: float
) -> Call:
    """Return the step of an agent's law at a time [s]; its reset if it is back."""
    memory = packing(law.rest).unpack([float(number) for number in flight.laws[i]])
    checked = checked_law(law)
    if flight.agents[i].was_down:
        return checked.reset, (memory,)
    view = present(view_of(rules, flight, i, now, report_age(flight.reports[i], now)))
    return checked.step, (law.gains(setup), memory, view)


def estimator_call(
    setup: EstimatorSetup, rules: Rules, flight: FlightMemory, i: int, now: float,
    measurement: TargetMeasurement,
) -> Call:
    """Return the step of an agent's estimator at a time [s]."""
    name = setup.target_sensing.estimator
    estimator = ESTIMATORS.load(name)
    memory = packing(estimator.rest).unpack([float(n) for n in flight.estimator.memories[i]])
    view = received(make_estimator_view(rules, flight, i, now, measurement))
    return checked_estimator(name).step, (estimator.gains(setup), memory, view)
