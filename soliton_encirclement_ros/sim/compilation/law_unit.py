"""Laws and estimators as the engine flies them: functions over rows of numbers, compiled alone.

The kernel is compiled without any of them. It gets these functions as pointers, so another law
costs the time that this law takes to compile and no more.
"""

import functools
import math
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from velocity_mobility_ros.core.frames import is_plausible_vector
from velocity_mobility_ros.core.plugins import short_name

from soliton_encirclement_ros.controllers import Decision, Law, Setup, View
from soliton_encirclement_ros.core.estimation.bearing_sensor import camera_means
from soliton_encirclement_ros.core.estimation.estimate_rules import is_possible
from soliton_encirclement_ros.core.estimation.estimator import (
    NOTHING_SEEN,
    Estimate,
    Estimator,
    EstimatorView,
    SightSetup,
)
from soliton_encirclement_ros.core.estimation.estimator_registry import (
    ESTIMATORS,
    checked_estimator,
)
from soliton_encirclement_ros.core.laws.agent_rules import relays_target
from soliton_encirclement_ros.core.laws.law import RingView, TargetView
from soliton_encirclement_ros.core.laws.law_fault import (
    are_finite,
    are_kept,
    checked_law,
    kept_at_rest,
)
from soliton_encirclement_ros.core.laws.law_registry import LAYERS, is_of_user
from soliton_encirclement_ros.core.laws.record_rows import Record, packing
from soliton_encirclement_ros.core.laws.ring_messages import COMMON_FIELDS
from soliton_encirclement_ros.core.scenario.random_streams import camera_seed
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.sim.compilation.call_graph import adopt, enclosed
from soliton_encirclement_ros.sim.compilation.compiled import NotCompiledError, pointed
from soliton_encirclement_ros.sim.compilation.numba_import import say
from soliton_encirclement_ros.sim.kernel.motion import CAMERA_COLUMNS, pack_camera
from soliton_encirclement_ros.swarm.memory import FINE, NO_NUMBER, RAISED, Floats
from soliton_encirclement_ros.swarm.rules import LawFunctions, LawRules, SightRules

NOWHERE = (0.0, 0.0, 0.0)
NOBODY_THERE = RingView(
    0, 0, np.zeros(1, dtype=np.int64), *(np.zeros(1) for _ in range(3)),
    np.zeros(1, dtype=np.int64), np.zeros((1, 1)),
)  # fmt: skip
VIEW = View(
    0.0, 1, NOWHERE, NOWHERE, NOWHERE, 0.0, TargetView(1, NOWHERE, NOWHERE, 0.0, 0.0, True),
    NOBODY_THERE, 0.0,
)  # fmt: skip
SIGHT_VIEW = EstimatorView(0.0, 0.05, 1, NOWHERE, NOWHERE, NOTHING_SEEN, 0, np.zeros((1, 1)))
"""What a law and an estimator see, as far as the compiler is concerned."""

ROW = np.zeros(1)


def law_rules(
    law: Law, setups: Sequence[Setup], plain: bool = False, is_told: bool = True
) -> LawRules:
    """Return a law as the kernel needs it, with the gains of every agent's setup.

    Args:
        law: The law.
        setups: The setup of every agent.
        plain: Whether to leave its functions as they stand.
        is_told: Whether the target broadcasts its state.
    """
    setup = setups[0]
    kinds = {limits: k for k, limits in enumerate(dict.fromkeys(one.limits for one in setups))}
    return LawRules(
        interpreted(law, setup) if plain else functions(law, setup),
        np.array([packed(law.gains(setup._replace(limits=one))) for one in kinds]),
        np.array([[one.max_speed_xy, one.max_speed_z] for one in kinds]),
        np.array([kinds[one.limits] for one in setups]),
        packed(law.rest),
        packed(law.no_message, COMMON_FIELDS),
        law.dead_reckoning,
        is_told and relays_target(law, setup.control),
        law.target_hold(setup),
        law.neighbour_hold(setup),
        law.neighbour_timeout(setup),
        setup.control.r_min,
    )


