"""The picture of ``separation.py``: four vehicles that swap places, and where they would stop."""

from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from separation_parts.flights import pair_distances, recorded
from separation_parts.scenes import on_ways, scenario, swap

from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.safety.braking import braking_path

mpl.use('Agg')

AGENTS, SECONDS, AHEAD = 4, 8.0, 1.2
"""The moment that is drawn is so long before the nearest one [s]."""

COLOURS = '#1f78e6', '#1aa64d', '#f28c1a', '#7a4fbf'
RED, GREY = '#d92626', '#888888'


def draw(path: Path) -> None:
    """Fly the swap with the filter and without it, and draw both.

    Args:
        path: The picture's file.
    """
    bases = [
        scenario(AGENTS, SECONDS, {'safety': {'separation_filter': is_on}}, 0, 0)
        for is_on in (True, False)
    ]
    base, limits = bases[0], bases[0].limits_of(uav(1))
    keep, period = base.safety.separation_distance, base.swarm.control_period
    agents, bare = (recorded(on_ways(each, swap(AGENTS)))[0] for each in bases)
    distances, alone = (pair_distances(each[:, :, :3]).min(axis=1) for each in (agents, bare))
    moment = int(distances.argmin() - AHEAD / period)
    figure = Figure(figsize=(11, 4.8), layout='constrained')
    above, over_time = figure.subplots(1, 2, width_ratios=(1, 1.1))
    for k, colour in enumerate(COLOURS):
        x, y, _, vx, vy = agents[moment, k, :5].tolist()
        stop = braking_path(x, y, vx, vy, limits.max_acc_xy, limits.tau_xy or period)
        above.plot(agents[:, k, 0], agents[:, k, 1], color=colour, lw=0.8, alpha=0.5)
        above.plot(bare[:, k, 0], bare[:, k, 1], ':', color=GREY, lw=1)
        above.plot([x, stop.px], [y, stop.py], '--', color=colour, lw=2)
        above.plot(x, y, 'o', color=colour, ms=7)
        above.add_patch(Circle((stop.px, stop.py), keep / 2.0, color=colour, alpha=0.3, lw=0))
    above.set(xlabel='east [m]', ylabel='north [m]', aspect='equal', xlim=(-9, 9), ylim=(-9, 9))
    now = f'after {moment * period:.1f} s: where each would stop if it braked now'
    above.set_title(f'{now},\nwith a disc of D/2; dotted: the ways without the filter', size=10)
    times = period * np.arange(1, len(distances) + 1)
    over_time.plot(times, distances, color=COLOURS[0], label='with the filter')
    over_time.plot(times, alone, ':', color=GREY, label='without')
    over_time.axhline(keep, color=RED, lw=1, label='D, separation_distance')
    over_time.axvline(moment * period, color='0.8', lw=1)
    over_time.set(xlabel='time [s]', ylabel='nearest two vehicles [m]', xlim=(0, SECONDS))
    over_time.set_ylim(0, 22)
    over_time.legend(fontsize=9, loc='center left')
    figure.savefig(path, dpi=110)
