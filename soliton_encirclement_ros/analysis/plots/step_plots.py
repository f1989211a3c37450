"""Plot of the answers of vehicles to the same commands."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from velocity_mobility_ros.vehicles.step_response import CommandStep, Sample

from soliton_encirclement_ros.analysis.plots.picture_file import save_picture
from soliton_encirclement_ros.analysis.plots.run_plots import GREY

ROWS = ('forward [m/s]', 'left [m/s]', 'up [m/s]', 'yaw rate [rad/s]', 'tilt [deg]')
Flown = Sequence[Sequence[Sample]]


def draw_steps(
    path: Path, flights: Mapping[str, tuple[Sequence[CommandStep], Flown]], title: str
) -> None:
    """Draw velocity, yaw rate and tilt of vehicles over time, and their commands.

    Args:
        path: File to write; its suffix selects the format.
        flights: Steps and samples by name of the vehicle.
        title: Title of the plot.
    """
    figure = Figure(figsize=(12, 11), layout='constrained')
    axes = figure.subplots(len(ROWS), 1, sharex=True)
    for name, (_, flown) in flights.items():
        samples = [one for part in flown for one in part]
        time = [one.time for one in samples]
        for one, values in zip(axes, _values(samples), strict=True):
            one.plot(time, values, label=name, lw=1.3)
    for steps, flown in {id(steps): (steps, flown) for steps, flown in flights.values()}.values():
        for i, one in enumerate(axes[:4]):
            commands = [(*step.velocity, step.yaw_rate)[i] for step in steps]
            ends = [part[-1].time for part in flown]
            one.stairs(commands, [0.0, *ends], color=GREY, lw=0.8, baseline=None)
    for one, label in zip(axes, ROWS, strict=True):
        one.set_ylabel(label)
        one.grid(visible=True, alpha=0.4)
    axes[0].legend(loc='upper right', fontsize=8)
    axes[-1].set_xlabel('time [s]')
    figure.suptitle(f'{title} (grey: commands)', fontsize=11)
    save_picture(figure, path)


def _values(samples: Sequence[Sample]) -> np.ndarray:
    """Return the values of the rows, (5, M)."""
    columns = [(*one.velocity, one.yaw_rate, np.degrees(one.tilt)) for one in samples]
    return np.array(columns).T
