"""Paths for plots, of bodies without telemetry."""

import numpy as np

from soliton_encirclement_ros.analysis.findings.participants import Participants
from soliton_encirclement_ros.core.run.observer import TRAIL_PERIOD, Observer
from soliton_encirclement_ros.core.run.run_record import Trail
from soliton_encirclement_ros.core.states.swarm_topics import TARGET, uav


def add_trails(observer: Observer, cast: Participants, has_target: bool) -> None:
    """Give the observer the trails of agents without telemetry; drop that of no target."""
    for k, sight in cast.agents.items():
        if k not in cast.telemetry:
            periods = np.floor((sight.time - sight.time[0]) / TRAIL_PERIOD)
            _, firsts = np.unique(periods, return_index=True)
            kept = np.union1d(firsts, len(sight.time) - 1)
            x, y = sight.position[kept, 0].tolist(), sight.position[kept, 1].tolist()
            observer.trails[uav(k)] = Trail(sight.time[kept].tolist(), x, y, [False] * len(kept))
    if not has_target:
        observer.trails.pop(TARGET, None)
