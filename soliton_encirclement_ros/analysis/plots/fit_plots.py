"""Plot of a fit: measured and predicted velocity of the held-out data, and the residuals."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from soliton_encirclement_ros.analysis.fit.fit_records import Curve, Fit
from soliton_encirclement_ros.analysis.plots.run_plots import BLUE, GREY, ORANGE, RED, save_picture
from soliton_encirclement_ros.analysis.recording import Floats

AXES = ('x', 'y', 'z')
MAX_SAMPLES = 4000
"""Upper limit of drawn samples; of a long recording the most excited part is drawn."""

BINS = 60


def draw_fit(path: Path, fit: Fit, title: str) -> None:
    """Draw the validation of a fit.

    Args:
        path: File to write; its suffix selects the format.
        fit: Result of the fit.
        title: Title of the plot.
    """
    figure = Figure(figsize=(14, 9), layout='constrained')
    grid = figure.add_gridspec(4, 3)
    agent, curves = most_excited(fit.curves)
    for row, name in enumerate(AXES):
        axes = figure.add_subplot(grid[row, :2])
        _draw_axis(axes, curves, row)
        axes.set_ylabel(f'v_{name} [m/s]')
        if row == 0:
            axes.set_title(f'{agent}: held out of the fit, predicted by the commands alone')
            axes.legend(loc='upper right', ncols=3, fontsize=8)
    _draw_residuals(figure.add_subplot(grid[3, :2]), curves)
    _draw_spread(figure.add_subplot(grid[0:2, 2]), fit)
    _draw_scatter(figure.add_subplot(grid[2:4, 2]), fit.curves)
    figure.suptitle(f'{title}\n{_parameters(fit)}', fontsize=10)
    save_picture(figure, path)


def most_excited(curves: Sequence[Curve]) -> tuple[str, list[Curve]]:
    """Return the agent whose velocity varied most, and its stretches up to ``MAX_SAMPLES``."""
    names = dict.fromkeys(one.agent for one in curves)
    own = {name: [one for one in curves if one.agent == name] for name in names}
    agent = max(own, key=lambda name: float(np.mean([one.measured.var() for one in own[name]])))
    room, chosen = MAX_SAMPLES, []
    for one in sorted(own[agent], key=lambda one: -one.measured.var()):
        if not chosen or len(one.time) <= room:
            chosen.append(one)
            room -= len(one.time)
    return agent, sorted(chosen, key=lambda one: one.time[0])


def _draw_axis(axes: Axes, curves: Sequence[Curve], i: int) -> None:
    for k, one in enumerate(curves):
        names = ('commanded', 'measured', 'predicted') if k == 0 else (None, None, None)
        axes.plot(one.time, one.commanded[:, i], color=GREY, lw=0.8, label=names[0])
        axes.plot(one.time, one.measured[:, i], '.', color=BLUE, ms=2, label=names[1])
        axes.plot(one.time, one.predicted[:, i], color=RED, lw=1.2, label=names[2])
    axes.grid(visible=True, alpha=0.4)


def _draw_residuals(axes: Axes, curves: Sequence[Curve]) -> None:
    for i, colour in enumerate((BLUE, ORANGE, GREY)):
        for k, one in enumerate(curves):
            missed = one.measured[:, i] - one.predicted[:, i]
            label = f'v_{AXES[i]}' if k == 0 else None
            axes.plot(one.time, missed, '.', ms=2, color=colour, label=label)
    axes.set_ylabel('residual [m/s]')
    axes.set_xlabel('time [s]')
    axes.legend(loc='upper right', ncols=3, fontsize=8)
    axes.grid(visible=True, alpha=0.4)


def _draw_spread(axes: Axes, fit: Fit) -> None:
    """Draw the distribution of the residuals of all agents."""
    missed = _missed(fit.curves)
    end = max(float(np.percentile(np.abs(missed), 99.7)), 1e-6)
    for values, colour, name, rms in (
        (missed[:, :2], BLUE, 'xy', fit.validation.xy),
        (missed[:, 2], ORANGE, 'z', fit.validation.z),
    ):
        label = f'{name}: RMS {rms:.3g} m/s'
        axes.hist(
            values.ravel(), BINS, range=(-end, end), density=True, histtype='step', color=colour,
            label=label,
        )  # fmt: skip
    axes.set_title(
        f'residuals of all agents, {fit.validation.samples} samples\n'
        f'odometry alone: {fit.noise[0]:.3g} m/s in xy, {fit.noise[1]:.3g} in z', fontsize=9,
    )  # fmt: skip
    axes.set_xlabel('measured minus predicted [m/s]')
    axes.set_yticks([])
    axes.legend(loc='upper right', fontsize=8)


def _draw_scatter(axes: Axes, curves: Sequence[Curve]) -> None:
    """Draw measured over predicted velocity of all agents."""
    step = max(1, sum(len(one.time) for one in curves) // MAX_SAMPLES)
    for columns, colour, name in (((0, 1), BLUE, 'xy'), ((2,), ORANGE, 'z')):
        predicted, measured = (
            np.concatenate([getattr(one, key)[::step, columns].ravel() for one in curves])
            for key in ('predicted', 'measured')
        )
        axes.plot(predicted, measured, '.', ms=2, color=colour, label=name)
    ends = axes.get_xlim()
    axes.plot(ends, ends, color=GREY, lw=0.8)
    axes.set_xlabel('predicted [m/s]')
    axes.set_ylabel('measured [m/s]')
    axes.legend(loc='upper left', fontsize=8)
    axes.grid(visible=True, alpha=0.4)


def _missed(curves: Sequence[Curve]) -> Floats:
    return np.concatenate([one.measured - one.predicted for one in curves])


def _parameters(fit: Fit) -> str:
    """Return all estimates in one line."""
    texts = []
    for one in fit.estimates.values():
        if not one.known:
            texts.append(f'{one.name} not identifiable')
        elif one.value is None or one.low is None or one.high is None:
            texts.append(f'{one.name} none')
        else:
            half = 0.5 * (one.high - one.low)
            texts.append(f'{one.name} {one.value:.4g} ± {half:.2g} {one.unit}')
    return '   '.join(texts[:3]) + '\n' + '   '.join(texts[3:])
