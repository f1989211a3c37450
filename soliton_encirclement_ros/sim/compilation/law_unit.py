"""Laws and estimators as the engine flies them: functions over rows of numbers, compiled alone.

The kernel is compiled without any of them. It gets these functions as pointers, so another law
costs the time that this law takes to compile and no more.

The separation filter and a spin law are compiled by themselves in the same way.
"""

import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from soliton_encirclement_ros.controllers import Law, Setup, View
from soliton_encirclement_ros.core.estimation.bearing_sensor import camera_coefficients
from soliton_encirclement_ros.core.estimation.estimator import (
    ESTIMATORS, NOTHING_SEEN, Estimator, EstimatorSetup, EstimatorView, checked_estimator
)
from soliton_encirclement_ros.core.laws.law import RingView, TargetView
from soliton_encirclement_ros.core.laws.law_registry import LAYERS
from soliton_encirclement_ros.core.ring.spin_laws import GAINS
from soliton_encirclement_ros.core.scenario.random_streams import camera_seed
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.sim.compilation.call_graph import adopt, enclosed
from soliton_encirclement_ros.sim.compilation.compiled import NotCompiledError, pointed
from soliton_encirclement_ros.sim.compilation.numba_import import say
from soliton_encirclement_ros.sim.kernel.motion import CAMERA_COLUMNS, pack_camera
from soliton_encirclement_ros.swarm.over_rows import (
    estimator_rules_of, estimator_stepping, filtering, interpreted, law_stepping, no_step,
    recording, resetting, spinning
)
from soliton_encirclement_ros.swarm.rules import EstimatorRules, LawFunctions
from velocity_mobility_ros.core.plugins import short_name

NOWHERE = (0.0, 0.0, 0.0)
NOBODY_THERE = RingView(
    0, 0, np.zeros(1, dtype=np.int64), *(np.zeros(1) for _ in range(3)),
    np.zeros(1, dtype=np.int64), np.zeros((1, 1)),
)  # fmt: skip
VIEW = View(
    0.0, 1, NOWHERE, NOWHERE, NOWHERE, 0.0, TargetView(1, NOWHERE, NOWHERE, 0.0, 0.0, True),
    NOBODY_THERE, 0.0,
)  # fmt: skip
ESTIMATOR_VIEW = EstimatorView(0.0, 0.05, 1, NOWHERE, NOWHERE, NOTHING_SEEN, 0, np.zeros((1, 1)))
"""What a law and an estimator see, as far as the compiler is concerned."""

ROW = np.zeros(1)


def estimator_rules(scenario: Scenario, first: int, plain: bool) -> EstimatorRules:
    """Return what agents measure and how they estimate, as the kernel needs it.

    Args:
        scenario: Scenario of the flight.
        first: Column of a message at which that of the estimator begins.
        plain: Whether to leave the estimator as it stands.
    """
    if not scenario.is_estimated:  # the target broadcasts its state
        step = no_step if plain else pointed(no_step, ROW, ROW, ROW, ROW, ESTIMATOR_VIEW)
        return estimator_rules_of(None, step, first)
    period, seed = scenario.swarm.control_period, scenario.run.seed
    setup = EstimatorSetup(scenario.target_sensing, scenario.swarm)
    cameras = np.zeros((scenario.run.num_agents, CAMERA_COLUMNS))
    for k, row in zip(scenario.agent_ids, cameras, strict=True):
        pack_camera(camera_coefficients(scenario.target_sensing, period, k), row)
    return estimator_rules_of(setup, estimator_step(setup, plain), first)._replace(
        cameras=cameras,
        seeds=np.array([camera_seed(seed, uav(k)) for k in scenario.agent_ids], dtype=np.int64),
        settled=scenario.run.transient_time,
    )


def once(make: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a function of a law or an estimator and its setup that makes the same once.

    So what it makes is found compiled. The functions of an author are compiled like ours.
    """
    made: dict[tuple, Any] = {}

    @functools.wraps(make)
    def make_once(law: Law | Estimator, setup: Any) -> Any:
        key = tuple(getattr(law, name, None) for name in ('step', 'reset', 'values'))
        if key not in made:
            for part in (law.step, *enclosed(law.step).values()):  # the layer's functions, too
                if isinstance(part, types.FunctionType):
                    adopt(part)
            made[key] = make(law, setup)
        return made[key]

    return make_once


@once
def over_rows(law: Law, setup: Setup) -> LawFunctions:
    """Return a law's functions over rows."""
    return LawFunctions(law_stepping(law, setup), resetting(law), recording(law))


@once
def step_over_rows(estimator: Estimator, setup: EstimatorSetup) -> Callable[..., int]:
    """Return the step of an estimator over rows."""
    return estimator_stepping(estimator, setup)


def estimator_over_rows(scenario: Scenario) -> Callable[..., int]:
    """Return what is compiled for the estimator of a scenario."""
    if not scenario.is_estimated:
        return no_step
    setup = EstimatorSetup(scenario.target_sensing, scenario.swarm)
    return step_over_rows(ESTIMATORS.load(scenario.target_sensing.estimator), setup)


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


def estimator_step(setup: EstimatorSetup, plain: bool) -> Callable[..., int]:
    """Return the step of an estimator, compiled where there is a compiler and it takes it."""
    name = setup.target_sensing.estimator
    if not plain:
        try:
            step = step_over_rows(ESTIMATORS.load(name), setup)
            return pointed(step, ROW, ROW, ROW, ROW, ESTIMATOR_VIEW)
        except NotCompiledError as error:
            say_not_compiled(short_name(name), str(error))
    return estimator_stepping(checked_estimator(name), setup)


@functools.cache
def say_not_compiled(law: str, where: str) -> None:
    """Tell the user, once."""
    say(
        f'{law} does not compile ({where}): it flies in plain Python, which is slow; numbers, '
        'tuples, math and functions of these compile'
    )


A_ROW, ROWS = np.zeros(1), np.zeros((1, 1))


def filter_step(plain: bool) -> Callable[..., int]:
    """Return the filter over rows, compiled where there is a compiler, or ``plain``."""
    if plain:
        return filtering()
    return pointed(filtering(), A_ROW, A_ROW, A_ROW, A_ROW, ROWS, ROWS, ROWS, A_ROW)


def spin_step(name: str, plain: bool) -> Callable[..., int]:
    """Return the step of a spin law, compiled where there is a compiler, or ``plain``."""
    if plain:
        return spinning(name)
    return pointed(spinning(name), np.zeros(1), 0.0, 0.0, True, GAINS)
