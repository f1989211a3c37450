"""Runs a fit: selects data, scans start values, solves, drops unused limits, validates."""

from collections.abc import Callable, Sequence

import numpy as np

from soliton_encirclement_ros.analysis.fit.data import Data, gather, most_excited
from soliton_encirclement_ros.analysis.fit.excitation import (
    deviation,
    misfit,
    motion,
    noise_of,
)
from soliton_encirclement_ros.analysis.fit.fit_records import SECOND_ORDER, Fit, FitSettings
from soliton_encirclement_ros.analysis.fit.fit_warnings import fit_warnings
from soliton_encirclement_ros.analysis.fit.heading_frame import along_heading, heading_lines
from soliton_encirclement_ros.analysis.fit.intervals import deviations
from soliton_encirclement_ros.analysis.fit.joined_stretches import Follow, JoinedStretches, RollOut
from soliton_encirclement_ros.analysis.fit.limit_selection import select_limits
from soliton_encirclement_ros.analysis.fit.parameter_vector import (
    DELAY,
    LIMITS,
    VERTICAL,
    with_acceleration_lags,
)
from soliton_encirclement_ros.analysis.fit.prediction import by_agent, curves, errors
from soliton_encirclement_ros.analysis.fit.rollout import follow, roll_out
from soliton_encirclement_ros.analysis.fit.scan import STARTS, scan
from soliton_encirclement_ros.analysis.fit.solve import Solution, Solver
from soliton_encirclement_ros.analysis.fit.verdict import judge
from soliton_encirclement_ros.analysis.recording import Floats, Member
from soliton_encirclement_ros.analysis.velocity_consistency import velocity_inconsistencies
from soliton_encirclement_ros.core.stability.ordered_sum import total

FEW_UPDATES = 15_000
"""Updates of the most excited stretches used to find start values."""

STEPS = STARTS + len(LIMITS) + 4
"""Number of progress steps."""

Progress = Callable[[int, int], None]


def fit(
    members: Sequence[Member],
    settings: FitSettings | None = None,
    fly: RollOut = roll_out,
    progress: Progress = lambda done, whole: None,
    follow: Follow = follow,
) -> Fit:
    """Fit the mobility law, or ``second_order``, to vehicles of one type.

    Args:
        members: Vehicles with track and commands.
        settings: None for the defaults.
        fly: ``roll_out``, or a compiled copy of it, which is 200 times as fast.
        progress: Called with steps done and all steps.
        follow: The same of ``rollout.follow``, for ``second_order``.

    Raises:
        RunError: There is too little data.
    """
    settings = settings or FitSettings()
    steps = _Steps(progress)
    driven = [along_heading(member) for member in members]
    data = gather(driven, settings)
    joined, held = (
        JoinedStretches(parts, settings.update_rate, fly, follow)
        for parts in (data.fitted, data.held)
    )
    fixed = _without_excitation(joined)
    best = _first(data, settings, fly, fixed, steps)
    if settings.vehicle == SECOND_ORDER:
        best = with_acceleration_lags(best, 2.0 * settings.update_rate)
        fixed |= {DELAY}
    solver, solution = _refined(joined, best, settings, fixed)
    steps.done()
    choice = select_limits(solver, solution, fixed, steps.done)
    solver, solution = _refined(joined, choice.solution.values, settings, fixed | choice.no_lag)
    choice = choice._replace(solution=solution)
    half = deviations(solver, solution.values, fixed | choice.no_lag)
    steps.done()
    seen, noise = motion(joined, solution.values, solver.scale), noise_of(joined)
    estimates = judge(choice, half, seen, noise, settings)
    found = curves(held, solution.values, solver.scale)
    agents = by_agent(found)
    steps.done()
    return Fit(
        estimates=estimates,
        agents=tuple(dict.fromkeys(part.agent for part in joined.parts)),
        update_rate=settings.update_rate,
        until=data.until,
        used=total(part.length for part in joined.parts),
        fitted=errors(curves(joined, solution.values, solver.scale)),
        validation=errors(found),
        by_agent=agents,
        noise=(float(noise[0]), float(noise[2])),
        curves=found,
        problems=(
            *velocity_inconsistencies(members),
            *heading_lines(members, driven),
            *fit_warnings(estimates, seen, errors(found), noise, agents),
        ),
        vehicle=settings.vehicle,
    )


class _Steps:
    """Counts the progress steps."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._count = 0
        progress(0, STEPS)

    def done(self) -> None:
        self._count += 1
        self._progress(min(self._count, STEPS), STEPS)


def _without_excitation(joined: JoinedStretches) -> frozenset[int]:
    """Return the vertical parameters if the vertical command never changed."""
    heights = np.concatenate([part.command[:, 2] for part in joined.parts])
    return frozenset(set(VERTICAL) - {DELAY}) if np.ptp(heights) < 1e-9 else frozenset()


def _first(
    data: Data, settings: FitSettings, fly: RollOut, fixed: frozenset[int], steps: _Steps
) -> Floats:
    """Return the best values from several starts, on the most excited stretches."""
    few = most_excited(data.fitted, settings, FEW_UPDATES)
    joined = JoinedStretches(few, settings.update_rate, fly)
    starts = scan(joined, settings)
    steps.done()
    found = []
    for start in starts:
        start[[i for i in fixed if i in LIMITS]] = np.inf
        found.append(_refined(joined, start, settings, fixed))
        steps.done()
    scale = np.min([solver.scale for solver, _ in found], axis=0)
    common = Solver(joined, scale, settings)
    return min((one.values for _, one in found), key=common.cost)


def _refined(
    joined: JoinedStretches, values: Floats, settings: FitSettings, fixed: frozenset[int]
) -> tuple[Solver, Solution]:
    """Solve, estimate the scale of the residuals, and solve again with that scale.

    ``second_order`` stands for vehicles that do more: without noise, its own error is the scale.
    """
    least = misfit(joined) if settings.vehicle == SECOND_ORDER else np.zeros(3)
    scale = np.maximum(deviation(joined.measured - joined.rough(values)), least)
    first = Solver(joined, scale, settings).solve(values, fixed)
    missed = joined.measured - joined.predicted(first.values, scale)
    scale = np.maximum(deviation(missed), least)
    solver = Solver(joined, scale, settings)
    return solver, solver.solve(first.values, fixed)
