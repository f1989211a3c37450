"""Plot of a fit: measured and predicted velocity of the held-out data, and the residuals."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from soliton_encirclement_ros.analysis.fit.fit_records import Curve, Fit
from soliton_encirclement_ros.analysis.plots.run_plots import BLUE, GREY, ORANGE, RED, save_picture

AXES = ('x', 'y', 'z')

def draw_fit(path: Path, fit: Fit, title: str) -> None:
    """Draw the validation of a fit into a file, whose suffix selects the format."""
    figure = Figure(figsize=(12, 9), layout='constrained')
    *rows, last = figure.subplots(len(AXES) + 1, 1, sharex=True)
    agent, curves = most_excited(fit.curves)
    for i, axes in enumerate(rows):
        _draw_axis(axes, curves, i)
    rows[0].set_title(f'{agent}: held out of the fit, predicted by the commands alone')
    _draw_residuals(last, curves)
    last.set_xlabel('time [s]')
    for axes in (rows[0], last):
        axes.legend(loc='upper right', ncols=3, fontsize=8)
    for axes in (*rows, last):
        axes.grid(visible=True, alpha=0.4)
    errors, noise = fit.validation, fit.noise
    figure.suptitle(
        f'{title}\n{_parameters(fit)}\n'
        f'all agents: RMS {errors.xy:.3g} m/s in xy, {errors.z:.3g} in z '
        f'({errors.samples} samples); odometry alone: {noise[0]:.3g} in xy, {noise[1]:.3g} in z',
        fontsize=10,
    )
    save_picture(figure, path)


def most_excited(curves: Sequence[Curve]) -> tuple[str, list[Curve]]:
    """Return the agent whose velocity varied most, and its stretches."""
    names = dict.fromkeys(curve.agent for curve in curves)
    curves_of = {name: [curve for curve in curves if curve.agent == name] for name in names}
    variances = {name: float(np.mean([curve.measured.var() for curve in own]))
                 for name, own in curves_of.items()}  # fmt: skip
    agent = max(curves_of, key=lambda name: variances[name])
    return agent, curves_of[agent]


def _draw_axis(axes: Axes, curves: Sequence[Curve], i: int) -> None:
    for k, curve in enumerate(curves):
        names = ('commanded', 'measured', 'predicted') if k == 0 else (None, None, None)
        axes.plot(curve.time, curve.commanded[:, i], color=GREY, lw=0.8, label=names[0])
        axes.plot(curve.time, curve.measured[:, i], '.', color=BLUE, ms=2, label=names[1])
        axes.plot(curve.time, curve.predicted[:, i], color=RED, lw=1.2, label=names[2])
    axes.set_ylabel(f'v_{AXES[i]} [m/s]')


def _draw_residuals(axes: Axes, curves: Sequence[Curve]) -> None:
    for i, colour in enumerate((BLUE, ORANGE, GREY)):
        for k, curve in enumerate(curves):
            residual = curve.measured[:, i] - curve.predicted[:, i]
            label = f'v_{AXES[i]}' if k == 0 else None
            axes.plot(curve.time, residual, '.', ms=2, color=colour, label=label)
    axes.set_ylabel('residual [m/s]')


def _parameters(fit: Fit) -> str:
    """Return all estimates in one line."""
    texts = []
    for estimate in fit.estimates.values():
        if not estimate.known:
            texts.append(f'{estimate.name} not identifiable')
        elif estimate.value is None or estimate.low is None or estimate.high is None:
            texts.append(f'{estimate.name} none')
        else:
            half = 0.5 * (estimate.high - estimate.low)
            texts.append(f'{estimate.name} {estimate.value:.4g} ± {half:.2g} {estimate.unit}')
    return '   '.join(texts[:3]) + '\n' + '   '.join(texts[3:])