def sight_rules(scenario: Scenario, first: int, plain: bool) -> SightRules:
    """Return what agents measure and how they estimate, as the kernel needs it.

    Args:
        scenario: Scenario of the flight.
        first: Column of a message at which that of the estimator begins.
        plain: Whether to leave the estimator as it stands.
    """
    if not scenario.is_estimated:  # the target broadcasts its state
        step = no_step if plain else pointed(no_step, ROW, ROW, ROW, ROW, SIGHT_VIEW)
        rows, seeds = np.zeros((0, CAMERA_COLUMNS)), np.zeros(0, dtype=np.int64)
        return SightRules(False, step, *(np.zeros(0) for _ in range(3)), rows, seeds, 0.0, 0, 0.0)
    period, seed = scenario.swarm.control_period, scenario.run.seed
    setup = SightSetup(scenario.sight, scenario.swarm)
    estimator = ESTIMATORS.load(scenario.sight.estimator)
    cameras = np.zeros((scenario.run.num_agents, CAMERA_COLUMNS))
    for k, row in zip(scenario.agent_ids, cameras, strict=True):
        pack_camera(camera_means(scenario.sight, period, k), row)
    return SightRules(
        True,
        estimator_step(setup, plain),
        packed(estimator.gains(setup)),
        packed(estimator.rest),
        packed(estimator.no_message),
        cameras,
        np.array([camera_seed(seed, uav(k)) for k in scenario.agent_ids], dtype=np.int64),
        scenario.sight.ring_omega_ref,
        first,
        scenario.run.transient_time,
    )


def packed(record: Record, first: Sequence[str] = ()) -> Floats:
    """Return a record as a row, as ``packing`` lays it."""
    found = packing(record, first)
    row = np.zeros(found.size)
    found.pack(record, row)
    return row


