"""An estimator as the engine flies it: its step over rows of numbers, compiled by itself."""

import types
from collections.abc import Callable

import numpy as np
from velocity_mobility_ros.core.plugins import short_name

from soliton_encirclement_ros.core.estimation.bearing_sensor import camera_means
from soliton_encirclement_ros.core.estimation.estimate_rules import is_possible
from soliton_encirclement_ros.core.estimation.estimator import (
    NOTHING_SEEN,
    Estimator,
    EstimatorView,
    SightSetup,
)
from soliton_encirclement_ros.core.estimation.estimator_source import (
    ESTIMATORS,
    checked_estimator,
)
from soliton_encirclement_ros.core.laws.law_fault import are_finite
from soliton_encirclement_ros.core.laws.record_rows import Packing, packing
from soliton_encirclement_ros.core.scenario.random_streams import camera_seed
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.sim.compilation.call_graph import adopt, enclosed
from soliton_encirclement_ros.sim.compilation.compiled import NotCompiledError, pointed
from soliton_encirclement_ros.sim.compilation.law_unit import packed, say_not_compiled
from soliton_encirclement_ros.sim.kernel.constants import SightRules
from soliton_encirclement_ros.sim.kernel.estimation.cameras import CAMERA_COLUMNS, pack_camera
from soliton_encirclement_ros.sim.kernel.flags import FINE, NO_NUMBER, RAISED
from soliton_encirclement_ros.sim.kernel.flight_memory import Floats

NOWHERE = (0.0, 0.0, 0.0)
VIEW = EstimatorView(0.0, 0.05, 1, NOWHERE, NOWHERE, NOTHING_SEEN, 0, np.zeros((1, 1)))
"""What an estimator sees, as far as the compiler is concerned."""

ROW = np.zeros(1)


def sight_rules(scenario: Scenario, first: int, plain: bool) -> SightRules:
    """Return what agents measure and how they estimate, as the kernel needs it.

    Args:
        scenario: Scenario of the flight.
        first: Column of a message at which that of the estimator begins.
        plain: Whether to leave the estimator as it stands.
    """
    if not scenario.is_estimated:
        return no_sight(plain)
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


def no_sight(plain: bool) -> SightRules:
    """Return the rules where the target broadcasts its state."""
    step = no_step if plain else pointed(no_step, ROW, ROW, ROW, ROW, VIEW)
    rows, seeds = np.zeros((0, CAMERA_COLUMNS)), np.zeros(0, dtype=np.int64)
    return SightRules(False, step, *(np.zeros(0) for _ in range(3)), rows, seeds, 0.0, 0, 0.0)


def no_step(
    gains: Floats, memory: Floats, message: Floats, out: Floats, view: EstimatorView
) -> int:
    """Estimate nothing."""
    return FINE


def estimator_over_rows(scenario: Scenario) -> Callable[..., int]:
    """Return what is compiled for the estimator of a scenario."""
    if not scenario.is_estimated:
        return no_step
    setup = SightSetup(scenario.sight, scenario.swarm)
    return step_over_rows(ESTIMATORS.load(scenario.sight.estimator), setup)


def estimator_step(setup: SightSetup, plain: bool) -> Callable[..., int]:
    """Return the step of an estimator, compiled where there is a compiler and it takes it."""
    estimator = ESTIMATORS.load(setup.sight.estimator)
    step = step_over_rows(estimator, setup)
    if not plain:
        try:
            return pointed(step, ROW, ROW, ROW, ROW, VIEW)
        except NotCompiledError as error:
            say_not_compiled(short_name(setup.sight.estimator), str(error))
    checked = checked_estimator(setup.sight.estimator)
    is_checked = ESTIMATORS.is_foreign(setup.sight.estimator)
    return stepping(checked, packing(estimator.gains(setup)), is_checked)


def step_over_rows(estimator: Estimator, setup: SightSetup) -> Callable[..., int]:
    """Return the step of an estimator over rows; the same every time, so that it is found."""
    if estimator.step not in OVER_ROWS:
        for one in (estimator.step, *enclosed(estimator.step).values()):
            if isinstance(one, types.FunctionType):
                adopt(one)
        gains, is_checked = estimator.gains(setup), ESTIMATORS.is_foreign(setup.sight.estimator)
        OVER_ROWS[estimator.step] = stepping(estimator, packing(gains), is_checked)
    return OVER_ROWS[estimator.step]


OVER_ROWS: dict[Callable, Callable[..., int]] = {}
"""What ``step_over_rows`` has returned, by ``step``."""


def stepping(
    estimator: Estimator, gains_packing: Packing, is_checked: bool
) -> Callable[..., int]:
    """Return an estimator's step over rows: gains, memory, message and estimate.

    Args:
        estimator: The estimator.
        gains_packing: How its gains lie in a row.
        is_checked: Whether numbers that are not finite are a fault of its author, and indices
            beyond the messages that have come as well.
    """
    step, unpack_gains = estimator.step, gains_packing.unpack
    _, pack_memory, unpack_memory = packing(estimator.rest)
    pack_message = packing(estimator.no_message).pack

    def step_rows(
        gains: Floats, memory: Floats, message: Floats, out: Floats, view: EstimatorView
    ) -> int:
        """Advance by one control period, in place; return what went wrong.

        Then the memory is as before, so that somebody can look into it.
        """
        try:
            seen = received(view) if is_checked else view
            after, sent, found = step(unpack_gains(gains), unpack_memory(memory), seen)
        except Exception:  # anything the estimator does; ``law_error`` tells its author
            return RAISED
        pack_message(sent, message)
        if is_checked and not (is_possible(found) and are_finite(message)):
            return NO_NUMBER
        pack_memory(after, memory)
        out[0], out[1], out[2] = found.position
        out[3], out[4], out[5] = found.velocity
        out[6] = found.age
        out[7], out[8], out[9], out[10], out[11], out[12] = found.covariance
        return FINE

    return step_rows


def received(view: EstimatorView) -> EstimatorView:
    """Return what an estimator sees, without the room for messages that have not come."""
    return EstimatorView(
        view.now, view.dt, view.agent_id, view.position, view.velocity, view.sight, view.count,
        view.others[: view.count],
    )  # fmt: skip
