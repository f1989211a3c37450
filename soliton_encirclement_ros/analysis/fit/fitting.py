"""Runs a fit: selects data, scans start values, solves, drops unused limits, validates.

It starts from several lags and delays, and from limits a little below what was measured.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from scipy.ndimage import median_filter
from threadpoolctl import threadpool_limits

from soliton_encirclement_ros.analysis.bag.velocity_checks import velocity_inconsistencies
from soliton_encirclement_ros.analysis.fit.fit_data import (
    FitData, along_heading, gather, heading_lines, most_excited
)
from soliton_encirclement_ros.analysis.fit.fit_records import (
    ACCELERATION_TAUS, DELAY, LIMITS, SECOND_ORDER, VERTICAL, Curve, Errors, Fit, FitSettings,
    ParameterEstimate, with_acceleration_lags
)
from soliton_encirclement_ros.analysis.fit.identifiability import (
    Excitation, deviation, judge, misfit, motion, noise_of, select_limits, sizes
)
from soliton_encirclement_ros.analysis.fit.rollout import (
    Follow, JoinedStretches, RollOut, Solution, Solver, deviations, follow, roll_out
)
from soliton_encirclement_ros.analysis.recording import Floats, Member
from soliton_encirclement_ros.core.flight_statistics.sample_statistics import root_mean_square
from soliton_encirclement_ros.core.stability.agent_loop import total
from velocity_mobility_ros.core.velocity_model import MobilityParameters

UNLIKE = 3.0
"""An agent whose error is this multiple of the median is probably of another type."""

FINE = 0.02
"""Errors and noise below this [m/s] cause no warning."""

POOR = 3.0
"""A prediction error above this multiple of the odometry noise causes a warning."""


def fit_warnings(
    estimates: Mapping[str, ParameterEstimate], seen: Excitation, validation: Errors,
    noise: Floats, agents: Mapping[str, Errors],
) -> list[str]:  # fmt: skip
    """Return the warnings of a fit, one line each."""
    warnings = _beyond_default(estimates, seen)
    delay = estimates.get('delay')
    is_usual = delay is not None
    if delay is not None and delay.known and delay.high is not None and delay.high < 0.0:
        warnings.append(
            f'delay = {delay.value:.3f} s: odometry responds before the command; commands '
            'were recorded late, or the clocks of the two topics differ'
        )
    for axis, error, own in (
        ('xy', validation.usual_xy, noise[0]), ('z', validation.usual_z, noise[2])
    ):  # fmt: skip
        if error > POOR * max(own, FINE):
            warnings.append(
                f'{axis}: prediction error {error:.2g} m/s, odometry noise {own:.2g} m/s: the '
                'mobility law does not describe this vehicle fully'
                + (', a multirotor perhaps: --type second_order' if is_usual else '')
            )
    usual = float(np.median([agent_errors.usual_xy for agent_errors in agents.values()]))
    for name, agent_errors in agents.items():
        if agent_errors.usual_xy > UNLIKE * max(usual, FINE):
            warnings.append(
                f'{name}: prediction error {agent_errors.usual_xy:.2g} m/s, median of all '
                f'{usual:.2g}: fit it alone (--agent {name})'
            )
    return warnings


def _beyond_default(estimates: Mapping[str, ParameterEstimate], seen: Excitation) -> list[str]:
    """Return warnings of unknown limits whose default is below the flown values."""
    flown = {
        'max_acc_xy': seen.acceleration[0], 'max_acc_z': seen.acceleration[1],
        'max_speed_xy': seen.speed[0], 'max_speed_z': seen.speed[1],
    }  # fmt: skip
    warnings = []
    for name, most in flown.items():
        default = getattr(MobilityParameters, name)
        lag = estimates['tau_xy' if name.endswith('xy') else 'tau_z']
        if not estimates[name].known and lag.known and most > default:
            unit = estimates[name].unit
            warnings.append(
                f'{name}: flown {most:.3g} {unit} is above the default {default:g}: set this '
                'limit in the vehicle file'
            )
    return warnings


def curves(joined: JoinedStretches, values: Floats) -> tuple[Curve, ...]:
    """Return measured and predicted velocities; only the start comes from the measurement."""
    predicted, line = joined.predicted(values), joined.line(values)
    columns = (joined.time, joined.measured, predicted, line.wanted[line.sampled])
    return tuple(
        Curve(part.agent, *(column[joined.stretch == s] for column in columns))
        for s, part in enumerate(joined.parts)
    )


def errors(predictions: tuple[Curve, ...]) -> Errors:
    """Return the root mean squares of measured minus predicted velocity."""
    residuals = np.concatenate([curve.measured - curve.predicted for curve in predictions])
    xy, z = (root_mean_square(components) for components in (residuals[:, :2], residuals[:, 2]))
    usual = deviation(residuals)
    return Errors(xy, z, float(usual[0]), float(usual[2]), len(residuals))


def by_agent(predictions: tuple[Curve, ...]) -> Mapping[str, Errors]:
    """Return the errors of every agent."""
    names = dict.fromkeys(curve.agent for curve in predictions)
    return {
        name: errors(tuple(curve for curve in predictions if curve.agent == name))
        for name in names
    }


START_TAUS = (0.2, 1.0)
"""Lags [s] from which a fit starts."""

START_DELAYS = (0.0, 0.3, 0.8)
"""Delays from which it starts, as shares of the longest."""

START_LIMITS = (0.8, 0.95)
"""Limits of acceleration and speed from which it starts, as shares of what was measured: a limit
that is never active cannot be found."""

NO_LAGS = [np.nan] * len(ACCELERATION_TAUS)

SIDE = 2
"""Half width of the median filter that removes outliers [samples]."""

WINDOW = 0.2
"""Time [s] over which an acceleration is measured."""


def start_values(joined: JoinedStretches, settings: FitSettings) -> list[Floats]:
    """Return the values from which a fit starts."""
    (xy, z), (acc_xy, acc_z) = _measure_limits(joined)
    a, v = START_LIMITS
    return [
        np.array([tau, a * acc_xy, v * xy, tau, a * acc_z, v * z, share * settings.longest_delay,
                  *NO_LAGS])
        for tau, share in itertools.product(START_TAUS, START_DELAYS)
    ]  # fmt: skip


def _measure_limits(joined: JoinedStretches) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the 99.5th percentile of speed and acceleration, horizontal and vertical."""
    filtered = [median_filter(part.velocity, (2 * SIDE + 1, 1)) for part in joined.parts]
    rises = []
    for part, velocity in zip(joined.parts, filtered, strict=True):
        step = max(1, round(WINDOW * (len(part.time) - 1) / part.length))
        gap = (part.time[step:] - part.time[:-step])[:, None]
        rises.append((velocity[step:] - velocity[:-step]) / gap)
    speed, acceleration = (
        tuple(
            float(max(np.percentile(size, 99.5), 1e-2)) for size in sizes(np.concatenate(vectors))
        )
        for vectors in (filtered, rises)
    )
    return speed, acceleration