def once(make: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a function of a law or an estimator and its setup that makes the same once.

    So what it makes is found compiled. The functions of an author are compiled like ours.
    """
    made: dict[Callable, Any] = {}

    @functools.wraps(make)
    def found(one: Law | Estimator, setup: Any) -> Any:
        if one.step not in made:
            for part in (one.step, *enclosed(one.step).values()):  # the layer's functions, too
                if isinstance(part, types.FunctionType):
                    adopt(part)
            made[one.step] = make(one, setup)
        return made[one.step]

    return found


@once
def over_rows(law: Law, setup: Setup) -> LawFunctions:
    """Return a law's functions over rows."""
    return LawFunctions(law_stepping(law, setup), resetting(law), recording(law))


@once
def step_over_rows(estimator: Estimator, setup: SightSetup) -> Callable[..., int]:
    """Return the step of an estimator over rows."""
    return estimator_stepping(estimator, setup)


def estimator_over_rows(scenario: Scenario) -> Callable[..., int]:
    """Return what is compiled for the estimator of a scenario."""
    if not scenario.is_estimated:
        return no_step
    setup = SightSetup(scenario.sight, scenario.swarm)
    return step_over_rows(ESTIMATORS.load(scenario.sight.estimator), setup)


def interpreted(law: Law, setup: Setup) -> LawFunctions:
    """Return a law's functions over rows in plain Python; a user's results are checked."""
    law = checked_law(law) if is_of_user(setup) else law
    return LawFunctions(law_stepping(law, setup), resetting(law), recording(law))


def functions(law: Law, setup: Setup) -> LawFunctions:
    """Return a law's functions, compiled where there is a compiler and it takes them."""
    plain = over_rows(law, setup)
    try:
        return LawFunctions(
            pointed(plain.step, ROW, ROW, ROW, ROW, VIEW),
            pointed(plain.reset, ROW),
            pointed(plain.record, ROW, ROW),
        )
    except NotCompiledError as error:
        name, method = setup.control.controller, setup.propagation.propagation_method
        names = [name, method] if LAYERS.is_foreign(method) else [name]
        say_not_compiled(' with '.join(map(short_name, names)), str(error))
        return interpreted(law, setup)


def estimator_step(setup: SightSetup, plain: bool) -> Callable[..., int]:
    """Return the step of an estimator, compiled where there is a compiler and it takes it."""
    name = setup.sight.estimator
    if not plain:
        try:
            step = step_over_rows(ESTIMATORS.load(name), setup)
            return pointed(step, ROW, ROW, ROW, ROW, SIGHT_VIEW)
        except NotCompiledError as error:
            say_not_compiled(short_name(name), str(error))
    return estimator_stepping(checked_estimator(name), setup)


def is_plain(step: Callable) -> bool:
    """Return whether a step is Python as it stands."""
    return isinstance(step, types.FunctionType)


@functools.cache
def say_not_compiled(law: str, where: str) -> None:
    """Tell the user, once."""
    say(
        f'{law} does not compile ({where}): it flies in plain Python, which is slow; numbers, '
        'tuples, math and functions of these compile'
    )


def law_stepping(law: Law, setup: Setup) -> Callable[..., int]:
    """Return a law's step over rows: gains, memory, message and decision."""
    pack_message = packing(law.no_message, COMMON_FIELDS).pack
    is_own, rest = is_of_user(setup), kept_at_rest(law)
    return stepping(law, law.gains(setup), pack_message, is_own, rest, present, is_sound, decide)


def estimator_stepping(estimator: Estimator, setup: SightSetup) -> Callable[..., int]:
    """Return an estimator's step over rows: gains, memory, message and estimate."""
    pack_message = packing(estimator.no_message).pack
    is_own = ESTIMATORS.is_foreign(setup.sight.estimator)
    rest = (math.nan,) * (packing(estimator.rest).size + 1)
    return stepping(
        estimator, estimator.gains(setup), pack_message, is_own, rest, received, is_possible, tell
    )


def stepping(
    one: Law | Estimator,
    example: Record,
    pack_message: Callable[[Record, Floats], None],
    is_checked: bool,
    rest: tuple[float, ...],
    there: Callable[[Any], Any],
    is_result: Callable[[Any], bool],
    write: Callable[[Any, Floats], None],
) -> Callable[..., int]:
    """Return a step over rows: gains, memory, message and result.

    Args:
        one: The law or estimator.
        example: Gains of it.
        pack_message: Writes a message into its row.
        is_checked: Whether numbers that are not finite are a fault of its author, and indices
            beyond the agents that are present, or the messages that have come, as well.
        rest: As ``are_kept`` takes it.
        there: Returns a view without the room beyond.
        is_result: Whether a result has finite numbers.
        write: Writes a result into its row.
    """
    step, unpack_gains = one.step, packing(example).unpack
    _, pack_memory, unpack_memory = packing(one.rest)

    def step_rows(gains: Floats, memory: Floats, message: Floats, out: Floats, view: Any) -> int:
        """Advance by one control period, in place; return what went wrong.

        Then the memory is as before, so that somebody can look into it.
        """
        try:
            before = unpack_memory(memory)
            seen = there(view) if is_checked else view
            after, sent, found = step(unpack_gains(gains), before, seen)
        except Exception:  # anything an author's code does; ``law_error`` tells its author
            return RAISED
        pack_message(sent, message)
        if is_checked and not (is_result(found) and are_finite(message)):
            return NO_NUMBER
        pack_memory(after, memory)
        if is_checked and not are_kept(memory, rest):
            pack_memory(before, memory)
            return NO_NUMBER
        write(found, out)
        return FINE

    return step_rows


def no_step(
    gains: Floats, memory: Floats, message: Floats, out: Floats, view: EstimatorView
) -> int:
    """Estimate nothing."""
    return FINE


def is_sound(decision: Decision) -> bool:
    """Return whether a vehicle can be told a decision."""
    return is_plausible_vector(decision.velocity)


def decide(decision: Decision, out: Floats) -> None:
    """Write a decision into its row."""
    out[0], out[1], out[2] = decision.velocity
    out[3], out[4], out[5] = decision.pred, decision.succ, decision.e_tau


def tell(estimate: Estimate, out: Floats) -> None:
    """Write an estimate into its row."""
    out[0], out[1], out[2] = estimate.position
    out[3], out[4], out[5] = estimate.velocity
    out[6] = estimate.age
    out[7], out[8], out[9], out[10], out[11], out[12] = estimate.covariance


def present(view: View) -> View:
    """Return what an agent sees, without the room for agents that are not present."""
    ring, count = view.ring, view.ring.count
    seen = RingView(
        count, ring.place, ring.ids[:count], ring.thetas[:count], ring.rates[:count],
        ring.weights[:count], ring.rows[:count], ring.states,
    )  # fmt: skip
    return View(
        view.now, view.agent_id, view.position, view.velocity, view.command, view.loss,
        view.target, seen, view.pose_age,
    )  # fmt: skip


def received(view: EstimatorView) -> EstimatorView:
    """Return what an estimator sees, without the room for messages that have not come."""
    return EstimatorView(
        view.now, view.dt, view.agent_id, view.position, view.velocity, view.sight, view.count,
        view.others[: view.count],
    )  # fmt: skip


def resetting(law: Law) -> Callable[[Floats], int]:
    """Return a law's reset over a row of its memory."""
    reset = law.reset
    _, pack, unpack = packing(law.rest)

    def reset_row(memory: Floats) -> int:
        """Take note that the agent is back after a failure, in place; return what went wrong."""
        try:
            after = reset(unpack(memory))
        except Exception:  # as of a step
            return RAISED
        pack(after, memory)
        return FINE

    return reset_row


def recording(law: Law) -> Callable[[Floats, Floats], int]:
    """Return what writes the values of a memory's row that are recorded into another row."""
    values, (_, _, unpack) = law.values, packing(law.rest)

    def record_row(memory: Floats, out: Floats) -> int:
        """Write the values."""
        found = values(unpack(memory))
        for k in range(len(found)):
            out[k] = found[k]
        return FINE

    return record_row
