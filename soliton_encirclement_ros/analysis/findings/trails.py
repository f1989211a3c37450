"""Paths for the plots, of agents without telemetry."""

import numpy as np

from soliton_encirclement_ros.analysis.findings.participants import Participants
from soliton_encirclement_ros.analysis.findings.silent_agents import Silent
from soliton_encirclement_ros.core.run.observer import TRAIL_PERIOD, Observer
from soliton_encirclement_ros.core.run.run_record import Trail
from soliton_encirclement_ros.core.states.swarm_topics import TARGET, uav


def add_trails(
    observer: Observer, participants: Participants, silent: Silent, has_target: bool
) -> None:
    """Add the paths of agents without telemetry; drop the target's path without a target.

    Args:
        observer: Gets the paths.
        participants: Members with a role.
        silent: When agents were silent; who does not come back is down at its end.
        has_target: Whether there is a target.
    """
    for k, body in participants.agents.items():
        if k not in participants.telemetry:
            periods = np.floor((body.time - body.time[0]) / TRAIL_PERIOD)
            _, firsts = np.unique(periods, return_index=True)
            kept = np.union1d(firsts, len(body.time) - 1)
            x, y = body.position[kept, 0].tolist(), body.position[kept, 1].tolist()
            failed = [False] * len(kept)
            failed[-1] = any(one.end is None for one in silent.get(k, ()))
            observer.trails[uav(k)] = Trail(body.time[kept].tolist(), x, y, failed)
    if not has_target:
        observer.trails.pop(TARGET, None)