FEW_UPDATES = 15_000
"""Updates of the most excited stretches used to find start values."""

STEPS = len(START_TAUS) * len(START_DELAYS) + len(LIMITS) + 4
Progress = Callable[[int, int], None]


@threadpool_limits.wrap(limits=1)
def fit(
    members: Sequence[Member],
    settings: FitSettings | None = None,
    fly: RollOut = roll_out,
    progress: Progress = lambda done, all_steps: None,
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
    done = itertools.count()

    def step() -> None:
        progress(min(next(done), STEPS), STEPS)

    step()
    driven = [along_heading(member) for member in members]
    data = gather(driven, settings)
    joined, held = (
        JoinedStretches(parts, settings.update_rate, fly, follow)
        for parts in (data.fitted, data.held_out)
    )
    heights = np.concatenate([part.command[:, 2] for part in joined.parts])
    fixed = frozenset(VERTICAL) if np.ptp(heights) < 1e-9 else frozenset()
    best = _first(data, settings, fly, fixed, step)
    if settings.vehicle == SECOND_ORDER:
        best = with_acceleration_lags(best, 2.0 * settings.update_rate)
        fixed |= {DELAY}
    solver, solution = _solve_twice(joined, best, settings, fixed)
    step()
    chosen = select_limits(solver, solution, fixed, step)
    solver, solution = _solve_twice(joined, chosen.values, settings, fixed)
    half = deviations(joined, solution)
    step()
    seen, noise = motion(joined, solution.values), noise_of(joined)
    estimates = judge(solution.values, half, seen, noise, settings)
    held.improve_starts(solution.values, solver.scale)
    held_curves = curves(held, solution.values)
    agents = by_agent(held_curves)
    step()
    return Fit(
        estimates=estimates,
        agents=tuple(dict.fromkeys(part.agent for part in joined.parts)),
        update_rate=settings.update_rate,
        until=data.until,
        used=total(part.length for part in joined.parts),
        fitted=errors(curves(joined, solution.values)),
        validation=errors(held_curves),
        by_agent=agents,
        noise=(float(noise[0]), float(noise[2])),
        curves=held_curves,
        problems=(
            *velocity_inconsistencies(members),
            *heading_lines(members, driven),
            *fit_warnings(estimates, seen, errors(held_curves), noise, agents),
        ),
        vehicle=settings.vehicle,
    )


def _first(
    data: FitData,
    settings: FitSettings,
    fly: RollOut,
    fixed: frozenset[int],
    step: Callable[[], None],
) -> Floats:
    """Return the best values from several starts, on the most excited stretches."""
    few = most_excited(data.fitted, settings, FEW_UPDATES)
    joined = JoinedStretches(few, settings.update_rate, fly)
    starts = start_values(joined, settings)
    step()
    candidates = []
    for start in starts:
        start[[i for i in fixed if i in LIMITS]] = np.inf
        candidates.append(_solve_twice(joined, start, settings, fixed))
        step()
    scale = np.min([solver.scale for solver, _ in candidates], axis=0)
    common = Solver(joined, scale, settings)
    return min((candidate.values for _, candidate in candidates), key=common.cost)


def _solve_twice(
    joined: JoinedStretches, values: Floats, settings: FitSettings, fixed: frozenset[int]
) -> tuple[Solver, Solution]:
    """Solve, estimate the scale of the residuals, and solve again with that scale.

    ``second_order`` stands for vehicles that do more: without noise, its own error is the scale.
    """
    least = misfit(joined) if settings.vehicle == SECOND_ORDER else np.zeros(3)
    scale = np.maximum(deviation(joined.measured - joined.predicted(values)), least)
    first = Solver(joined, scale, settings).solve(values, fixed)
    joined.improve_starts(first.values, scale)
    missed = joined.measured - joined.predicted(first.values)
    scale = np.maximum(deviation(missed), least)
    solver = Solver(joined, scale, settings)
    return solver, solver.solve(first.values, fixed)
